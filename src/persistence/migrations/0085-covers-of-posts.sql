-- Frames that posts have chosen as their covers (src/importing/README.md, "Covers"): one for each video and moment. A row is due until it
-- has a state; each begun attempt is counted before the file is read.
create table media_covers (
  media_id uuid not null references media_items on delete cascade,
  at_ms integer not null,
  storage_key text unique,
  state text,
  attempts integer not null default 0,
  created_at timestamptz not null default almanac_now(),
  primary key (media_id, at_ms),
  constraint media_covers_state_check check (state in ('DRAWN', 'NONE')),
  constraint media_covers_drawn_check check ((state is not distinct from 'DRAWN') = (storage_key is not null))
);
create index media_covers_due on media_covers (created_at) where state is null;

-- The moment of its first video that a post has chosen as its cover, in milliseconds. Stories have none. In one expression, so that
-- PostgreSQL writes it into the statements that ask.
create function almanac_cover_ms(fields jsonb) returns integer immutable language sql as $$
  select case
    when fields ->> 'type' = 'STORY' then null
    when jsonb_typeof(fields -> 'videoCoverImage') = 'number'
      then floor(least((fields -> 'videoCoverImage')::numeric, 86400) * 1000)::integer
    when jsonb_typeof(fields -> 'videoCoverImageSeconds') = 'number'
      then floor(least((fields -> 'videoCoverImageSeconds')::numeric, 86400) * 1000)::integer
  end
$$;

-- At the end of the transaction, because the files of a post are written after it. A video has 20 at most: those that were not drawn, and
-- that no post has any more, make room.
create function almanac_want_cover() returns trigger language plpgsql as $$
declare
  video uuid := (
    select used.media_id from post_media used join media_items item on item.id = used.media_id
    where used.post_id = new.id and item.facts ->> 'type' = 'VIDEO' order by used.position limit 1);
begin
  if video is null then
    return null;
  end if;
  if (select count(*) from media_covers where media_id = video) >= 20 then
    delete from media_covers where media_id = video and at_ms in (
      select at_ms from media_covers cover
      where media_id = video and state is null and not exists (
        select from post_media used join posts post on post.id = used.post_id
        where used.media_id = video and almanac_cover_ms(post.fields) = cover.at_ms)
      order by at_ms for update skip locked);
  end if;
  insert into media_covers (media_id, at_ms) select video, almanac_cover_ms(new.fields)
  where (select count(*) from media_covers where media_id = video) < 20
  on conflict do nothing;
  return null;
end $$;

create constraint trigger posts_want_cover after insert or update of fields on posts deferrable initially deferred for each row
  when (almanac_cover_ms(new.fields) is not null) execute function almanac_want_cover();

-- The cards of posts show it.
create function almanac_tell_cover() returns trigger language plpgsql as $$
begin
  perform almanac_tell('post-sets', account_id, social_set_id, null) from media_items where id = new.media_id;
  return null;
end $$;

create trigger media_covers_tell after update of storage_key on media_covers for each row
  when (new.storage_key is distinct from old.storage_key) execute function almanac_tell_cover();
