-- The version of the post set that a change led to: by it a member takes a change back.
alter table history add column version integer;

-- What members took off the calendar, row by row, so that it can come back as it was. A migration that adds a column
-- without null to one of these tables fills it here too. The media of a removed set still belong to it: whatever comes
-- to delete media must look here.
create table removed_post_sets (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  social_set_id uuid not null references social_sets on delete cascade,
  removed_by uuid,
  removed_at timestamptz not null default almanac_now(),
  rows jsonb not null
);
create index removed_post_sets_age on removed_post_sets (removed_at);
create table removed_notes (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  social_set_id uuid not null references social_sets on delete cascade,
  removed_by uuid,
  removed_at timestamptz not null default almanac_now(),
  row jsonb not null
);
create index removed_notes_age on removed_notes (removed_at);

-- A label that is gone for everybody, and by whom; it is taken off its post sets in batches, each a transaction of its own,
-- and its row goes last. With merged_into, the sets get that label instead.
alter table labels add column removed_by jsonb,
  add column merged_into uuid references labels on delete set null,
  drop constraint labels_account_id_name_key;
create unique index labels_names on labels (account_id, name) where removed_by is null;
create index labels_merged_into on labels (merged_into) where merged_into is not null;

-- The social sets that somebody looks at, and until when. Processes renew what their screens follow. A crash of the server
-- empties the table and ends their connections, after which they fill it again.
create unlogged table watched_social_sets (social_set_id uuid primary key, watched_until timestamptz not null);

-- Tells every process that looks at a social set what has changed in it: kind, account, social set and ids, where none
-- means more than are told. Transactions that tell something are committed one after the other, so nothing is told that
-- nobody hears. Eight clients that do nothing but make sets make 190 in a second while somebody watches, 280 while nobody
-- does and 250 without the triggers, which is the same within what was measured (middles of ten turns on a busy machine
-- with two cores; bench/calendar.ts).
create function almanac_tell(kind text, account uuid, social_set uuid, ids text) returns void language plpgsql as $$
begin
  if exists (
    select from watched_social_sets
    where watched_social_sets.social_set_id = social_set and watched_until > clock_timestamp()
  ) then
    perform pg_notify('almanac_changes', concat_ws(' ', kind, account, social_set, ids));
  end if;
end $$;

-- One statement is one message for each social set.
create function almanac_tell_changes() returns trigger language plpgsql as $$
begin
  perform almanac_tell(tg_argv[0], account_id, social_set_id, ids)
  from (
    select account_id, social_set_id, case when count(*) <= 100 then string_agg(id::text, ',' order by id) end as ids
    from changed group by account_id, social_set_id
  ) as told;
  return null;
end $$;
create trigger post_sets_tell_inserts after insert on post_sets referencing new table as changed
  for each statement execute function almanac_tell_changes('post-sets');
create trigger post_sets_tell_updates after update on post_sets referencing new table as changed
  for each statement execute function almanac_tell_changes('post-sets');
create trigger post_sets_tell_deletes after delete on post_sets referencing old table as changed
  for each statement execute function almanac_tell_changes('post-sets');
create trigger notes_tell_inserts after insert on notes referencing new table as changed
  for each statement execute function almanac_tell_changes('notes');
create trigger notes_tell_updates after update on notes referencing new table as changed
  for each statement execute function almanac_tell_changes('notes');
create trigger notes_tell_deletes after delete on notes referencing old table as changed
  for each statement execute function almanac_tell_changes('notes');
create trigger connections_tell_inserts after insert on connections referencing new table as changed
  for each statement execute function almanac_tell_changes('connections');
create trigger connections_tell_updates after update on connections referencing new table as changed
  for each statement execute function almanac_tell_changes('connections');
create trigger connections_tell_deletes after delete on connections referencing old table as changed
  for each statement execute function almanac_tell_changes('connections');

-- The result of one post is there before its set is done.
create function almanac_tell_result() returns trigger language plpgsql as $$
begin
  perform almanac_tell('post-sets', account_id, social_set_id, id::text)
  from post_sets where id = new.post_set_id;
  return null;
end $$;
create trigger deliveries_tell_results after update of result on deliveries
  for each row when (new.result is distinct from old.result) execute function almanac_tell_result();

-- Another timezone shows everything at another time, also where nothing is moved.
create function almanac_tell_social_set() returns trigger language plpgsql as $$
begin
  perform almanac_tell('social-sets', new.account_id, new.id, new.id::text);
  return null;
end $$;
create trigger social_sets_tell_updates after update on social_sets
  for each row when ((new.name, new.timezone) is distinct from (old.name, old.timezone))
  execute function almanac_tell_social_set();
