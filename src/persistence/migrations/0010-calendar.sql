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

-- Tells every process what has changed: kind, account, social set and ids, where none means more than are told. One
-- statement is one message for each social set. Transactions that tell something are committed one after the other: eight
-- clients that do nothing but make sets make about a third fewer in a second (290 for 400 on a busy machine with two
-- cores; bench/calendar.ts). What the triggers compute costs nothing that could be measured.
create function almanac_tell_changes() returns trigger language plpgsql as $$
begin
  perform pg_notify('almanac_changes', concat_ws(' ', tg_argv[0], account_id, social_set_id, ids))
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
  perform pg_notify('almanac_changes', concat_ws(' ', 'post-sets', account_id, social_set_id, id))
  from post_sets where id = new.post_set_id;
  return null;
end $$;
create trigger deliveries_tell_results after update of result on deliveries
  for each row when (new.result is distinct from old.result) execute function almanac_tell_result();
