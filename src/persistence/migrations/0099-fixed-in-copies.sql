-- The draft in which a post that failed is fixed: once its post on the same network is live, nothing has to be done about the failure.
alter table post_failures add column copy_id uuid;
create index post_failures_copies on post_failures (copy_id) where copy_id is not null;

create function almanac_note_fixed() returns trigger language plpgsql as $$
begin
  update post_failures set done_at = almanac_now()
  where copy_id = new.post_set_id and account_type = new.account_type and done_at is null;
  return null;
end $$;
create trigger deliveries_note_fixed after insert or update of state on deliveries
  for each row when (new.state = 'DONE' and new.result ->> 'status' = 'POSTED') execute function almanac_note_fixed();

-- Open screens of results hear of it.
drop trigger post_failures_tell_done on post_failures;
create trigger post_failures_tell_done after update of done_at, copy_id on post_failures
  for each row execute function almanac_tell_failure();
