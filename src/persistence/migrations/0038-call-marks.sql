-- When a visible call whose outcome is not known is over, by the clocks of the machine that wrote this: so that the proof of its absence is
-- counted on by the next process (src/publishing/README.md, "Marks of calls"). In a table of its own: a write to the delivery's row would
-- say that its lease has moved. Without a reference to the delivery, whose row the check of it would lock.
create table call_marks (
  delivery_id uuid not null,
  -- The fence of the call: of another one this says nothing.
  fenced_at timestamptz not null,
  -- The clocks below are those of this boot of a machine, in milliseconds.
  boot_id text not null,
  -- It is over then at the latest, by the monotonic clock.
  over_at double precision not null,
  -- For so long it could go on when this was written; 0: it was over.
  lasts_ms double precision not null check (lasts_ms >= 0),
  -- It had not begun then, by the clock that also runs while the machine is suspended. Null: not known.
  begun_at double precision,
  primary key (delivery_id, fenced_at, boot_id)
);
