-- One row, changed by every process that is asked whether the database takes writes. Room on its page keeps the change there.
create table heartbeat (
  only_row boolean primary key default true check (only_row),
  beaten_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);
insert into heartbeat default values;
