-- The name that a program gives to a post set, once per social set among those that are on the calendar.
alter table all_post_sets add column external_id text;
create unique index post_sets_external_id on all_post_sets (social_set_id, external_id)
  where external_id is not null and removed_at is null;
create or replace view post_sets as
  select id, account_id, social_set_id, scheduled_at, schedule_requested_at, status, approval, locked_at, locked_by, version,
    content_version, claimed_at, published_at, created_at, updated_at, series_id, starts_series, search_text, external_id
  from all_post_sets where removed_at is null;
