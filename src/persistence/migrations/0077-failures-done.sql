-- When a person said that nothing has to be done about a failure any more: it waits for nobody then, and is not counted. A retry takes
-- its row away, so that what fails again waits again. Who it was is in history.
alter table post_failures add column done_at timestamptz;

create trigger post_failures_tell_done after update of done_at on post_failures
  for each row execute function almanac_tell_failure();
