-- A start that waits for a person: this installation may be a copy of one that runs, or older than what it has done. The open
-- row keeps every process silent; the others are the record.
create table held_starts (
  id uuid primary key,
  -- COPY: it was noticed. ASKED: ALMANAC_START_HELD was set.
  why text not null check (why in ('COPY', 'ASKED')),
  -- What was noticed, as sentences for the operator.
  signs jsonb not null default '[]',
  -- When what this is a copy of was last known to run.
  last_ran_at timestamptz,
  held_at timestamptz not null default almanac_now(),
  mailed_at timestamptz,
  ended_at timestamptz,
  ended_by text,
  -- What became of the posts that were due meanwhile.
  late text check (late in ('PUBLISH', 'PARK')),
  check ((ended_at is null) = (ended_by is null) and (ended_at is null) = (late is null))
);
create unique index held_starts_open on held_starts ((true)) where ended_at is null;
