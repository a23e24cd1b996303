-- Calendars of others whose events are notes of a social set, and addresses at which a social set is a calendar for others
-- (docs/decisions/0033).
create table imported_calendars (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  social_set_id uuid not null references social_sets on delete cascade,
  name text not null,
  -- Of its new notes.
  hex_color text not null,
  -- The address, sealed for this row, and its host, which is shown; null of a file.
  secret bytea,
  secret_key_id text,
  host text,
  -- Compressed by gzip, and as it was called; null of an address.
  file bytea,
  file_name text,
  -- Who added it.
  created_by uuid,
  paused_at timestamptz,
  -- When it is read next, and by whom it is being read.
  next_at timestamptz not null default almanac_now(),
  lease_owner uuid,
  lease_until timestamptz,
  tried_at timestamptz,
  -- Of the last answer that was read: what the server is asked by. Its notes are those of that day in that timezone.
  etag text,
  last_modified text,
  read_day date,
  read_timezone text,
  fetched_at timestamptz,
  left_out integer not null default 0,
  unreadable integer not null default 0,
  failures integer not null default 0,
  failing_since timestamptz,
  failure_code text,
  failure_message text,
  -- That it has failed for a day was reported.
  reported_at timestamptz,
  created_at timestamptz not null default almanac_now(),
  check ((secret is null) <> (file is null)),
  check ((secret is null) = (secret_key_id is null)),
  check ((lease_owner is null) = (lease_until is null)),
  check ((failure_code is null) = (failing_since is null))
);
create index imported_calendars_social_set on imported_calendars (social_set_id, created_at, id);
create index imported_calendars_account on imported_calendars (account_id);
create index imported_calendars_due on imported_calendars (next_at) where paused_at is null;

-- Which note is of which event and day. A row without its note says that the note was deleted and does not come back.
create table imported_notes (
  calendar_id uuid not null references imported_calendars on delete cascade,
  -- A hash of the event's id, its occurrence and the number of the day in it.
  key bytea not null,
  -- Not a reference: the note may be deleted.
  note_id uuid not null,
  -- By the clock of the social set.
  day date not null,
  -- As they were imported: a note that differs was changed by someone.
  content text not null,
  hex_color text not null,
  primary key (calendar_id, key)
);

create table calendar_feeds (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  social_set_id uuid unique references social_sets on delete cascade,
  -- Not a reference: whether it is open is asked each time.
  shared_calendar_id uuid unique,
  token_hash bytea not null unique,
  created_by uuid,
  created_at timestamptz not null default almanac_now(),
  renewed_at timestamptz,
  last_read_at timestamptz,
  check ((social_set_id is null) <> (shared_calendar_id is null))
);
create index calendar_feeds_account on calendar_feeds (account_id);

create trigger imported_calendars_tell_inserts after insert on imported_calendars
  referencing new table as changed for each statement execute function almanac_tell_changes('imported-calendars');
create trigger imported_calendars_tell_updates after update on imported_calendars
  referencing new table as changed for each statement execute function almanac_tell_changes('imported-calendars');
create trigger imported_calendars_tell_deletes after delete on imported_calendars
  referencing old table as changed for each statement execute function almanac_tell_changes('imported-calendars');
create trigger imported_calendars_wake_insert after insert on imported_calendars
  for each statement execute function almanac_wake('calendars');
create trigger imported_calendars_wake_update after update of next_at, paused_at on imported_calendars
  for each row when (new.paused_at is null and new.lease_owner is null and new.next_at <= almanac_now())
  execute function almanac_wake('calendars');
