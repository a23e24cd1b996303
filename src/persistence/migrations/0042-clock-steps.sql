-- The last time of the database's clock that a worker has believed, and when that was by the steady clock of its machine: what a
-- worker that starts compares the clock with (src/publishing/README.md, "The database's clock").
alter table heartbeat
  add column clock_seen_at timestamptz,
  add column clock_boot text,
  add column clock_boottime_ms double precision,
  -- Up to here a clock that has jumped ahead is believed: by the operator's word, or that of a witness.
  add column clock_believed_at timestamptz;

-- When a pause was written: what a clock has written that was set back since gives itself away.
alter table network_identities add column paused_at timestamptz;
alter table lanes add column paused_at timestamptz;
