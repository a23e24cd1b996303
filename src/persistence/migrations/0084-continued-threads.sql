-- A delivery that goes on with a thread that ended early: how many parts, the post among them, are live from before it. Null: it begins
-- with the post.
alter table deliveries add column continues smallint;
