-- A thread that ended early needs a person as a post that failed does: it is listed beside these until it is continued or marked as done.
create trigger deliveries_note_end_of_thread after insert or update of state on deliveries
  for each row when (
    new.state = 'DONE' and new.result ->> 'status' = 'POSTED'
    and jsonb_path_exists(new.parts, '$[*] ? (@.ofThread == true && !(@.outcome == "live"))'))
  execute function almanac_note_failure();

-- Until all of it was found after all.
create function almanac_forget_end_of_thread() returns trigger language plpgsql as $$
begin
  delete from post_failures where delivery_id = new.id;
  return null;
end $$;
create trigger deliveries_forget_end_of_thread after update of parts on deliveries
  for each row when (
    new.state = 'DONE' and new.result ->> 'status' = 'POSTED'
    and jsonb_path_exists(old.parts, '$[*] ? (@.ofThread == true && !(@.outcome == "live"))')
    and not jsonb_path_exists(new.parts, '$[*] ? (@.ofThread == true && !(@.outcome == "live"))'))
  execute function almanac_forget_end_of_thread();

-- Those of the last sending of a post, as no one has continued them.
insert into post_failures (delivery_id, post_set_id, social_set_id, account_type, scheduled_at, failed_at)
select deliveries.id, post_set.id, post_set.social_set_id, deliveries.account_type, post_set.scheduled_at,
  coalesce(deliveries.finished_at, deliveries.updated_at)
from deliveries join all_post_sets as post_set on post_set.id = deliveries.post_set_id
where deliveries.state = 'DONE' and deliveries.result ->> 'status' = 'POSTED'
  and jsonb_path_exists(deliveries.parts, '$[*] ? (@.ofThread == true && !(@.outcome == "live"))')
  and not exists (
    select from deliveries later where later.post_id = deliveries.post_id
      and (later.content_version, later.retry) > (deliveries.content_version, deliveries.retry))
on conflict do nothing;
