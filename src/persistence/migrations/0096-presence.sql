-- Which post set a member has open, by the stream of live events of the window (src/operations/live/README.md). A row is there for as long as
-- its stream, and lapses when the process of the stream does not renew it.
create table presences (
  stream_id uuid primary key,
  -- Of the connection: a stream that is made again has another one, and the old one ends without taking the row along.
  holder uuid not null,
  account_id uuid not null references accounts on delete cascade,
  -- That of the post set.
  social_set_id uuid,
  user_id uuid not null references users on delete cascade,
  post_set_id uuid references all_post_sets on delete cascade,
  until timestamptz not null
);
create index presences_post_set on presences (post_set_id) where post_set_id is not null;
create index presences_until on presences (until);
create index presences_user on presences (user_id);

create function almanac_tell_presence() returns trigger language plpgsql as $$
begin
  if old.post_set_id is not null then
    perform almanac_tell('presence', old.account_id, old.social_set_id, old.post_set_id::text);
  end if;
  if new.post_set_id is not null and new.post_set_id is distinct from old.post_set_id then
    perform almanac_tell('presence', new.account_id, new.social_set_id, new.post_set_id::text);
  end if;
  return null;
end $$;

create trigger presences_tell after insert or delete or update of post_set_id on presences for each row
  execute function almanac_tell_presence();
