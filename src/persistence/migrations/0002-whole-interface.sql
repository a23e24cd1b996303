-- A repeat rule that was carried out: post sets or notes that came of it name it.
create table series (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  social_set_id uuid not null references social_sets,
  repeat_interval text not null check (repeat_interval in ('DAY', 'WEEK', 'MONTH', 'YEAR')),
  occurrences integer not null,
  created_at timestamptz not null default almanac_now()
);

alter table post_sets add column series_id uuid references series;
-- The set that was repeated: it answers the rule.
alter table post_sets add column starts_series boolean not null default false;
create index post_sets_series on post_sets (series_id) where series_id is not null;

-- Reminders pinned to a time on the calendar of a social set.
create table notes (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  social_set_id uuid not null references social_sets,
  type text not null check (type in ('ONE_TIME', 'RECURRING')),
  source text not null check (source in ('APP', 'SHARED_CALENDAR', 'GOOGLE_IMPORT')),
  content text not null,
  hex_color text not null,
  scheduled_at timestamptz not null,
  series_id uuid references series,
  created_at timestamptz not null default almanac_now(),
  updated_at timestamptz not null default almanac_now()
);
create index notes_calendar on notes (social_set_id, scheduled_at, id);
create index notes_series on notes (series_id) where series_id is not null;

-- What an account has used of its plan in a calendar month (UTC). Never lowered.
create table account_usage (
  account_id uuid not null references accounts on delete cascade,
  month date not null,
  post_sets integer not null default 0,
  upload_bytes bigint not null default 0,
  primary key (account_id, month)
);
insert into account_usage (account_id, month, post_sets, upload_bytes)
select account_id, date_trunc('month', almanac_now() at time zone 'UTC')::date, sum(sets), sum(bytes)
from (
  select account_id, 1 as sets, 0 as bytes, created_at from post_sets
  union all select account_id, 0, bytes, created_at from media_items
) as used
where created_at at time zone 'UTC' >= date_trunc('month', almanac_now() at time zone 'UTC')
group by account_id;
create index media_items_storage on media_items (account_id) include (bytes) where closed_at is null;

-- The second that somebody's requests are counted in. Worth nothing after it: not logged, lost in a crash.
create unlogged table rate_windows (
  subject text primary key,
  started_at timestamptz not null,
  used integer not null
);

-- Search of captions looks within one social set.
-- No reference of its own: it goes with the set.
alter table posts add column social_set_id uuid;
update posts set social_set_id = post_set.social_set_id from post_sets as post_set where post_set.id = post_set_id;
alter table posts alter column social_set_id set not null;
