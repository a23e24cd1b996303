-- Whether the statement that wrote this row has written its row of `happened` too, because it knew the state right after the change.
alter table history add column event_written boolean not null default false;
drop trigger history_happened on history;
create trigger history_happened after insert on history for each row when (not new.event_written)
  execute function almanac_note_history_happened();
