-- A post that a network has put into the inbox of its account, where its creator finishes it (src/publishing/README.md, "Inboxes"): the id
-- by which the network can be asked, and how often it was. Null: it does not wait there.
alter table deliveries add column inbox_id text, add column inbox_looks smallint;

-- The few that are waiting.
create index deliveries_in_inbox on deliveries (finished_at) where inbox_id is not null;
-- Those that no one may count as published, for the lists of results.
create index deliveries_of_inbox on deliveries (account_id, post_set_id) where result ->> 'delivery' is not null;

create or replace function almanac_note_history_happened() returns trigger language plpgsql as $$
declare
  post_set record;
  about jsonb := '{}';
begin
  select social_set_id, status, to_char(scheduled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as scheduled_at, approval, version,
    content_version, (
      select jsonb_agg(case when status in ('DRAFT', 'SCHEDULED')
        then jsonb_build_object('id', post.id, 'accountType', post.account_type)
        else jsonb_strip_nulls(jsonb_build_object('id', post.id, 'accountType', post.account_type, 'result', last.result ->> 'status',
          'delivery', last.result ->> 'delivery')) end order by post.position)
      from posts as post left join lateral (
        select result from deliveries
        where deliveries.post_id = post.id and deliveries.content_version = all_post_sets.content_version
        order by retry desc limit 1) as last on true
      where post.post_set_id = all_post_sets.id) as posts
  into post_set from all_post_sets where id = new.post_set_id;
  if new.action in ('post published', 'post failed', 'post delivered', 'post not finished') then
    about := jsonb_build_object('postId', new.changes ->> 'postId', 'accountType', new.changes ->> 'accountType',
      'result', new.changes #>> '{result,status}', 'delivery', new.changes #>> '{result,delivery}', 'attempt', (
        select max(retry) + 1 from deliveries
        where deliveries.post_id = (new.changes ->> 'postId')::uuid and content_version = post_set.content_version));
    if about -> 'delivery' = 'null' then about := about - 'delivery'; end if;
  elsif new.action = 'deleted' and post_set.status is null then
    about := jsonb_build_object('status', new.changes ->> 'status', 'scheduledAt', new.changes ->> 'scheduledAt');
  elsif new.action not in ('created', 'deleted', 'restored', 'publishing', 'published') then
    about := jsonb_build_object('changed', (
      select jsonb_agg(name) from jsonb_object_keys(coalesce(new.outline, new.changes)) as name
      where name in ('scheduledAt', 'status', 'approval', 'externalId', 'posts', 'seriesId', 'timezone')));
  end if;
  insert into happened (account_id, social_set_id, at, what, data)
  values (new.account_id,
    coalesce(post_set.social_set_id, case when new.action = 'deleted' then (new.changes ->> 'socialSetId')::uuid end),
    new.at, new.action, jsonb_strip_nulls(jsonb_build_object('postSetId', new.post_set_id, 'status', post_set.status,
      'scheduledAt', post_set.scheduled_at,
      'approval', post_set.approval, 'version', post_set.version, 'posts', post_set.posts,
      'actor', almanac_event_actor(new.actor_type, new.actor_id, new.actor_name, new.by_agent)) || about));
  return null;
end $$;
