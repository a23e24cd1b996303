-- What a member takes off the calendar keeps its row for 30 days, so that a migration changes it together with the others.
-- The tables hold everything. The views have the names that they had before and show what is on the calendar: they are
-- what is read and written, also by processes of the version before. A migration that adds a column to one of these tables adds
-- it to its view, too (`create or replace view`).
alter table post_sets rename to all_post_sets;
alter table all_post_sets
  add column removed_at timestamptz,
  add column removed_by uuid,
  -- Of a removed set: the open connections of its account types when it was removed, with their identities.
  add column removed_connections jsonb,
  -- What is sent, or has been, is never removed.
  add constraint post_sets_removed_status check (removed_at is null or status in ('DRAFT', 'SCHEDULED'));
alter table notes rename to all_notes;
alter table all_notes
  add column removed_at timestamptz,
  add column removed_by uuid;

create view post_sets as
  select id, account_id, social_set_id, scheduled_at, schedule_requested_at, status, approval, locked_at, locked_by,
    version, content_version, claimed_at, published_at, created_at, updated_at, series_id, starts_series, search_text
  from all_post_sets where removed_at is null;
create view notes as
  select id, account_id, social_set_id, type, source, content, hex_color, scheduled_at, series_id, created_at, updated_at
  from all_notes where removed_at is null;

drop index post_sets_due;
create index post_sets_due on all_post_sets (scheduled_at) where status = 'SCHEDULED' and removed_at is null;
drop index post_sets_calendar;
create index post_sets_calendar on all_post_sets (social_set_id, scheduled_at, id, status, approval)
  where removed_at is null;
drop index post_sets_created;
create index post_sets_created on all_post_sets (social_set_id, created_at, id, status, approval)
  where removed_at is null;
drop index notes_calendar;
create index notes_calendar on all_notes (social_set_id, scheduled_at, id) where removed_at is null;
create index post_sets_removed on all_post_sets (removed_at) where removed_at is not null;
create index notes_removed on all_notes (removed_at) where removed_at is not null;

-- Nobody is notified of what is deleted for good after it was removed.
create function almanac_tell_deletes() returns trigger language plpgsql as $$
begin
  perform almanac_tell(tg_argv[0], account_id, social_set_id, ids)
  from (
    select account_id, social_set_id, case when count(*) <= 100 then string_agg(id::text, ',' order by id) end as ids
    from changed where removed_at is null group by account_id, social_set_id
  ) as told;
  return null;
end $$;
drop trigger post_sets_tell_deletes on all_post_sets;
create trigger post_sets_tell_deletes after delete on all_post_sets referencing old table as changed
  for each statement execute function almanac_tell_deletes('post-sets');
drop trigger notes_tell_deletes on all_notes;
create trigger notes_tell_deletes after delete on all_notes referencing old table as changed
  for each statement execute function almanac_tell_deletes('notes');

-- What was removed before this was kept as JSON, with all columns of then, and comes back into its tables.
insert into all_post_sets
select back.*
from removed_post_sets as removed, jsonb_populate_record(null::all_post_sets, removed.rows->'set' || jsonb_build_object(
  'removed_at', removed.removed_at, 'removed_by', removed.removed_by, 'removed_connections', removed.rows->'connections'
)) as back;
insert into posts
select back.* from removed_post_sets as removed, jsonb_populate_recordset(null::posts, removed.rows->'posts') as back;
insert into post_media
select back.* from removed_post_sets as removed, jsonb_populate_recordset(null::post_media, removed.rows->'media') as back;
insert into post_set_labels
select back.*
from removed_post_sets as removed, jsonb_populate_recordset(null::post_set_labels, removed.rows->'labels') as back
join labels on labels.id = back.label_id and labels.removed_by is null;
insert into all_notes
select back.*
from removed_notes as removed, jsonb_populate_record(null::all_notes, removed.row || jsonb_build_object(
  'removed_at', removed.removed_at, 'removed_by', removed.removed_by
)) as back;
drop table removed_post_sets, removed_notes;

-- Rows of history that were stored before changes had one shape.
update history
set changes = changes || jsonb_build_object(
  'status', jsonb_build_object('from', changes->'status'->0, 'to', changes->'status'->1))
where action in ('publishing', 'published') and jsonb_typeof(changes->'status') = 'array';
