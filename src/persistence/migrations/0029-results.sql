-- A post that failed can be sent again: each sending is a delivery of its own, counted from 0. The result of a post is that of
-- its last delivery that has one (docs/decisions/0029).
alter table deliveries add column retry smallint not null default 0;
alter table deliveries drop constraint deliveries_post_id_content_version_key;
alter table deliveries add constraint deliveries_sending unique (post_id, content_version, retry);

-- Of one that failed: whether it is certain that nothing of the post is live. Null of what an earlier version ended: then only
-- what never had a fence is certain.
alter table deliveries add column surely_absent boolean;

-- Failed deliveries that no one has retried: what needs a person, and what is counted until it was seen. Written by the trigger
-- below, whoever ends a delivery; a retry takes its row away.
create table post_failures (
  delivery_id uuid primary key references deliveries on delete cascade,
  post_set_id uuid not null,
  -- Not a reference: publishing waits for no lock of a social set.
  social_set_id uuid not null,
  account_type text not null,
  -- Of the set, which keeps its time from its claim on.
  scheduled_at timestamptz not null,
  failed_at timestamptz not null
);
create index post_failures_page on post_failures (social_set_id, scheduled_at, post_set_id);
create index post_failures_unseen on post_failures (social_set_id, failed_at, post_set_id);
create index post_failures_set on post_failures (post_set_id);

insert into post_failures (delivery_id, post_set_id, social_set_id, account_type, scheduled_at, failed_at)
select deliveries.id, post_set.id, post_set.social_set_id, deliveries.account_type, post_set.scheduled_at,
  coalesce(deliveries.finished_at, deliveries.updated_at)
from deliveries join all_post_sets as post_set on post_set.id = deliveries.post_set_id
where deliveries.result ->> 'status' = 'FAILED';

create function almanac_note_failure() returns trigger language plpgsql as $$
begin
  insert into post_failures (delivery_id, post_set_id, social_set_id, account_type, scheduled_at, failed_at)
  select new.id, id, social_set_id, new.account_type, scheduled_at, coalesce(new.finished_at, almanac_now())
  from all_post_sets where id = new.post_set_id
  on conflict do nothing;
  return null;
end $$;
create trigger deliveries_note_failure after insert or update of result on deliveries
  for each row when (new.result ->> 'status' = 'FAILED') execute function almanac_note_failure();

create function almanac_tell_failure() returns trigger language plpgsql as $$
begin
  perform almanac_tell('results', account_id, social_set_id, id::text)
  from all_post_sets where id = coalesce(new.post_set_id, old.post_set_id);
  return null;
end $$;
create trigger post_failures_tell after insert or delete on post_failures
  for each row execute function almanac_tell_failure();

-- Up to when a member has seen what failed in a social set.
create table results_seen (
  user_id uuid not null references users on delete cascade,
  social_set_id uuid not null references social_sets on delete cascade,
  seen_at timestamptz not null,
  primary key (user_id, social_set_id)
);
