-- Links of an account for people outside of it. src/operations/shared-calendars/README.md has the states.
create table shared_calendars (
  -- Also in the address that guests see.
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  name text not null,
  social_set_ids uuid[] not null check (cardinality(social_set_ids) > 0),
  -- SHA-256 of what is in the address that was given out.
  token_hash bytea not null unique,
  passcode_hash text,
  -- What waits for the client is shown by every one.
  shows_scheduled boolean not null,
  shows_drafts boolean not null,
  shows_published boolean not null,
  allows_comment boolean not null,
  allows_decide boolean not null,
  allows_notes boolean not null,
  last_day date,
  -- The end of that day, where it ends last of all brands.
  expires_at timestamptz,
  created_by uuid references users on delete set null,
  created_by_name text not null,
  created_at timestamptz not null default almanac_now(),
  renewed_at timestamptz,
  closed_at timestamptz
);
create index shared_calendars_account on shared_calendars (account_id);
create index shared_calendars_creator on shared_calendars (created_by) where created_by is not null;
create index shared_calendars_closed on shared_calendars (closed_at) where closed_at is not null;

-- Who came by a link. Nothing of the address that they came from is kept.
create table shared_guests (
  id uuid primary key,
  shared_calendar_id uuid not null references shared_calendars on delete cascade,
  -- Null: not given yet.
  name text,
  -- As `Safari on iPhone`.
  device text not null,
  -- Where news go; confirmed by a link.
  email text,
  locale text,
  created_at timestamptz not null default almanac_now(),
  first_look_at timestamptz,
  last_look_at timestamptz,
  looks integer not null default 0
);
create index shared_guests_calendar on shared_guests (shared_calendar_id, last_look_at);
create index shared_guests_silent on shared_guests (created_at) where last_look_at is null;

-- Browsers of guests, by the SHA-256 of their cookie.
create table shared_visits (
  token_hash bytea primary key,
  guest_id uuid not null references shared_guests on delete cascade,
  expires_at timestamptz not null
);
create index shared_visits_guest on shared_visits (guest_id);
create index shared_visits_end on shared_visits (expires_at);

-- Secrets of mails to guests, and of members who want to see what guests see, by their SHA-256.
create table shared_keys (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('enter', 'confirm')),
  shared_calendar_id uuid not null references shared_calendars on delete cascade,
  -- Null: of a member, who becomes a new guest.
  guest_id uuid references shared_guests on delete cascade,
  -- The address that is confirmed.
  email text,
  expires_at timestamptz not null
);
create index shared_keys_calendar on shared_keys (shared_calendar_id);
create index shared_keys_guest on shared_keys (guest_id);
create index shared_keys_end on shared_keys (expires_at);

-- Which version of a post set a guest has seen last, and what of it guests see change.
create table shared_seen (
  guest_id uuid not null references shared_guests on delete cascade,
  post_set_id uuid not null references all_post_sets on delete cascade,
  version integer not null,
  content_version integer not null,
  scheduled_at timestamptz not null,
  primary key (guest_id, post_set_id)
);
create index shared_seen_post_set on shared_seen (post_set_id);

-- The last decision of a link's guests about a post set. It is shown while the content is the same.
create table shared_decisions (
  shared_calendar_id uuid not null references shared_calendars on delete cascade,
  post_set_id uuid not null references all_post_sets on delete cascade,
  guest_id uuid references shared_guests on delete set null,
  guest_name text not null,
  -- As the approval of the post set is called then.
  approval text not null check (approval in ('APPROVED', 'DENIED')),
  message text,
  content_version integer not null,
  decided_at timestamptz not null default almanac_now(),
  primary key (shared_calendar_id, post_set_id)
);
create index shared_decisions_post_set on shared_decisions (post_set_id);
create index shared_decisions_guest on shared_decisions (guest_id) where guest_id is not null;

-- By whom notes were added through a link.
create table shared_notes (
  note_id uuid primary key references all_notes on delete cascade,
  shared_calendar_id uuid not null references shared_calendars on delete cascade,
  guest_id uuid references shared_guests on delete set null,
  guest_name text not null
);
create index shared_notes_calendar on shared_notes (shared_calendar_id);
create index shared_notes_guest on shared_notes (guest_id) where guest_id is not null;
