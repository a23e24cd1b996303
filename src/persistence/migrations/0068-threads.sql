-- Further parts of posts, published as replies: a list of ids and captions in order, null where there are none. Media of a part say
-- which it is by its number, 0 being the post itself; their positions go on from part to part.
alter table posts add column thread jsonb;
alter table post_media add column part integer not null default 0;
