-- What a key is that was made for an agent (src/mcp/README.md): whether it asks people to schedule, and what it may bring a day (UTC). A key
-- of a program has neither.
alter table api_keys
  add column asks boolean not null default false,
  add column daily_post_sets integer,
  add column daily_upload_bytes bigint,
  add constraint api_keys_agent check (
    (daily_post_sets is null) = (daily_upload_bytes is null) and (daily_post_sets is not null or not asks)
  );

-- What such a key has brought on the last day on which it brought anything.
create table key_usage (
  api_key_id uuid primary key references api_keys on delete cascade,
  day date not null,
  post_sets integer not null default 0,
  upload_bytes bigint not null default 0
);

-- The last calls of tools by each key.
create table key_calls (
  id bigint primary key generated always as identity,
  api_key_id uuid not null references api_keys on delete cascade,
  at timestamptz not null default almanac_now(),
  tool text not null,
  problem text
);
create index key_calls_of_key on key_calls (api_key_id, id);

-- Notes and files that an agent brought, as post sets say it.
alter table media_uploads add column by_agent boolean not null default false;
alter table media_items add column brought_by_agent text;
alter table all_notes add column made_by_agent text;
create or replace view notes as
  select id, account_id, social_set_id, type, source, content, hex_color, scheduled_at, series_id, created_at, updated_at, made_by_agent
  from all_notes where removed_at is null;

create function almanac_event_actor(type text, id text, name text, by_agent boolean) returns jsonb language sql stable return
  almanac_event_actor(type, id, name) || case when by_agent then jsonb_build_object('agent', true) else '{}'::jsonb end;

create or replace function almanac_note_history_happened() returns trigger language plpgsql as $$
declare
  post_set record;
  about jsonb := '{}';
begin
  select social_set_id, status, to_char(scheduled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as scheduled_at, approval, version,
    content_version, (
      select jsonb_agg(case when status in ('DRAFT', 'SCHEDULED')
        then jsonb_build_object('id', post.id, 'accountType', post.account_type)
        else jsonb_strip_nulls(jsonb_build_object('id', post.id, 'accountType', post.account_type, 'result', (
          select deliveries.result ->> 'status' from deliveries
          where deliveries.post_id = post.id and deliveries.content_version = all_post_sets.content_version
          order by retry desc limit 1))) end order by post.position)
      from posts as post where post.post_set_id = all_post_sets.id) as posts
  into post_set from all_post_sets where id = new.post_set_id;
  if new.action in ('post published', 'post failed') then
    about := jsonb_build_object('postId', new.changes ->> 'postId', 'accountType', new.changes ->> 'accountType',
      'result', new.changes #>> '{result,status}', 'attempt', (
        select max(retry) + 1 from deliveries
        where deliveries.post_id = (new.changes ->> 'postId')::uuid and content_version = post_set.content_version));
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

create or replace function almanac_note_upload_happened() returns trigger language plpgsql as $$
begin
  insert into happened (account_id, social_set_id, what, data)
  values (new.account_id, new.social_set_id, case new.status when 'READY' then 'media_upload.ready' else 'media_upload.failed' end,
    jsonb_strip_nulls(jsonb_build_object('mediaUploadId', new.id, 'status', new.status, 'mediaId', new.media_id, 'error', new.error_code,
      'actor', case when new.begun_by is not null then almanac_event_actor(
        case when exists (select from api_keys where id = new.begun_by) then 'API_KEY' else 'USER' end,
        new.begun_by::text, coalesce(new.begun_by_name, ''), new.by_agent) end)));
  return null;
end $$;
