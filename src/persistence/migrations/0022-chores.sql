-- What is removed once it is old, by chores that one process at a time does. src/housekeeping/README.md says how.
create table chores (
  name text primary key,
  -- When it is done next.
  next_at timestamptz not null default almanac_now(),
  ran_at timestamptz,
  -- By whom it is being done. One whose time has passed was interrupted.
  lease_owner text,
  lease_until timestamptz,
  check ((lease_owner is null) = (lease_until is null))
);

-- Whether a row names a file is asked for each file of the store.
create index media_items_thumbnail on media_items (thumbnail_key) where thumbnail_key is not null;
create index media_renditions_age on media_renditions (created_at);
create index media_uploads_ended on media_uploads (updated_at) where status in ('READY', 'FAILED');
create index sessions_expiry on sessions (expires_at);
-- A delivery that ends has no handles any more: only those of earlier versions are in here.
create index deliveries_handles on deliveries (finished_at) where state = 'DONE' and handles <> '{}';

-- Post sets that are gone for good, until their history goes too.
create table purged_post_sets (
  id uuid primary key,
  purged_at timestamptz not null default almanac_now()
);
create index purged_post_sets_age on purged_post_sets (purged_at);

create function almanac_note_purged() returns trigger language plpgsql as $$
begin
  insert into purged_post_sets (id) select id from gone on conflict do nothing;
  return null;
end $$;
create trigger post_sets_note_purged after delete on all_post_sets referencing old table as gone
  for each statement execute function almanac_note_purged();

insert into purged_post_sets (id)
select distinct post_set_id from history
where not exists (select from all_post_sets where all_post_sets.id = history.post_set_id);
