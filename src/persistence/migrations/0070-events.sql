-- What happened, for programs that follow it (src/events/README.md). A row of `happened` is written in the transaction of the change, by
-- the triggers below and `addHappened`; a worker makes events with positions of it after the commit, and deletes it.
create table happened (
  sequence bigint primary key generated always as identity,
  account_id uuid not null,
  social_set_id uuid,
  at timestamptz not null default almanac_now(),
  what text not null,
  data jsonb not null
);

-- Without references and further indexes, which each event would pay for: the tick looks whether the account is there.
create table events (
  account_id uuid not null,
  position bigint not null,
  id uuid not null,
  type text not null,
  at timestamptz not null,
  social_set_id uuid,
  data jsonb not null,
  primary key (account_id, position)
);
create index events_old on events using brin (at);

-- The position of the newest event of an account, also when that is gone.
create table event_positions (
  account_id uuid primary key references accounts on delete cascade,
  newest bigint not null
);

-- Who did something, as events say it. A name of more than 40 bytes is cut: rows here are small.
create function almanac_event_actor(type text, id text, name text) returns jsonb language sql stable return
  jsonb_strip_nulls(jsonb_build_object('kind', type, 'keyId', case when type = 'API_KEY' then id end, 'name',
    case when octet_length(name) <= 40 then name when octet_length(left(name, 37)) = 37 then left(name, 37) || '…'
      else left(name, 9) || '…' end));

-- The state right after the change: behind the statement, of which parts may have written the set itself. For each row: of one row the plan is
-- that of a key, and most sets have no deliveries to look for.
create function almanac_note_history_happened() returns trigger language plpgsql as $$
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
      'actor', almanac_event_actor(new.actor_type, new.actor_id, new.actor_name)) || about));
  return null;
end $$;
create trigger history_happened after insert on history for each row execute function almanac_note_history_happened();

create function almanac_note_upload_happened() returns trigger language plpgsql as $$
begin
  insert into happened (account_id, social_set_id, what, data)
  values (new.account_id, new.social_set_id, case new.status when 'READY' then 'media_upload.ready' else 'media_upload.failed' end,
    jsonb_strip_nulls(jsonb_build_object('mediaUploadId', new.id, 'status', new.status, 'mediaId', new.media_id, 'error', new.error_code,
      'actor', case when new.begun_by is not null then almanac_event_actor(
        case when exists (select from api_keys where id = new.begun_by) then 'API_KEY' else 'USER' end,
        new.begun_by::text, coalesce(new.begun_by_name, '')) end)));
  return null;
end $$;
create trigger media_uploads_happened after update of status on media_uploads for each row
  when (new.status in ('READY', 'FAILED') and old.status is distinct from new.status)
  execute function almanac_note_upload_happened();

create function almanac_note_media_happened() returns trigger language plpgsql as $$
begin
  insert into happened (account_id, social_set_id, what, data)
  values (new.account_id, new.social_set_id, 'media.deleted', jsonb_build_object('mediaId', new.id));
  return null;
end $$;
create trigger media_items_happened after update of closed_at on media_items for each row
  when (old.closed_at is null and new.closed_at is not null) execute function almanac_note_media_happened();

create function almanac_note_connection_happened() returns trigger language plpgsql as $$
begin
  insert into happened (account_id, social_set_id, what, data)
  values (new.account_id, new.social_set_id,
    case when new.closed_at is not null then 'connection.closed' when new.status = 'CONNECTED' then 'connection.connected'
      else 'connection.reconnect_required' end,
    jsonb_build_object('connectionId', new.id, 'accountType', new.account_type, 'status', new.status));
  return null;
end $$;
create trigger connections_happened_insert after insert on connections for each row
  when (new.closed_at is null) execute function almanac_note_connection_happened();
create trigger connections_happened_update after update of status, closed_at on connections for each row
  when (old.closed_at is null and (new.closed_at is not null or new.status is distinct from old.status))
  execute function almanac_note_connection_happened();

create function almanac_note_ending_happened() returns trigger language plpgsql as $$
begin
  insert into happened (account_id, social_set_id, what, data)
  values (new.account_id, new.social_set_id, 'connection.expires_soon',
    jsonb_build_object('connectionId', new.connection_id, 'accountType', new.account_type));
  return null;
end $$;
create trigger news_happened after insert on news for each row
  when (new.kind = 'CONNECTION_ENDING' and new.connection_id is not null) execute function almanac_note_ending_happened();

create function almanac_note_hold_happened() returns trigger language plpgsql as $$
begin
  insert into happened (account_id, social_set_id, what, data)
  values (new.account_id, new.social_set_id,
    case when new.connection_id is not null then 'connection' when new.social_set_id is not null then 'social_set' else 'account' end
      || case when new.released_at is null then '.held' else '.released' end,
    jsonb_strip_nulls(jsonb_build_object('holdId', new.id, 'connectionId', new.connection_id, 'actor',
      case when new.released_at is null then almanac_event_actor(new.held_by_type, new.held_by_id, new.held_by_name)
        when new.released_by_type is not null
          then almanac_event_actor(new.released_by_type, new.released_by_id, coalesce(new.released_by_name, '')) end)));
  return null;
end $$;
create trigger holds_happened_insert after insert on holds for each row execute function almanac_note_hold_happened();
create trigger holds_happened_update after update of released_at on holds for each row
  when (old.released_at is null and new.released_at is not null) execute function almanac_note_hold_happened();
