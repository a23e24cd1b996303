-- What the migrations make. Written by the schema test (npm test -- src/persistence/schema -u); not run by anything.

CREATE OR REPLACE FUNCTION public.almanac_changes_content(action text, changes jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select action = 'created' or changes ? 'posts' or changes ? 'repeat'
$function$;

CREATE OR REPLACE FUNCTION public.almanac_content_changed(post_set uuid)
 RETURNS TABLE(sequence bigint, user_id text)
 LANGUAGE sql
 STABLE ROWS 1
AS $function$
  select history.sequence, case when actor_type = 'USER' then actor_id end
  from history where post_set_id = post_set and almanac_changes_content(action, coalesce(outline, changes))
  order by history.sequence desc limit 1
$function$;

CREATE OR REPLACE FUNCTION public.almanac_cover_ms(fields jsonb)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when fields ->> 'type' = 'STORY' then null
    when jsonb_typeof(fields -> 'videoCoverImage') = 'number'
      then floor(least((fields -> 'videoCoverImage')::numeric, 86400) * 1000)::integer
    when jsonb_typeof(fields -> 'videoCoverImageSeconds') = 'number'
      then floor(least((fields -> 'videoCoverImageSeconds')::numeric, 86400) * 1000)::integer
    when jsonb_typeof(fields #> '{options,coverMilliseconds}') = 'number'
      then floor(least((fields #> '{options,coverMilliseconds}')::numeric, 86400000))::integer
  end
$function$;

CREATE OR REPLACE FUNCTION public.almanac_event_actor(type text, id text, name text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN jsonb_strip_nulls(jsonb_build_object('kind', type, 'keyId', CASE WHEN (type = 'API_KEY'::text) THEN id ELSE NULL::text END, 'name', CASE WHEN (octet_length(name) <= 40) THEN name WHEN (octet_length("left"(name, 37)) = 37) THEN ("left"(name, 37) || '…'::text) ELSE ("left"(name, 9) || '…'::text) END));

CREATE OR REPLACE FUNCTION public.almanac_event_actor(type text, id text, name text, by_agent boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN (almanac_event_actor(type, id, name) || CASE WHEN by_agent THEN jsonb_build_object('agent', true) ELSE '{}'::jsonb END);

CREATE OR REPLACE FUNCTION public.almanac_forget_end_of_thread()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from post_failures where delivery_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_history_outline(changes jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when jsonb_typeof(changes #> '{posts,changed}') = 'array' then
    jsonb_set(changes, '{posts,changed}', (
      select coalesce(jsonb_agg(
        case when jsonb_typeof(post -> 'fields') = 'object' then
          post || jsonb_build_object('fields', '{}'::jsonb, 'names', (
            select coalesce(jsonb_agg(name order by name), '[]'::jsonb) from (
              select jsonb_object_keys(post -> 'fields') union
              select jsonb_array_elements_text(case when jsonb_typeof(post -> 'names') = 'array' then post -> 'names' end)
            ) as named (name)))
        else post end
        order by place), '[]'::jsonb)
      from jsonb_array_elements(changes #> '{posts,changed}') with ordinality as changed (post, place)))
  else changes end
$function$;

CREATE OR REPLACE FUNCTION public.almanac_into_lane()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select account_id, greatest(scheduled_at, schedule_requested_at) into new.account_id, new.due_at
  from all_post_sets where id = new.post_set_id;
  new.lane := almanac_lane(new.account_type);
  new.place := 'WAITING';
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_lane(account_type text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE account_type WHEN 'TWITTER'::text THEN 'x'::text WHEN 'LINKEDIN_PAGE'::text THEN 'linkedin'::text WHEN 'LINKEDIN_PERSONAL'::text THEN 'linkedin'::text WHEN 'GMB'::text THEN 'google-business'::text ELSE lower(account_type) END;

CREATE OR REPLACE FUNCTION public.almanac_news_of_alert(alert alerts)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into news (id, account_id, social_set_id, kind, subject, account_type, connection_id, post_set_id, post_id, facts,
    created_at, addressed_at)
  values (alert.id, alert.account_id, alert.social_set_id, alert.kind,
    case when alert.kind = 'CONNECTION_DEAD' then concat_ws(' ', 'connection', alert.connection_id)
      when alert.reason = 'ACCOUNT_CONNECTION_EXPIRED' then concat_ws(' ', 'expired', alert.social_set_id, alert.account_type)
      else concat_ws(' ', 'post', alert.social_set_id, alert.account_type, alert.reason) end,
    alert.account_type, alert.connection_id, alert.post_set_id, alert.post_id,
    jsonb_build_object('reason', alert.reason, 'message', alert.message), alert.created_at, alert.addressed_at)
$function$;

CREATE OR REPLACE FUNCTION public.almanac_note_connection_happened()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into happened (account_id, social_set_id, what, data)
  values (new.account_id, new.social_set_id,
    case when new.closed_at is not null then 'connection.closed' when new.status = 'CONNECTED' then 'connection.connected'
      else 'connection.reconnect_required' end,
    jsonb_build_object('connectionId', new.id, 'accountType', new.account_type, 'status', new.status));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_note_content_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update review_requests
  set content_sequence = new.sequence, content_by = case when new.actor_type = 'USER' then new.actor_id end
  where post_set_id = new.post_set_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_note_ending_happened()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into happened (account_id, social_set_id, what, data)
  values (new.account_id, new.social_set_id, 'connection.expires_soon',
    jsonb_build_object('connectionId', new.connection_id, 'accountType', new.account_type));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_note_failure()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into post_failures (delivery_id, post_set_id, social_set_id, account_type, scheduled_at, failed_at)
  select new.id, id, social_set_id, new.account_type, scheduled_at, coalesce(new.finished_at, almanac_now())
  from all_post_sets where id = new.post_set_id
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_note_fixed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update post_failures set done_at = almanac_now()
  where copy_id = new.post_set_id and account_type = new.account_type and done_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_note_history_happened()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_note_hold_happened()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_note_media_happened()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into happened (account_id, social_set_id, what, data)
  values (new.account_id, new.social_set_id, 'media.deleted', jsonb_build_object('mediaId', new.id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_note_purged()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into purged_post_sets (id) select id from gone on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_note_review_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into review_requests
    (post_set_id, sequence, asked_at, asked_by_type, asked_by_id, asked_by_name, author_id, content_sequence, content_by)
  select new.post_set_id, new.sequence, new.at, new.actor_type, new.actor_id, new.actor_name,
    case when first.actor_type = 'USER' then first.actor_id end, content.sequence, content.user_id
  from (select actor_type, actor_id from history where post_set_id = new.post_set_id order by sequence limit 1) as first
    left join almanac_content_changed(new.post_set_id) as content on true
  where exists (select from all_post_sets where id = new.post_set_id)
  on conflict (post_set_id) do update set sequence = excluded.sequence, asked_at = excluded.asked_at,
    asked_by_type = excluded.asked_by_type, asked_by_id = excluded.asked_by_id, asked_by_name = excluded.asked_by_name,
    author_id = excluded.author_id, content_sequence = excluded.content_sequence, content_by = excluded.content_by;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_note_upload_happened()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into happened (account_id, social_set_id, what, data)
  values (new.account_id, new.social_set_id, case new.status when 'READY' then 'media_upload.ready' else 'media_upload.failed' end,
    jsonb_strip_nulls(jsonb_build_object('mediaUploadId', new.id, 'status', new.status, 'mediaId', new.media_id, 'error', new.error_code,
      'actor', case when new.begun_by is not null then almanac_event_actor(
        case when exists (select from api_keys where id = new.begun_by) then 'API_KEY' else 'USER' end,
        new.begun_by::text, coalesce(new.begun_by_name, ''), new.by_agent) end)));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN date_trunc('milliseconds'::text, clock_timestamp());

CREATE OR REPLACE FUNCTION public.almanac_outline_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.outline := almanac_history_outline(new.changes);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.almanac_take_alert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform almanac_news_of_alert(new);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_tell(kind text, account uuid, social_set uuid, ids text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from watched_social_sets
    where watched_social_sets.social_set_id = social_set and watched_until > clock_timestamp()
  ) then
    perform pg_notify('almanac_changes', concat_ws(' ', kind, account, social_set, ids));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_tell_bell()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform almanac_tell('news', account_id, user_id, string_agg(id::text, ','))
  from changed group by account_id, user_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_tell_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform almanac_tell(tg_argv[0], account_id, social_set_id, ids)
  from (
    select account_id, social_set_id, case when count(*) <= 100 then string_agg(id::text, ',' order by id) end as ids
    from changed group by account_id, social_set_id
  ) as told;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_tell_comment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform almanac_tell(
    'comments', coalesce(new.account_id, old.account_id), coalesce(new.social_set_id, old.social_set_id),
    coalesce(new.post_set_id, old.post_set_id)::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_tell_cover()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform almanac_tell('post-sets', account_id, social_set_id, null) from media_items where id = new.media_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_tell_deletes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform almanac_tell(tg_argv[0], account_id, social_set_id, ids)
  from (
    select account_id, social_set_id, case when count(*) <= 100 then string_agg(id::text, ',' order by id) end as ids
    from changed where removed_at is null group by account_id, social_set_id
  ) as told;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_tell_failure()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform almanac_tell('results', account_id, social_set_id, id::text)
  from all_post_sets where id = coalesce(new.post_set_id, old.post_set_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_tell_hold()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform almanac_tell('social-sets', new.account_id, social_sets.id, social_sets.id::text)
  from social_sets
  where social_sets.account_id = new.account_id
    and (new.social_set_id is null or social_sets.id = new.social_set_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_tell_media()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform almanac_tell('media', new.account_id, new.social_set_id, new.id::text);
  if tg_op = 'UPDATE' and new.thumbnail_key is distinct from old.thumbnail_key then
    perform almanac_tell('post-sets', new.account_id, new.social_set_id, null);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_tell_network_apps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('almanac_network_apps', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_tell_presence()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.post_set_id is not null then
    perform almanac_tell('presence', old.account_id, old.social_set_id, old.post_set_id::text);
  end if;
  if new.post_set_id is not null and new.post_set_id is distinct from old.post_set_id then
    perform almanac_tell('presence', new.account_id, new.social_set_id, new.post_set_id::text);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_tell_result()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform almanac_tell('post-sets', account_id, social_set_id, id::text)
  from post_sets where id = new.post_set_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_tell_social_set()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform almanac_tell('social-sets', new.account_id, new.id, new.id::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_wake()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('almanac_wake', tg_argv[0]);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.almanac_want_cover()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  video uuid := (
    select used.media_id from post_media used join media_items item on item.id = used.media_id
    where used.post_id = new.id and item.facts ->> 'type' = 'VIDEO' order by used.position limit 1);
begin
  if video is null then
    return null;
  end if;
  if (select count(*) from media_covers where media_id = video) >= 20 then
    delete from media_covers where media_id = video and at_ms in (
      select at_ms from media_covers cover
      where media_id = video and state is null and not exists (
        select from post_media used join posts post on post.id = used.post_id
        where used.media_id = video and almanac_cover_ms(post.fields) = cover.at_ms)
      order by at_ms for update skip locked);
  end if;
  insert into media_covers (media_id, at_ms) select video, almanac_cover_ms(new.fields)
  where (select count(*) from media_covers where media_id = video) < 20
  on conflict do nothing;
  return null;
end $function$;

create table account_usage (
  account_id uuid not null,
  month date not null,
  post_sets integer not null default 0,
  upload_bytes bigint not null default 0,
  constraint account_usage_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_usage_pkey PRIMARY KEY (account_id, month)
);

create table account_usage_parts (
  account_id uuid not null,
  month date not null,
  part smallint not null,
  post_sets integer not null,
  constraint account_usage_parts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_usage_parts_pkey PRIMARY KEY (account_id, month, part)
);

create table accounts (
  id uuid not null,
  name text not null,
  slug text not null,
  logo text,
  metadata text,
  plan text not null,
  created_at timestamp with time zone not null default almanac_now(),
  updated_at timestamp with time zone not null default almanac_now(),
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_slug_key UNIQUE (slug)
);

create table alert_sends (
  id uuid not null,
  alert_id uuid not null,
  user_id uuid,
  state text not null default 'WAITING'::text,
  attempts integer not null default 0,
  next_at timestamp with time zone not null,
  error text,
  ended_at timestamp with time zone,
  constraint alert_sends_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES alerts(id) ON DELETE CASCADE,
  constraint alert_sends_pkey PRIMARY KEY (id),
  constraint alert_sends_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'SENT'::text, 'GIVEN_UP'::text]))),
  constraint alert_sends_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX alert_sends_alert ON public.alert_sends USING btree (alert_id);
CREATE INDEX alert_sends_mail ON public.alert_sends USING btree (next_at, alert_id) WHERE ((state = 'WAITING'::text) AND (user_id IS NOT NULL));
CREATE INDEX alert_sends_person ON public.alert_sends USING btree (user_id, ended_at) WHERE (user_id IS NOT NULL);
CREATE INDEX alert_sends_receiver ON public.alert_sends USING btree (next_at, alert_id) WHERE ((state = 'WAITING'::text) AND (user_id IS NULL));

create table alerts (
  id uuid not null,
  account_id uuid not null,
  social_set_id uuid not null,
  kind text not null,
  account_type text not null,
  connection_id uuid,
  post_set_id uuid,
  post_id uuid,
  reason text not null,
  message text not null,
  created_at timestamp with time zone not null default almanac_now(),
  addressed_at timestamp with time zone,
  constraint alerts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint alerts_kind_check CHECK ((kind = ANY (ARRAY['POST_FAILED'::text, 'POST_UNKNOWN'::text, 'CONNECTION_DEAD'::text]))),
  constraint alerts_pkey PRIMARY KEY (id)
);
CREATE INDEX alerts_age ON public.alerts USING btree (created_at);
CREATE INDEX alerts_new ON public.alerts USING btree (created_at) WHERE (addressed_at IS NULL);

create table all_notes (
  id uuid not null,
  account_id uuid not null,
  social_set_id uuid not null,
  type text not null,
  source text not null,
  content text not null,
  hex_color text not null,
  scheduled_at timestamp with time zone not null,
  series_id uuid,
  created_at timestamp with time zone not null default almanac_now(),
  updated_at timestamp with time zone not null default almanac_now(),
  removed_at timestamp with time zone,
  removed_by uuid,
  made_by_agent text,
  constraint notes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint notes_pkey PRIMARY KEY (id),
  constraint notes_series_id_fkey FOREIGN KEY (series_id) REFERENCES series(id),
  constraint notes_social_set_id_fkey FOREIGN KEY (social_set_id) REFERENCES social_sets(id),
  constraint notes_source_check CHECK ((source = ANY (ARRAY['APP'::text, 'SHARED_CALENDAR'::text, 'GOOGLE_IMPORT'::text]))),
  constraint notes_type_check CHECK ((type = ANY (ARRAY['ONE_TIME'::text, 'RECURRING'::text])))
);
CREATE INDEX notes_calendar ON public.all_notes USING btree (social_set_id, scheduled_at, id) WHERE (removed_at IS NULL);
CREATE INDEX notes_removed ON public.all_notes USING btree (removed_at) WHERE (removed_at IS NOT NULL);
CREATE INDEX notes_series ON public.all_notes USING btree (series_id) WHERE (series_id IS NOT NULL);

create table all_post_sets (
  id uuid not null,
  account_id uuid not null,
  social_set_id uuid not null,
  scheduled_at timestamp with time zone not null,
  schedule_requested_at timestamp with time zone not null default almanac_now(),
  status text not null,
  approval text not null,
  locked_at timestamp with time zone,
  locked_by text,
  version integer not null default 1,
  content_version integer not null default 1,
  claimed_at timestamp with time zone,
  published_at timestamp with time zone,
  created_at timestamp with time zone not null default almanac_now(),
  updated_at timestamp with time zone not null default almanac_now(),
  series_id uuid,
  starts_series boolean not null default false,
  search_text text not null default ''::text,
  removed_at timestamp with time zone,
  removed_by uuid,
  removed_connections jsonb,
  external_id text,
  constraint post_sets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint post_sets_approval_check CHECK ((approval = ANY (ARRAY['NONE'::text, 'PENDING'::text, 'EXTERNAL_PENDING'::text, 'APPROVED'::text, 'DENIED'::text]))),
  constraint post_sets_pkey PRIMARY KEY (id),
  constraint post_sets_removed_status CHECK (((removed_at IS NULL) OR (status = ANY (ARRAY['DRAFT'::text, 'SCHEDULED'::text])))),
  constraint post_sets_series_id_fkey FOREIGN KEY (series_id) REFERENCES series(id),
  constraint post_sets_social_set_id_fkey FOREIGN KEY (social_set_id) REFERENCES social_sets(id),
  constraint post_sets_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'SCHEDULED'::text, 'PUBLISHING'::text, 'PUBLISHED'::text])))
);
CREATE INDEX post_sets_awaiting ON public.all_post_sets USING btree (social_set_id, scheduled_at, id) WHERE ((approval = ANY (ARRAY['PENDING'::text, 'EXTERNAL_PENDING'::text])) AND (status = ANY (ARRAY['DRAFT'::text, 'SCHEDULED'::text])) AND (removed_at IS NULL));
CREATE INDEX post_sets_calendar ON public.all_post_sets USING btree (social_set_id, scheduled_at, id, status, approval) WHERE (removed_at IS NULL);
CREATE INDEX post_sets_created ON public.all_post_sets USING btree (social_set_id, created_at, id, status, approval) WHERE (removed_at IS NULL);
CREATE INDEX post_sets_due ON public.all_post_sets USING btree (scheduled_at) WHERE ((status = 'SCHEDULED'::text) AND (removed_at IS NULL));
CREATE UNIQUE INDEX post_sets_external_id ON public.all_post_sets USING btree (social_set_id, external_id) WHERE ((external_id IS NOT NULL) AND (removed_at IS NULL));
CREATE INDEX post_sets_reminded ON public.all_post_sets USING btree (scheduled_at) WHERE ((approval = ANY (ARRAY['PENDING'::text, 'EXTERNAL_PENDING'::text])) AND (status = ANY (ARRAY['DRAFT'::text, 'SCHEDULED'::text])) AND (removed_at IS NULL));
CREATE INDEX post_sets_removed ON public.all_post_sets USING btree (removed_at) WHERE (removed_at IS NOT NULL);
CREATE INDEX post_sets_search ON public.all_post_sets USING gin (social_set_id, search_text gin_trgm_ops);
CREATE INDEX post_sets_series ON public.all_post_sets USING btree (series_id) WHERE (series_id IS NOT NULL);

create table api_keys (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  prefix text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  social_set_ids uuid[],
  created_by uuid,
  created_at timestamp with time zone not null default almanac_now(),
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  disabled_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_address text,
  revoked_by text,
  asks boolean not null default false,
  daily_post_sets integer,
  daily_upload_bytes bigint,
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint api_keys_agent CHECK ((((daily_post_sets IS NULL) = (daily_upload_bytes IS NULL)) AND ((daily_post_sets IS NOT NULL) OR (NOT asks)))),
  constraint api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_secret_hash_key UNIQUE (secret_hash)
);
CREATE INDEX api_keys_account ON public.api_keys USING btree (account_id);

create table attempts (
  subject text not null,
  tries integer not null,
  began_at timestamp with time zone not null,
  constraint attempts_pkey PRIMARY KEY (subject)
);

create table authorizations (
  id uuid not null,
  account_id uuid not null,
  social_set_id uuid not null,
  network text not null,
  account_type text not null,
  sandbox boolean not null,
  status text not null default 'STARTED'::text,
  state_hash bytea not null,
  redirect_uri text not null,
  secret bytea,
  secret_key_id text,
  connection_id uuid,
  message text,
  created_at timestamp with time zone not null default almanac_now(),
  expires_at timestamp with time zone not null,
  started_by uuid,
  session_id uuid,
  why jsonb,
  constraint authorizations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint authorizations_check CHECK (((secret IS NULL) = (secret_key_id IS NULL))),
  constraint authorizations_check1 CHECK (((status <> ALL (ARRAY['CONNECTED'::text, 'FAILED'::text])) OR (secret IS NULL))),
  constraint authorizations_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id),
  constraint authorizations_pkey PRIMARY KEY (id),
  constraint authorizations_social_set_id_fkey FOREIGN KEY (social_set_id) REFERENCES social_sets(id) ON DELETE CASCADE,
  constraint authorizations_started_by_fkey FOREIGN KEY (started_by) REFERENCES users(id) ON DELETE CASCADE,
  constraint authorizations_starter CHECK (((started_by IS NULL) = (session_id IS NULL))),
  constraint authorizations_state_hash_key UNIQUE (state_hash),
  constraint authorizations_status_check CHECK ((status = ANY (ARRAY['STARTED'::text, 'RETURNED'::text, 'CHOOSING'::text, 'CONNECTED'::text, 'FAILED'::text])))
);
CREATE INDEX authorizations_expiry ON public.authorizations USING btree (expires_at);

create table bell_items (
  id uuid not null,
  user_id uuid not null,
  account_id uuid not null,
  social_set_id uuid,
  cause text not null,
  subject text not null,
  news_id uuid not null,
  count integer not null default 1,
  at timestamp with time zone not null,
  read_at timestamp with time zone,
  constraint bell_items_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint bell_items_news_id_fkey FOREIGN KEY (news_id) REFERENCES news(id) ON DELETE CASCADE,
  constraint bell_items_pkey PRIMARY KEY (id),
  constraint bell_items_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX bell_items_news ON public.bell_items USING btree (news_id);
CREATE INDEX bell_items_page ON public.bell_items USING btree (user_id, account_id, at, id);
CREATE UNIQUE INDEX bell_items_unread ON public.bell_items USING btree (user_id, account_id, cause, subject) WHERE (read_at IS NULL);

create table calendar_feeds (
  id uuid not null,
  account_id uuid not null,
  social_set_id uuid,
  shared_calendar_id uuid,
  token_hash bytea not null,
  created_by uuid,
  created_at timestamp with time zone not null default almanac_now(),
  renewed_at timestamp with time zone,
  last_read_at timestamp with time zone,
  constraint calendar_feeds_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint calendar_feeds_check CHECK (((social_set_id IS NULL) <> (shared_calendar_id IS NULL))),
  constraint calendar_feeds_pkey PRIMARY KEY (id),
  constraint calendar_feeds_shared_calendar_id_key UNIQUE (shared_calendar_id),
  constraint calendar_feeds_social_set_id_fkey FOREIGN KEY (social_set_id) REFERENCES social_sets(id) ON DELETE CASCADE,
  constraint calendar_feeds_social_set_id_key UNIQUE (social_set_id),
  constraint calendar_feeds_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX calendar_feeds_account ON public.calendar_feeds USING btree (account_id);

create table call_marks (
  delivery_id uuid not null,
  fenced_at timestamp with time zone not null,
  boot_id text not null,
  over_at double precision not null,
  lasts_ms double precision not null,
  begun_at double precision,
  constraint call_marks_lasts_ms_check CHECK ((lasts_ms >= (0)::double precision)),
  constraint call_marks_pkey PRIMARY KEY (delivery_id, fenced_at, boot_id)
);

create table chores (
  name text not null,
  next_at timestamp with time zone not null default almanac_now(),
  ran_at timestamp with time zone,
  lease_owner text,
  lease_until timestamp with time zone,
  constraint chores_check CHECK (((lease_owner IS NULL) = (lease_until IS NULL))),
  constraint chores_pkey PRIMARY KEY (name)
);

create table comments (
  id uuid not null,
  account_id uuid not null,
  social_set_id uuid not null,
  post_set_id uuid not null,
  audience text not null,
  author_type text not null,
  author_id text not null,
  author_name text not null,
  link_name text,
  text text not null,
  mentions uuid[] not null default '{}'::uuid[],
  created_at timestamp with time zone not null default almanac_now(),
  edited_at timestamp with time zone,
  resolved_at timestamp with time zone,
  resolved_by_name text,
  shared_calendar_id uuid,
  constraint comments_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint comments_audience_check CHECK ((audience = ANY (ARRAY['INNER'::text, 'SHARED'::text]))),
  constraint comments_author_type_check CHECK ((author_type = ANY (ARRAY['USER'::text, 'REVIEWER'::text]))),
  constraint comments_check CHECK (((author_type = 'USER'::text) OR (audience = 'SHARED'::text))),
  constraint comments_check1 CHECK (((author_type = 'REVIEWER'::text) = (link_name IS NOT NULL))),
  constraint comments_check2 CHECK (((resolved_at IS NULL) = (resolved_by_name IS NULL))),
  constraint comments_pkey PRIMARY KEY (id),
  constraint comments_post_set_id_fkey FOREIGN KEY (post_set_id) REFERENCES all_post_sets(id) ON DELETE CASCADE
);
CREATE INDEX comments_author ON public.comments USING btree (author_id, created_at);
CREATE INDEX comments_thread ON public.comments USING btree (post_set_id, id);

create table connections (
  id uuid not null,
  account_id uuid not null,
  social_set_id uuid not null,
  identity_id uuid not null,
  account_type text not null,
  name text not null,
  username text,
  profile_url text,
  avatar_url text,
  status text not null default 'CONNECTED'::text,
  status_reason text,
  defaults jsonb not null default '{}'::jsonb,
  connected_at timestamp with time zone not null default almanac_now(),
  closed_at timestamp with time zone,
  sign_in text,
  constraint connections_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint connections_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES network_identities(id),
  constraint connections_pkey PRIMARY KEY (id),
  constraint connections_social_set_id_fkey FOREIGN KEY (social_set_id) REFERENCES social_sets(id),
  constraint connections_status_check CHECK ((status = ANY (ARRAY['CONNECTED'::text, 'RECONNECT_REQUIRED'::text])))
);
CREATE INDEX connections_identity ON public.connections USING btree (identity_id);
CREATE UNIQUE INDEX connections_open ON public.connections USING btree (social_set_id, account_type) WHERE (closed_at IS NULL);

create table data_folders (
  id uuid not null,
  inode text not null,
  born_at text,
  changed_at text not null,
  noted_at timestamp with time zone not null default almanac_now(),
  writing bigint,
  counter bigint not null default 0,
  constraint data_folders_pkey PRIMARY KEY (id)
);

create table deliveries (
  id uuid not null,
  post_set_id uuid not null,
  post_id uuid not null,
  content_version integer not null,
  account_type text not null,
  connection_id uuid,
  state text not null,
  handles jsonb not null default '{}'::jsonb,
  attempts integer not null default 0,
  lookups integer not null default 0,
  next_at timestamp with time zone not null,
  gives_up_at timestamp with time zone not null,
  lease_owner text,
  lease_until timestamp with time zone,
  first_fenced_at timestamp with time zone,
  fenced_at timestamp with time zone,
  unknown_since timestamp with time zone,
  last_message text,
  warnings jsonb not null default '[]'::jsonb,
  result jsonb,
  created_at timestamp with time zone not null default almanac_now(),
  updated_at timestamp with time zone not null default almanac_now(),
  finished_at timestamp with time zone,
  missed_looks integer not null default 0,
  account_id uuid,
  lane text,
  due_at timestamp with time zone,
  place text,
  class smallint,
  turn bigint,
  lease_ms integer,
  retry smallint not null default 0,
  surely_absent boolean,
  identity_id uuid,
  provider_id text,
  words_key text,
  permalink_looks smallint not null default 0,
  doubted_fence_at timestamp with time zone,
  parts jsonb not null default '[]'::jsonb,
  cover_looks smallint,
  continues smallint,
  inbox_id text,
  inbox_looks smallint,
  part_looks smallint,
  constraint deliveries_check CHECK (((state = 'DONE'::text) = (result IS NOT NULL))),
  constraint deliveries_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id),
  constraint deliveries_pkey PRIMARY KEY (id),
  constraint deliveries_place_check CHECK ((place = ANY (ARRAY['WAITING'::text, 'HEAD'::text, 'UNDER_WAY'::text, 'ASLEEP'::text]))),
  constraint deliveries_post_id_fkey FOREIGN KEY (post_id) REFERENCES posts(id) ON DELETE CASCADE,
  constraint deliveries_post_set_id_fkey FOREIGN KEY (post_set_id) REFERENCES all_post_sets(id) ON DELETE CASCADE,
  constraint deliveries_sending UNIQUE (post_id, content_version, retry),
  constraint deliveries_state_check CHECK ((state = ANY (ARRAY['PREPARING'::text, 'READY'::text, 'SENDING'::text, 'CONFIRMING'::text, 'LOOKING_UP'::text, 'FOLLOW_UP'::text, 'FOLLOW_UP_SENDING'::text, 'FOLLOW_UP_LOOKING_UP'::text, 'PART_PREPARING'::text, 'PART_READY'::text, 'PART_SENDING'::text, 'PART_CONFIRMING'::text, 'PART_LOOKING_UP'::text, 'DONE'::text])))
);
CREATE INDEX deliveries_asleep ON public.deliveries USING btree (next_at) WHERE ((place = 'ASLEEP'::text) AND (state <> 'DONE'::text));
CREATE INDEX deliveries_connection ON public.deliveries USING btree (connection_id, finished_at);
CREATE INDEX deliveries_handles ON public.deliveries USING btree (finished_at) WHERE ((state = 'DONE'::text) AND (handles <> '{}'::jsonb));
CREATE INDEX deliveries_heads ON public.deliveries USING btree (lane, class, turn) WHERE ((place = 'HEAD'::text) AND (state <> 'DONE'::text));
CREATE INDEX deliveries_heads_of_account ON public.deliveries USING btree (lane, account_id, turn) WHERE ((place = 'HEAD'::text) AND (turn IS NOT NULL));
CREATE INDEX deliveries_in_inbox ON public.deliveries USING btree (finished_at) WHERE (inbox_id IS NOT NULL);
CREATE INDEX deliveries_in_turn ON public.deliveries USING btree (connection_id) WHERE (((place = 'HEAD'::text) OR (lease_owner IS NOT NULL)) AND (result IS NULL));
CREATE INDEX deliveries_of_inbox ON public.deliveries USING btree (account_id, post_set_id) WHERE ((result ->> 'delivery'::text) IS NOT NULL);
CREATE UNIQUE INDEX deliveries_provider_id ON public.deliveries USING btree (identity_id, provider_id) WHERE (provider_id IS NOT NULL);
CREATE INDEX deliveries_set ON public.deliveries USING btree (post_set_id);
CREATE INDEX deliveries_under_way ON public.deliveries USING btree (lane, COALESCE(lease_until, next_at)) WHERE ((place = 'UNDER_WAY'::text) AND (state <> 'DONE'::text));
CREATE INDEX deliveries_unfinished ON public.deliveries USING btree (account_id) WHERE (finished_at IS NULL);
CREATE INDEX deliveries_waiting ON public.deliveries USING btree (connection_id, due_at) WHERE ((place = 'WAITING'::text) AND (state <> 'DONE'::text));
CREATE INDEX deliveries_with_unsure_part ON public.deliveries USING btree (finished_at) WHERE (part_looks IS NOT NULL);
CREATE INDEX deliveries_without_cover ON public.deliveries USING btree (finished_at) WHERE (cover_looks IS NOT NULL);
CREATE INDEX deliveries_without_permalink ON public.deliveries USING btree (finished_at) WHERE ((state = 'DONE'::text) AND (permalink_looks < 3) AND ((result ->> 'providerId'::text) IS NOT NULL) AND ((result ->> 'permalink'::text) IS NULL));

create table email_changes (
  user_id uuid not null,
  email text not null,
  requested_at timestamp with time zone not null default almanac_now(),
  confirmed_in uuid[] not null default '{}'::uuid[],
  refused_by text,
  constraint email_changes_pkey PRIMARY KEY (user_id),
  constraint email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table event_positions (
  account_id uuid not null,
  newest bigint not null,
  constraint event_positions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint event_positions_pkey PRIMARY KEY (account_id)
);

create table events (
  account_id uuid not null,
  "position" bigint not null,
  id uuid not null,
  type text not null,
  at timestamp with time zone not null,
  social_set_id uuid,
  data jsonb not null,
  constraint events_pkey PRIMARY KEY (account_id, "position")
);
CREATE INDEX events_old ON public.events USING brin (at);

create table happened (
  sequence bigint not null generated always as identity,
  account_id uuid not null,
  social_set_id uuid,
  at timestamp with time zone not null default almanac_now(),
  what text not null,
  data jsonb not null,
  constraint happened_pkey PRIMARY KEY (sequence)
);

create table hashtag_groups (
  id uuid not null,
  account_id uuid not null,
  social_set_id uuid not null,
  name text not null,
  tags text[] not null,
  created_at timestamp with time zone not null default almanac_now(),
  updated_at timestamp with time zone not null default almanac_now(),
  constraint hashtag_groups_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint hashtag_groups_pkey PRIMARY KEY (id),
  constraint hashtag_groups_social_set_id_fkey FOREIGN KEY (social_set_id) REFERENCES social_sets(id) ON DELETE CASCADE,
  constraint hashtag_groups_social_set_id_name_key UNIQUE (social_set_id, name)
);
CREATE INDEX hashtag_groups_account ON public.hashtag_groups USING btree (account_id);

create table heartbeat (
  only_row boolean not null default true,
  beaten_at timestamp with time zone not null default clock_timestamp(),
  clock_seen_at timestamp with time zone,
  clock_boot text,
  clock_boottime_ms double precision,
  clock_believed_at timestamp with time zone,
  clock_ahead_ms bigint,
  constraint heartbeat_only_row_check CHECK (only_row),
  constraint heartbeat_pkey PRIMARY KEY (only_row)
);

create table held_starts (
  id uuid not null,
  why text not null,
  signs jsonb not null default '[]'::jsonb,
  last_ran_at timestamp with time zone,
  held_at timestamp with time zone not null default almanac_now(),
  mailed_at timestamp with time zone,
  ended_at timestamp with time zone,
  ended_by text,
  late text,
  constraint held_starts_check CHECK ((((ended_at IS NULL) = (ended_by IS NULL)) AND ((ended_at IS NULL) = (late IS NULL)))),
  constraint held_starts_late_check CHECK ((late = ANY (ARRAY['PUBLISH'::text, 'PARK'::text]))),
  constraint held_starts_pkey PRIMARY KEY (id),
  constraint held_starts_why_check CHECK ((why = ANY (ARRAY['COPY'::text, 'ASKED'::text])))
);
CREATE UNIQUE INDEX held_starts_open ON public.held_starts USING btree ((true)) WHERE (ended_at IS NULL);

create table history (
  id uuid not null,
  account_id uuid not null,
  post_set_id uuid not null,
  sequence bigint not null generated always as identity,
  at timestamp with time zone not null default almanac_now(),
  actor_type text not null,
  actor_id text,
  actor_name text not null,
  action text not null,
  changes jsonb not null default '{}'::jsonb,
  version integer,
  outline jsonb,
  by_agent boolean not null default false,
  event_written boolean not null default false,
  constraint history_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint history_actor_type_check CHECK ((actor_type = ANY (ARRAY['USER'::text, 'API_KEY'::text, 'REVIEWER'::text, 'PUBLISHER'::text, 'OPERATOR'::text]))),
  constraint history_pkey PRIMARY KEY (id)
);
CREATE INDEX history_set ON public.history USING btree (post_set_id, sequence);
CREATE INDEX history_texts ON public.history USING btree (at, account_id, post_set_id) WHERE (outline IS NOT NULL);

create table holds (
  id uuid not null,
  account_id uuid not null,
  social_set_id uuid,
  connection_id uuid,
  reason text not null,
  held_at timestamp with time zone not null default almanac_now(),
  held_by_type text not null,
  held_by_id text,
  held_by_name text not null,
  released_at timestamp with time zone,
  released_by_type text,
  released_by_id text,
  released_by_name text,
  late text,
  constraint holds_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint holds_check CHECK (((connection_id IS NULL) OR (social_set_id IS NOT NULL))),
  constraint holds_check1 CHECK (((released_at IS NOT NULL) OR ((released_by_name IS NULL) AND (late IS NULL)))),
  constraint holds_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id),
  constraint holds_late_check CHECK ((late = ANY (ARRAY['PUBLISH'::text, 'PARK'::text]))),
  constraint holds_pkey PRIMARY KEY (id),
  constraint holds_social_set_id_fkey FOREIGN KEY (social_set_id) REFERENCES social_sets(id)
);
CREATE UNIQUE INDEX holds_open ON public.holds USING btree (account_id, social_set_id, connection_id) NULLS NOT DISTINCT WHERE (released_at IS NULL);

create table idempotency_keys (
  api_key_id uuid not null,
  key text not null,
  request_hash bytea not null,
  status smallint not null,
  headers jsonb not null,
  body text,
  answered_at timestamp with time zone not null default almanac_now(),
  constraint idempotency_keys_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  constraint idempotency_keys_pkey PRIMARY KEY (api_key_id, key)
);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (answered_at);

create table imported_calendars (
  id uuid not null,
  account_id uuid not null,
  social_set_id uuid not null,
  name text not null,
  hex_color text not null,
  secret bytea,
  secret_key_id text,
  host text,
  file bytea,
  file_name text,
  created_by uuid,
  paused_at timestamp with time zone,
  next_at timestamp with time zone not null default almanac_now(),
  lease_owner uuid,
  lease_until timestamp with time zone,
  tried_at timestamp with time zone,
  etag text,
  last_modified text,
  read_day date,
  read_timezone text,
  fetched_at timestamp with time zone,
  left_out integer not null default 0,
  unreadable integer not null default 0,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  failure_code text,
  failure_message text,
  reported_at timestamp with time zone,
  created_at timestamp with time zone not null default almanac_now(),
  constraint imported_calendars_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint imported_calendars_check CHECK (((secret IS NULL) <> (file IS NULL))),
  constraint imported_calendars_check1 CHECK (((secret IS NULL) = (secret_key_id IS NULL))),
  constraint imported_calendars_check2 CHECK (((lease_owner IS NULL) = (lease_until IS NULL))),
  constraint imported_calendars_check3 CHECK (((failure_code IS NULL) = (failing_since IS NULL))),
  constraint imported_calendars_pkey PRIMARY KEY (id),
  constraint imported_calendars_social_set_id_fkey FOREIGN KEY (social_set_id) REFERENCES social_sets(id) ON DELETE CASCADE
);
CREATE INDEX imported_calendars_account ON public.imported_calendars USING btree (account_id);
CREATE INDEX imported_calendars_due ON public.imported_calendars USING btree (next_at) WHERE (paused_at IS NULL);
CREATE INDEX imported_calendars_social_set ON public.imported_calendars USING btree (social_set_id, created_at, id);

create table imported_notes (
  calendar_id uuid not null,
  key bytea not null,
  note_id uuid not null,
  day date not null,
  content text not null,
  hex_color text not null,
  constraint imported_notes_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES imported_calendars(id) ON DELETE CASCADE,
  constraint imported_notes_pkey PRIMARY KEY (calendar_id, key)
);

create table installation (
  name text not null,
  value jsonb not null,
  constraint installation_pkey PRIMARY KEY (name)
);

create table installation_identity (
  only_row boolean not null default true,
  table_oid oid not null,
  id uuid,
  database_oid oid,
  system_identifier text,
  counter bigint not null default 0,
  raised_at timestamp with time zone,
  constraint installation_identity_check CHECK (((id IS NULL) = (database_oid IS NULL))),
  constraint installation_identity_only_row_check CHECK (only_row),
  constraint installation_identity_pkey PRIMARY KEY (only_row)
);

create table invitations (
  id uuid not null,
  account_id uuid not null,
  email text not null,
  role text not null,
  social_set_ids uuid[],
  token_hash bytea not null,
  invited_by uuid,
  inviter_name text not null,
  created_at timestamp with time zone not null default almanac_now(),
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint invitations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint invitations_check CHECK (((accepted_at IS NULL) OR (revoked_at IS NULL))),
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'author'::text, 'reviewer'::text]))),
  constraint invitations_token_hash_key UNIQUE (token_hash)
);
CREATE UNIQUE INDEX invitations_open ON public.invitations USING btree (account_id, email) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));

create table kept_calendar_feeds (
  feed_id uuid not null,
  checked_at timestamp with time zone,
  version text,
  etag text,
  body bytea,
  bytes integer,
  constraint kept_calendar_feeds_check CHECK ((((version IS NULL) = (checked_at IS NULL)) AND ((version IS NULL) = (etag IS NULL)))),
  constraint kept_calendar_feeds_check1 CHECK ((((version IS NULL) = (body IS NULL)) AND ((version IS NULL) = (bytes IS NULL)))),
  constraint kept_calendar_feeds_feed_id_fkey FOREIGN KEY (feed_id) REFERENCES calendar_feeds(id) ON DELETE CASCADE,
  constraint kept_calendar_feeds_pkey PRIMARY KEY (feed_id)
);

create table kept_drafts (
  account_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  social_set_id uuid not null,
  post_set_id uuid,
  sequence bigint not null,
  based_on_version integer,
  excerpt text not null,
  content json,
  updated_at timestamp with time zone not null default almanac_now(),
  writer uuid,
  saved_sequence bigint,
  opened_at timestamp with time zone,
  constraint kept_drafts_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES memberships(account_id, user_id) ON DELETE CASCADE,
  constraint kept_drafts_check CHECK ((post_set_id = id)),
  constraint kept_drafts_pkey PRIMARY KEY (account_id, user_id, id),
  constraint kept_drafts_post_set_id_fkey FOREIGN KEY (post_set_id) REFERENCES all_post_sets(id) ON DELETE CASCADE,
  constraint kept_drafts_saved CHECK (((saved_sequence IS NULL) OR (content IS NULL))),
  constraint kept_drafts_social_set_id_fkey FOREIGN KEY (social_set_id) REFERENCES social_sets(id) ON DELETE CASCADE
);
CREATE INDEX kept_drafts_id ON public.kept_drafts USING btree (id);
CREATE INDEX kept_drafts_post_set ON public.kept_drafts USING btree (post_set_id) WHERE (post_set_id IS NOT NULL);
CREATE INDEX kept_drafts_social_set ON public.kept_drafts USING btree (social_set_id);

create table key_calls (
  id bigint not null generated always as identity,
  api_key_id uuid not null,
  at timestamp with time zone not null default almanac_now(),
  tool text not null,
  problem text,
  constraint key_calls_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  constraint key_calls_pkey PRIMARY KEY (id)
);
CREATE INDEX key_calls_of_key ON public.key_calls USING btree (api_key_id, id);

create table key_usage (
  api_key_id uuid not null,
  day date not null,
  post_sets integer not null default 0,
  upload_bytes bigint not null default 0,
  constraint key_usage_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  constraint key_usage_pkey PRIMARY KEY (api_key_id)
);

create table labels (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  color text,
  created_at timestamp with time zone not null default almanac_now(),
  removed_by jsonb,
  merged_into uuid,
  constraint labels_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint labels_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES labels(id) ON DELETE SET NULL,
  constraint labels_pkey PRIMARY KEY (id)
);
CREATE INDEX labels_merged_into ON public.labels USING btree (merged_into) WHERE (merged_into IS NOT NULL);
CREATE UNIQUE INDEX labels_names ON public.labels USING btree (account_id, name) WHERE (removed_by IS NULL);

create table lanes (
  name text not null,
  turn bigint not null default 0,
  not_before timestamp with time zone,
  not_before_message text,
  paused_at timestamp with time zone,
  constraint lanes_pkey PRIMARY KEY (name)
);

create table media_covers (
  media_id uuid not null,
  at_ms integer not null,
  storage_key text,
  state text,
  attempts integer not null default 0,
  created_at timestamp with time zone not null default almanac_now(),
  constraint media_covers_drawn_check CHECK (((NOT (state IS DISTINCT FROM 'DRAWN'::text)) = (storage_key IS NOT NULL))),
  constraint media_covers_media_id_fkey FOREIGN KEY (media_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint media_covers_pkey PRIMARY KEY (media_id, at_ms),
  constraint media_covers_state_check CHECK ((state = ANY (ARRAY['DRAWN'::text, 'NONE'::text])))
);
CREATE INDEX media_covers_due ON public.media_covers USING btree (created_at) WHERE (state IS NULL);
CREATE INDEX media_covers_stored ON public.media_covers USING btree (storage_key) WHERE (storage_key IS NOT NULL);

create table media_items (
  id uuid not null,
  account_id uuid not null,
  social_set_id uuid not null,
  name text not null,
  alt_text text,
  facts jsonb not null,
  bytes bigint not null,
  sha256 bytea not null,
  storage_key text not null,
  thumbnail_key text,
  source text not null,
  source_url text,
  created_at timestamp with time zone not null default almanac_now(),
  closed_at timestamp with time zone,
  frame_state text,
  frame_attempts integer not null default 0,
  search_text text,
  emptied_at timestamp with time zone,
  brought_by_agent text,
  constraint media_items_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint media_items_frame_state_check CHECK ((frame_state = ANY (ARRAY['DRAWN'::text, 'NONE'::text]))),
  constraint media_items_pkey PRIMARY KEY (id),
  constraint media_items_social_set_id_fkey FOREIGN KEY (social_set_id) REFERENCES social_sets(id),
  constraint media_items_source_check CHECK ((source = ANY (ARRAY['UPLOAD'::text, 'URL'::text])))
);
CREATE INDEX media_items_deleted ON public.media_items USING btree (closed_at) WHERE ((closed_at IS NOT NULL) AND (emptied_at IS NULL));
CREATE INDEX media_items_frames ON public.media_items USING btree (created_at DESC) WHERE ((frame_state IS NULL) AND (closed_at IS NULL) AND ((facts ->> 'type'::text) = 'VIDEO'::text));
CREATE INDEX media_items_library ON public.media_items USING btree (social_set_id, created_at DESC, id DESC) WHERE (closed_at IS NULL);
CREATE INDEX media_items_names ON public.media_items USING btree (social_set_id, lower(name), id) WHERE (closed_at IS NULL);
CREATE INDEX media_items_queries ON public.media_items USING btree (id) WHERE (source_url ~ '[?#]'::text);
CREATE INDEX media_items_search ON public.media_items USING gin (social_set_id, search_text gin_trgm_ops) WHERE (closed_at IS NULL);
CREATE INDEX media_items_sizes ON public.media_items USING btree (social_set_id, bytes DESC, id DESC) WHERE (closed_at IS NULL);
CREATE INDEX media_items_storage ON public.media_items USING btree (account_id) INCLUDE (bytes) WHERE (closed_at IS NULL);
CREATE INDEX media_items_stored ON public.media_items USING btree (storage_key);
CREATE INDEX media_items_thumbnail ON public.media_items USING btree (thumbnail_key) WHERE (thumbnail_key IS NOT NULL);
CREATE INDEX media_items_unsearched ON public.media_items USING btree (id) WHERE (search_text IS NULL);

create table media_labels (
  media_id uuid not null,
  label_id uuid not null,
  constraint media_labels_label_id_fkey FOREIGN KEY (label_id) REFERENCES labels(id) ON DELETE CASCADE,
  constraint media_labels_media_id_fkey FOREIGN KEY (media_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint media_labels_pkey PRIMARY KEY (media_id, label_id)
);
CREATE INDEX media_labels_label ON public.media_labels USING btree (label_id);

create table media_renditions (
  id uuid not null,
  media_id uuid not null,
  spec text not null,
  facts jsonb not null,
  storage_key text not null,
  created_at timestamp with time zone not null default almanac_now(),
  constraint media_renditions_media_id_fkey FOREIGN KEY (media_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint media_renditions_media_id_spec_key UNIQUE (media_id, spec),
  constraint media_renditions_pkey PRIMARY KEY (id)
);
CREATE INDEX media_renditions_age ON public.media_renditions USING btree (created_at);
CREATE INDEX media_renditions_stored ON public.media_renditions USING btree (storage_key);

create table media_uploads (
  id uuid not null,
  account_id uuid not null,
  social_set_id uuid not null,
  url text,
  name text,
  alt_text text,
  status text not null default 'PENDING'::text,
  bytes_received bigint not null default 0,
  bytes_total bigint,
  media_id uuid,
  error_code text,
  error_message text,
  attempts integer not null default 0,
  lease_owner text,
  lease_until timestamp with time zone,
  created_at timestamp with time zone not null default almanac_now(),
  updated_at timestamp with time zone not null default almanac_now(),
  reserved_bytes bigint,
  received_at timestamp with time zone,
  requests integer not null default 0,
  begun_by uuid,
  begun_by_name text,
  poster_key text,
  by_agent boolean not null default false,
  constraint media_uploads_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint media_uploads_media_id_fkey FOREIGN KEY (media_id) REFERENCES media_items(id),
  constraint media_uploads_pkey PRIMARY KEY (id),
  constraint media_uploads_social_set_id_fkey FOREIGN KEY (social_set_id) REFERENCES social_sets(id),
  constraint media_uploads_source_check CHECK ((((url IS NULL) = (reserved_bytes IS NOT NULL)) AND ((url IS NULL) = (received_at IS NOT NULL)) AND ((status <> 'RECEIVING'::text) OR (url IS NULL)))),
  constraint media_uploads_status_check CHECK ((status = ANY (ARRAY['RECEIVING'::text, 'PENDING'::text, 'PROCESSING'::text, 'READY'::text, 'FAILED'::text])))
);
CREATE INDEX media_uploads_ended ON public.media_uploads USING btree (updated_at) WHERE (status = ANY (ARRAY['READY'::text, 'FAILED'::text]));
CREATE INDEX media_uploads_open ON public.media_uploads USING btree (account_id, social_set_id) WHERE (status = ANY (ARRAY['RECEIVING'::text, 'PENDING'::text, 'PROCESSING'::text]));
CREATE INDEX media_uploads_pending ON public.media_uploads USING btree (social_set_id) WHERE (status = ANY (ARRAY['PENDING'::text, 'PROCESSING'::text]));
CREATE INDEX media_uploads_posters ON public.media_uploads USING btree (poster_key) WHERE ((poster_key IS NOT NULL) AND (status = ANY (ARRAY['RECEIVING'::text, 'PENDING'::text, 'PROCESSING'::text])));
CREATE INDEX media_uploads_queries ON public.media_uploads USING btree (id) WHERE ((status = ANY (ARRAY['READY'::text, 'FAILED'::text])) AND (url ~ '[?#]'::text));

create table memberships (
  id uuid not null,
  account_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamp with time zone not null default almanac_now(),
  social_set_ids uuid[],
  addresses_seen jsonb not null default '{}'::jsonb,
  second_step_removed_at timestamp with time zone,
  second_step_removed_by text,
  constraint memberships_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint memberships_account_id_user_id_key UNIQUE (account_id, user_id),
  constraint memberships_pkey PRIMARY KEY (id),
  constraint memberships_role CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'author'::text, 'reviewer'::text]))),
  constraint memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX memberships_user ON public.memberships USING btree (user_id);

create table network_apps (
  id uuid not null,
  network text not null,
  prefix text not null,
  secret bytea not null,
  secret_key_id text not null,
  set_by uuid,
  set_by_name text not null,
  set_at timestamp with time zone not null default almanac_now(),
  constraint network_apps_network_prefix_key UNIQUE (network, prefix),
  constraint network_apps_pkey PRIMARY KEY (id),
  constraint network_apps_set_by_fkey FOREIGN KEY (set_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX network_apps_setter ON public.network_apps USING btree (set_by) WHERE (set_by IS NOT NULL);

create table network_identities (
  id uuid not null,
  account_id uuid not null,
  network text not null,
  external_id text not null,
  sandbox boolean not null default false,
  endpoints jsonb not null default '{}'::jsonb,
  secret bytea,
  secret_key_id text,
  expires_at timestamp with time zone,
  refreshed_at timestamp with time zone,
  created_at timestamp with time zone not null default almanac_now(),
  updated_at timestamp with time zone not null default almanac_now(),
  refresh_owner uuid,
  refresh_until timestamp with time zone,
  renew_after timestamp with time zone,
  renew_failures integer not null default 0,
  not_before timestamp with time zone,
  not_before_message text,
  paused_at timestamp with time zone,
  constraint network_identities_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint network_identities_account_id_network_external_id_key UNIQUE (account_id, network, external_id),
  constraint network_identities_check CHECK (((refresh_owner IS NULL) = (refresh_until IS NULL))),
  constraint network_identities_pkey PRIMARY KEY (id)
);
CREATE INDEX network_identities_renew_after ON public.network_identities USING btree (network, renew_after) WHERE (secret IS NOT NULL);

create table news (
  id uuid not null,
  account_id uuid not null,
  social_set_id uuid,
  kind text not null,
  subject text not null,
  once text,
  actor_type text,
  actor_id text,
  actor_name text,
  account_type text,
  connection_id uuid,
  post_set_id uuid,
  post_id uuid,
  comment_id uuid,
  facts jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default almanac_now(),
  addressed_at timestamp with time zone,
  constraint news_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint news_pkey PRIMARY KEY (id)
);
CREATE INDEX news_age ON public.news USING btree (created_at);
CREATE INDEX news_comment ON public.news USING btree (comment_id) WHERE (comment_id IS NOT NULL);
CREATE INDEX news_new ON public.news USING btree (created_at) WHERE (addressed_at IS NULL);
CREATE UNIQUE INDEX news_once ON public.news USING btree (account_id, once) WHERE (once IS NOT NULL);

create table news_choices (
  user_id uuid not null,
  account_id uuid not null,
  social_set_id uuid,
  cause text not null,
  choice text not null,
  constraint news_choices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint news_choices_choice_check CHECK ((choice = ANY (ARRAY['NONE'::text, 'BELL'::text, 'DAILY'::text, 'MAIL'::text]))),
  constraint news_choices_social_set_id_fkey FOREIGN KEY (social_set_id) REFERENCES social_sets(id) ON DELETE CASCADE,
  constraint news_choices_user_id_account_id_social_set_id_cause_key UNIQUE NULLS NOT DISTINCT (user_id, account_id, social_set_id, cause),
  constraint news_choices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX news_choices_social_set ON public.news_choices USING btree (social_set_id) WHERE (social_set_id IS NOT NULL);

create table news_sends (
  id uuid not null,
  news_id uuid not null,
  account_id uuid not null,
  way text not null,
  user_id uuid,
  guest_id uuid,
  cause text,
  state text not null default 'WAITING'::text,
  attempts integer not null default 0,
  next_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  error text,
  ended_at timestamp with time zone,
  constraint news_sends_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint news_sends_check CHECK (((way = 'RECEIVER'::text) = ((user_id IS NULL) AND (guest_id IS NULL)))),
  constraint news_sends_news_id_fkey FOREIGN KEY (news_id) REFERENCES news(id) ON DELETE CASCADE,
  constraint news_sends_pkey PRIMARY KEY (id),
  constraint news_sends_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'SENT'::text, 'GIVEN_UP'::text]))),
  constraint news_sends_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint news_sends_way_check CHECK ((way = ANY (ARRAY['RECEIVER'::text, 'MAIL'::text, 'DAILY'::text])))
);
CREATE INDEX news_sends_age ON public.news_sends USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX news_sends_mail ON public.news_sends USING btree (next_at, news_id) WHERE ((state = 'WAITING'::text) AND (way <> 'RECEIVER'::text));
CREATE INDEX news_sends_news ON public.news_sends USING btree (news_id);
CREATE INDEX news_sends_person ON public.news_sends USING btree (COALESCE(user_id, guest_id), cause, ended_at) WHERE (way <> 'RECEIVER'::text);
CREATE INDEX news_sends_receiver ON public.news_sends USING btree (next_at, news_id) WHERE ((state = 'WAITING'::text) AND (way = 'RECEIVER'::text));

create table news_stops (
  guest_id uuid not null,
  cause text not null,
  constraint news_stops_pkey PRIMARY KEY (guest_id, cause)
);

create table post_failures (
  delivery_id uuid not null,
  post_set_id uuid not null,
  social_set_id uuid not null,
  account_type text not null,
  scheduled_at timestamp with time zone not null,
  failed_at timestamp with time zone not null,
  done_at timestamp with time zone,
  copy_id uuid,
  constraint post_failures_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON DELETE CASCADE,
  constraint post_failures_pkey PRIMARY KEY (delivery_id)
);
CREATE INDEX post_failures_copies ON public.post_failures USING btree (copy_id) WHERE (copy_id IS NOT NULL);
CREATE INDEX post_failures_page ON public.post_failures USING btree (social_set_id, scheduled_at, post_set_id);
CREATE INDEX post_failures_set ON public.post_failures USING btree (post_set_id);
CREATE INDEX post_failures_unseen ON public.post_failures USING btree (social_set_id, failed_at, post_set_id);

create table post_media (
  id uuid not null,
  post_id uuid not null,
  media_id uuid not null,
  "position" integer not null,
  alt_text text,
  title text,
  description text,
  link text,
  tags jsonb not null default '[]'::jsonb,
  crop jsonb,
  part integer not null default 0,
  constraint post_media_media_id_fkey FOREIGN KEY (media_id) REFERENCES media_items(id),
  constraint post_media_pkey PRIMARY KEY (id),
  constraint post_media_post_id_fkey FOREIGN KEY (post_id) REFERENCES posts(id) ON DELETE CASCADE
);
CREATE INDEX post_media_item ON public.post_media USING btree (media_id);
CREATE INDEX post_media_post ON public.post_media USING btree (post_id, "position");

create table post_set_copies (
  post_set_id uuid not null,
  original_id uuid not null,
  moved boolean not null,
  media_ids uuid[] not null,
  constraint post_set_copies_pkey PRIMARY KEY (post_set_id),
  constraint post_set_copies_post_set_id_fkey FOREIGN KEY (post_set_id) REFERENCES all_post_sets(id) ON DELETE CASCADE
);

create table post_set_labels (
  post_set_id uuid not null,
  label_id uuid not null,
  constraint post_set_labels_label_id_fkey FOREIGN KEY (label_id) REFERENCES labels(id) ON DELETE CASCADE,
  constraint post_set_labels_pkey PRIMARY KEY (post_set_id, label_id),
  constraint post_set_labels_post_set_id_fkey FOREIGN KEY (post_set_id) REFERENCES all_post_sets(id) ON DELETE CASCADE
);
CREATE INDEX post_set_labels_label ON public.post_set_labels USING btree (label_id);

create table posts (
  id uuid not null,
  post_set_id uuid not null,
  "position" integer not null,
  account_type text not null,
  caption text not null,
  fields jsonb not null,
  created_at timestamp with time zone not null default almanac_now(),
  updated_at timestamp with time zone not null default almanac_now(),
  social_set_id uuid not null,
  thread jsonb,
  constraint posts_pkey PRIMARY KEY (id),
  constraint posts_post_set_id_fkey FOREIGN KEY (post_set_id) REFERENCES all_post_sets(id) ON DELETE CASCADE,
  constraint posts_want_cover TRIGGER DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX posts_set ON public.posts USING btree (post_set_id, "position");
CREATE INDEX posts_type ON public.posts USING btree (social_set_id, account_type, post_set_id);

create table presences (
  stream_id uuid not null,
  holder uuid not null,
  account_id uuid not null,
  social_set_id uuid,
  user_id uuid not null,
  post_set_id uuid,
  until timestamp with time zone not null,
  constraint presences_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint presences_pkey PRIMARY KEY (stream_id),
  constraint presences_post_set_id_fkey FOREIGN KEY (post_set_id) REFERENCES all_post_sets(id) ON DELETE CASCADE,
  constraint presences_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX presences_post_set ON public.presences USING btree (post_set_id) WHERE (post_set_id IS NOT NULL);
CREATE INDEX presences_until ON public.presences USING btree (until);
CREATE INDEX presences_user ON public.presences USING btree (user_id);

create table purged_post_sets (
  id uuid not null,
  purged_at timestamp with time zone not null default almanac_now(),
  constraint purged_post_sets_pkey PRIMARY KEY (id)
);
CREATE INDEX purged_post_sets_age ON public.purged_post_sets USING btree (purged_at);

create table rate_windows (
  subject text not null,
  started_at timestamp with time zone not null,
  used integer not null,
  constraint rate_windows_pkey PRIMARY KEY (subject)
);

create table results_seen (
  user_id uuid not null,
  social_set_id uuid not null,
  seen_at timestamp with time zone not null,
  constraint results_seen_pkey PRIMARY KEY (user_id, social_set_id),
  constraint results_seen_social_set_id_fkey FOREIGN KEY (social_set_id) REFERENCES social_sets(id) ON DELETE CASCADE,
  constraint results_seen_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table review_decisions (
  post_set_id uuid not null,
  sequence bigint not null,
  social_set_id uuid not null,
  decision text not null,
  step text not null,
  actor_type text not null,
  actor_id text,
  content_version integer not null,
  decided_at timestamp with time zone not null,
  latest boolean not null,
  constraint review_decisions_decision_check CHECK ((decision = ANY (ARRAY['APPROVED'::text, 'DENIED'::text]))),
  constraint review_decisions_pkey PRIMARY KEY (post_set_id, sequence),
  constraint review_decisions_post_set_id_fkey FOREIGN KEY (post_set_id) REFERENCES all_post_sets(id) ON DELETE CASCADE,
  constraint review_decisions_step_check CHECK ((step = ANY (ARRAY['TEAM'::text, 'CLIENT'::text])))
);
CREATE INDEX review_decisions_page ON public.review_decisions USING btree (social_set_id, decided_at DESC, post_set_id DESC) WHERE latest;

create table review_reminders (
  post_set_id uuid not null,
  hours smallint not null,
  scheduled_at timestamp with time zone not null,
  constraint review_reminders_pkey PRIMARY KEY (post_set_id, hours, scheduled_at),
  constraint review_reminders_post_set_id_fkey FOREIGN KEY (post_set_id) REFERENCES all_post_sets(id) ON DELETE CASCADE
);

create table review_requests (
  post_set_id uuid not null,
  sequence bigint not null,
  asked_at timestamp with time zone not null,
  asked_by_type text not null,
  asked_by_id text,
  asked_by_name text not null,
  author_id text,
  content_sequence bigint,
  content_by text,
  constraint review_requests_pkey PRIMARY KEY (post_set_id),
  constraint review_requests_post_set_id_fkey FOREIGN KEY (post_set_id) REFERENCES all_post_sets(id) ON DELETE CASCADE
);
CREATE INDEX review_requests_person ON public.review_requests USING btree (asked_by_id) WHERE (asked_by_type = 'USER'::text);

create table series (
  id uuid not null,
  account_id uuid not null,
  social_set_id uuid not null,
  repeat_interval text not null,
  occurrences integer not null,
  created_at timestamp with time zone not null default almanac_now(),
  constraint series_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint series_pkey PRIMARY KEY (id),
  constraint series_repeat_interval_check CHECK ((repeat_interval = ANY (ARRAY['DAY'::text, 'WEEK'::text, 'MONTH'::text, 'YEAR'::text]))),
  constraint series_social_set_id_fkey FOREIGN KEY (social_set_id) REFERENCES social_sets(id)
);

create table sessions (
  id uuid not null,
  token text not null,
  user_id uuid not null,
  active_account_id uuid,
  expires_at timestamp with time zone not null,
  ip_address text,
  user_agent text,
  created_at timestamp with time zone not null default almanac_now(),
  updated_at timestamp with time zone not null default almanac_now(),
  last_used_at timestamp with time zone not null default clock_timestamp(),
  constraint sessions_active_account_id_fkey FOREIGN KEY (active_account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_key UNIQUE (token),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

create table shared_calendar_copies (
  id uuid not null,
  shared_calendar_id uuid not null,
  user_id uuid,
  user_name text not null,
  copied_at timestamp with time zone not null default almanac_now(),
  constraint shared_calendar_copies_pkey PRIMARY KEY (id),
  constraint shared_calendar_copies_shared_calendar_id_fkey FOREIGN KEY (shared_calendar_id) REFERENCES shared_calendars(id) ON DELETE CASCADE,
  constraint shared_calendar_copies_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX shared_calendar_copies_calendar ON public.shared_calendar_copies USING btree (shared_calendar_id, copied_at);
CREATE INDEX shared_calendar_copies_user ON public.shared_calendar_copies USING btree (user_id) WHERE (user_id IS NOT NULL);

create table shared_calendars (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  social_set_ids uuid[] not null,
  token_hash bytea not null,
  passcode_hash text,
  shows_scheduled boolean not null,
  shows_drafts boolean not null,
  shows_published boolean not null,
  allows_comment boolean not null,
  allows_decide boolean not null,
  allows_notes boolean not null,
  last_day date,
  expires_at timestamp with time zone,
  created_by uuid,
  created_by_name text not null,
  created_at timestamp with time zone not null default almanac_now(),
  renewed_at timestamp with time zone,
  closed_at timestamp with time zone,
  renewed_by uuid,
  secret bytea,
  secret_key_id text,
  formal boolean not null default false,
  allows_files boolean not null default false,
  constraint shared_calendars_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint shared_calendars_check CHECK (((secret IS NULL) = (secret_key_id IS NULL))),
  constraint shared_calendars_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint shared_calendars_pkey PRIMARY KEY (id),
  constraint shared_calendars_renewed_by_fkey FOREIGN KEY (renewed_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint shared_calendars_social_set_ids_check CHECK ((cardinality(social_set_ids) > 0)),
  constraint shared_calendars_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX shared_calendars_account ON public.shared_calendars USING btree (account_id);
CREATE INDEX shared_calendars_closed ON public.shared_calendars USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE INDEX shared_calendars_creator ON public.shared_calendars USING btree (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX shared_calendars_renewer ON public.shared_calendars USING btree (renewed_by) WHERE (renewed_by IS NOT NULL);

create table shared_decisions (
  shared_calendar_id uuid not null,
  post_set_id uuid not null,
  guest_id uuid,
  guest_name text not null,
  approval text not null,
  message text,
  content_version integer not null,
  decided_at timestamp with time zone not null default almanac_now(),
  constraint shared_decisions_approval_check CHECK ((approval = ANY (ARRAY['APPROVED'::text, 'DENIED'::text]))),
  constraint shared_decisions_guest_id_fkey FOREIGN KEY (guest_id) REFERENCES shared_guests(id) ON DELETE SET NULL,
  constraint shared_decisions_pkey PRIMARY KEY (shared_calendar_id, post_set_id),
  constraint shared_decisions_post_set_id_fkey FOREIGN KEY (post_set_id) REFERENCES all_post_sets(id) ON DELETE CASCADE,
  constraint shared_decisions_shared_calendar_id_fkey FOREIGN KEY (shared_calendar_id) REFERENCES shared_calendars(id) ON DELETE CASCADE
);
CREATE INDEX shared_decisions_guest ON public.shared_decisions USING btree (guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX shared_decisions_post_set ON public.shared_decisions USING btree (post_set_id);

create table shared_guests (
  id uuid not null,
  shared_calendar_id uuid not null,
  name text,
  device text not null,
  email text,
  locale text,
  created_at timestamp with time zone not null default almanac_now(),
  first_look_at timestamp with time zone,
  last_look_at timestamp with time zone,
  looks integer not null default 0,
  constraint shared_guests_pkey PRIMARY KEY (id),
  constraint shared_guests_shared_calendar_id_fkey FOREIGN KEY (shared_calendar_id) REFERENCES shared_calendars(id) ON DELETE CASCADE
);
CREATE INDEX shared_guests_calendar ON public.shared_guests USING btree (shared_calendar_id, last_look_at);
CREATE INDEX shared_guests_silent ON public.shared_guests USING btree (created_at) WHERE (last_look_at IS NULL);

create table shared_keys (
  token_hash bytea not null,
  purpose text not null,
  shared_calendar_id uuid not null,
  guest_id uuid,
  email text,
  expires_at timestamp with time zone not null,
  user_id uuid,
  constraint shared_keys_guest_id_fkey FOREIGN KEY (guest_id) REFERENCES shared_guests(id) ON DELETE CASCADE,
  constraint shared_keys_pkey PRIMARY KEY (token_hash),
  constraint shared_keys_purpose_check CHECK ((purpose = ANY (ARRAY['enter'::text, 'confirm'::text, 'begin'::text]))),
  constraint shared_keys_shared_calendar_id_fkey FOREIGN KEY (shared_calendar_id) REFERENCES shared_calendars(id) ON DELETE CASCADE,
  constraint shared_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX shared_keys_calendar ON public.shared_keys USING btree (shared_calendar_id);
CREATE INDEX shared_keys_end ON public.shared_keys USING btree (expires_at);
CREATE INDEX shared_keys_guest ON public.shared_keys USING btree (guest_id);
CREATE INDEX shared_keys_user ON public.shared_keys USING btree (user_id) WHERE (user_id IS NOT NULL);

create table shared_notes (
  note_id uuid not null,
  shared_calendar_id uuid not null,
  guest_id uuid,
  guest_name text not null,
  constraint shared_notes_guest_id_fkey FOREIGN KEY (guest_id) REFERENCES shared_guests(id) ON DELETE SET NULL,
  constraint shared_notes_note_id_fkey FOREIGN KEY (note_id) REFERENCES all_notes(id) ON DELETE CASCADE,
  constraint shared_notes_pkey PRIMARY KEY (note_id),
  constraint shared_notes_shared_calendar_id_fkey FOREIGN KEY (shared_calendar_id) REFERENCES shared_calendars(id) ON DELETE CASCADE
);
CREATE INDEX shared_notes_calendar ON public.shared_notes USING btree (shared_calendar_id);
CREATE INDEX shared_notes_guest ON public.shared_notes USING btree (guest_id) WHERE (guest_id IS NOT NULL);

create table shared_seen (
  guest_id uuid not null,
  post_set_id uuid not null,
  version integer not null,
  content_version integer not null,
  scheduled_at timestamp with time zone not null,
  before_version integer,
  constraint shared_seen_guest_id_fkey FOREIGN KEY (guest_id) REFERENCES shared_guests(id) ON DELETE CASCADE,
  constraint shared_seen_pkey PRIMARY KEY (guest_id, post_set_id),
  constraint shared_seen_post_set_id_fkey FOREIGN KEY (post_set_id) REFERENCES all_post_sets(id) ON DELETE CASCADE
);
CREATE INDEX shared_seen_post_set ON public.shared_seen USING btree (post_set_id);

create table shared_visits (
  token_hash bytea not null,
  guest_id uuid not null,
  expires_at timestamp with time zone not null,
  constraint shared_visits_guest_id_fkey FOREIGN KEY (guest_id) REFERENCES shared_guests(id) ON DELETE CASCADE,
  constraint shared_visits_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX shared_visits_end ON public.shared_visits USING btree (expires_at);
CREATE INDEX shared_visits_guest ON public.shared_visits USING btree (guest_id);

create table social_sets (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  timezone text not null,
  created_at timestamp with time zone not null default almanac_now(),
  updated_at timestamp with time zone not null default almanac_now(),
  saved_times jsonb not null default '[]'::jsonb,
  approval_rule text not null default 'OPTIONAL'::text,
  approval_reviewers smallint not null default 1,
  authors_may_approve boolean not null default false,
  color text not null default '#0b866d'::text,
  fit text not null default 'REFUSE'::text,
  constraint social_sets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint social_sets_approval_reviewers_check CHECK ((approval_reviewers >= 1)),
  constraint social_sets_approval_rule_check CHECK ((approval_rule = ANY (ARRAY['OPTIONAL'::text, 'REQUIRED'::text, 'TEAM_THEN_CLIENT'::text]))),
  constraint social_sets_fit_check CHECK ((fit = ANY (ARRAY['CROP'::text, 'PAD'::text, 'REFUSE'::text]))),
  constraint social_sets_pkey PRIMARY KEY (id)
);
CREATE INDEX social_sets_account ON public.social_sets USING btree (account_id, name, id);

create table two_factors (
  id uuid not null,
  user_id uuid not null,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamp with time zone,
  constraint two_factors_pkey PRIMARY KEY (id),
  constraint two_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX two_factors_user ON public.two_factors USING btree (user_id);

create table user_credentials (
  id uuid not null,
  user_id uuid not null,
  provider_id text not null,
  provider_account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamp with time zone,
  refresh_token_expires_at timestamp with time zone,
  scope text,
  created_at timestamp with time zone not null default almanac_now(),
  updated_at timestamp with time zone not null default almanac_now(),
  constraint user_credentials_pkey PRIMARY KEY (id),
  constraint user_credentials_provider_id_provider_account_id_key UNIQUE (provider_id, provider_account_id),
  constraint user_credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX user_credentials_user ON public.user_credentials USING btree (user_id);

create table user_links (
  token_hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  email text,
  expires_at timestamp with time zone not null,
  constraint user_links_pkey PRIMARY KEY (token_hash),
  constraint user_links_purpose_check CHECK ((purpose = ANY (ARRAY['password-reset'::text, 'email-change'::text]))),
  constraint user_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX user_links_user ON public.user_links USING btree (user_id);

create table users (
  id uuid not null,
  name text not null,
  email text not null,
  email_verified boolean not null default false,
  image text,
  two_factor_enabled boolean not null default false,
  created_at timestamp with time zone not null default almanac_now(),
  updated_at timestamp with time zone not null default almanac_now(),
  preferences jsonb not null default '{}'::jsonb,
  is_operator boolean not null default false,
  constraint users_email_key UNIQUE (email),
  constraint users_pkey PRIMARY KEY (id)
);

create table verifications (
  id uuid not null,
  identifier text not null,
  value text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default almanac_now(),
  updated_at timestamp with time zone not null default almanac_now(),
  constraint verifications_pkey PRIMARY KEY (id)
);
CREATE INDEX verifications_identifier ON public.verifications USING btree (identifier);

create table watched_social_sets (
  social_set_id uuid not null,
  watched_until timestamp with time zone not null,
  constraint watched_social_sets_pkey PRIMARY KEY (social_set_id)
);

create table webhook_attempts (
  id uuid not null,
  webhook_id uuid not null,
  send_id uuid not null,
  at timestamp with time zone not null,
  duration_ms integer not null,
  status integer,
  failure text,
  answer text,
  constraint webhook_attempts_pkey PRIMARY KEY (id),
  constraint webhook_attempts_send_id_fkey FOREIGN KEY (send_id) REFERENCES webhook_sends(id) ON DELETE CASCADE,
  constraint webhook_attempts_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE
);
CREATE INDEX webhook_attempts_old ON public.webhook_attempts USING brin (at);
CREATE INDEX webhook_attempts_send ON public.webhook_attempts USING btree (send_id);
CREATE INDEX webhook_attempts_webhook ON public.webhook_attempts USING btree (webhook_id, at DESC, id DESC);

create table webhook_loops (
  post_set_id uuid not null,
  account_id uuid not null,
  times timestamp with time zone[] not null,
  held_until timestamp with time zone,
  "position" bigint,
  constraint webhook_loops_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint webhook_loops_check CHECK ((("position" IS NULL) OR (held_until IS NOT NULL))),
  constraint webhook_loops_pkey PRIMARY KEY (post_set_id)
);
CREATE INDEX webhook_loops_held ON public.webhook_loops USING btree (held_until) WHERE (held_until IS NOT NULL);

create table webhook_sends (
  id uuid not null,
  webhook_id uuid not null,
  account_id uuid not null,
  "position" bigint,
  event jsonb,
  state text not null default 'WAITING'::text,
  attempts integer not null default 0,
  next_at timestamp with time zone not null default almanac_now(),
  created_at timestamp with time zone not null default almanac_now(),
  ended_at timestamp with time zone,
  constraint webhook_sends_check CHECK ((("position" IS NULL) <> (event IS NULL))),
  constraint webhook_sends_check1 CHECK (((ended_at IS NULL) = (state = ANY (ARRAY['WAITING'::text, 'KEPT'::text])))),
  constraint webhook_sends_pkey PRIMARY KEY (id),
  constraint webhook_sends_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'SENT'::text, 'FAILED'::text, 'KEPT'::text, 'LEFT_OUT'::text]))),
  constraint webhook_sends_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE,
  constraint webhook_sends_webhook_id_position_key UNIQUE (webhook_id, "position")
);
CREATE INDEX webhook_sends_due ON public.webhook_sends USING btree (webhook_id, next_at, "position") WHERE (state = 'WAITING'::text);
CREATE INDEX webhook_sends_old ON public.webhook_sends USING brin (created_at);
CREATE INDEX webhook_sends_order ON public.webhook_sends USING btree (webhook_id, "position" NULLS FIRST) WHERE (state = 'WAITING'::text);

create table webhooks (
  id uuid not null,
  account_id uuid not null,
  url text not null,
  description text not null default ''::text,
  types text[] not null default '{}'::text[],
  social_set_ids uuid[] not null default '{}'::uuid[],
  key_id uuid,
  created_by uuid,
  created_by_name text not null,
  ignore_own boolean not null,
  ignore_key_ids uuid[] not null default '{}'::uuid[],
  enabled boolean not null default true,
  closed_at timestamp with time zone,
  closed_why text,
  closed_position bigint,
  secret bytea not null,
  secret_key_id text not null,
  old_secret bytea,
  old_secret_key_id text,
  old_secret_until timestamp with time zone,
  lane_at timestamp with time zone not null default almanac_now(),
  lease_owner uuid,
  lease_until timestamp with time zone,
  failing_since timestamp with time zone,
  failures integer not null default 0,
  created_at timestamp with time zone not null default almanac_now(),
  constraint webhooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint webhooks_check CHECK (((closed_at IS NULL) = (closed_why IS NULL))),
  constraint webhooks_check1 CHECK ((((old_secret IS NULL) = (old_secret_until IS NULL)) AND ((old_secret IS NULL) = (old_secret_key_id IS NULL)))),
  constraint webhooks_check2 CHECK (((lease_owner IS NULL) = (lease_until IS NULL))),
  constraint webhooks_check3 CHECK (((failing_since IS NULL) = (failures = 0))),
  constraint webhooks_closed_why_check CHECK ((closed_why = ANY (ARRAY['GONE'::text, 'FAILING'::text, 'KEY_ENDED'::text, 'MAKER_LEFT'::text]))),
  constraint webhooks_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint webhooks_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id) ON DELETE SET NULL,
  constraint webhooks_pkey PRIMARY KEY (id)
);
CREATE INDEX webhooks_account ON public.webhooks USING btree (account_id, created_at, id);
CREATE INDEX webhooks_key ON public.webhooks USING btree (key_id) WHERE (key_id IS NOT NULL);
CREATE INDEX webhooks_maker ON public.webhooks USING btree (created_by) WHERE (created_by IS NOT NULL);

create view notes as
 SELECT id,
    account_id,
    social_set_id,
    type,
    source,
    content,
    hex_color,
    scheduled_at,
    series_id,
    created_at,
    updated_at,
    made_by_agent
   FROM all_notes
  WHERE (removed_at IS NULL);

create view post_sets as
 SELECT id,
    account_id,
    social_set_id,
    scheduled_at,
    schedule_requested_at,
    status,
    approval,
    locked_at,
    locked_by,
    version,
    content_version,
    claimed_at,
    published_at,
    created_at,
    updated_at,
    series_id,
    starts_series,
    search_text,
    external_id
   FROM all_post_sets
  WHERE (removed_at IS NULL);

CREATE TRIGGER alerts_become_news BEFORE INSERT ON public.alerts FOR EACH ROW EXECUTE FUNCTION almanac_take_alert();
CREATE TRIGGER notes_tell_deletes AFTER DELETE ON public.all_notes REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION almanac_tell_deletes('notes');
CREATE TRIGGER notes_tell_inserts AFTER INSERT ON public.all_notes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION almanac_tell_changes('notes');
CREATE TRIGGER notes_tell_updates AFTER UPDATE ON public.all_notes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION almanac_tell_changes('notes');
CREATE TRIGGER post_sets_note_purged AFTER DELETE ON public.all_post_sets REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION almanac_note_purged();
CREATE TRIGGER post_sets_tell_deletes AFTER DELETE ON public.all_post_sets REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION almanac_tell_deletes('post-sets');
CREATE TRIGGER post_sets_tell_inserts AFTER INSERT ON public.all_post_sets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION almanac_tell_changes('post-sets');
CREATE TRIGGER post_sets_tell_updates AFTER UPDATE ON public.all_post_sets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION almanac_tell_changes('post-sets');
CREATE TRIGGER post_sets_wake_insert AFTER INSERT ON public.all_post_sets FOR EACH ROW WHEN (((new.status = 'SCHEDULED'::text) AND (new.scheduled_at <= (almanac_now() + '00:00:01'::interval)))) EXECUTE FUNCTION almanac_wake('posts');
CREATE TRIGGER post_sets_wake_update AFTER UPDATE OF status, scheduled_at ON public.all_post_sets FOR EACH ROW WHEN (((new.status = 'SCHEDULED'::text) AND (new.scheduled_at <= (almanac_now() + '00:00:01'::interval)))) EXECUTE FUNCTION almanac_wake('posts');
CREATE TRIGGER bell_items_tell_inserts AFTER INSERT ON public.bell_items REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION almanac_tell_bell();
CREATE TRIGGER bell_items_tell_updates AFTER UPDATE ON public.bell_items REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION almanac_tell_bell();
CREATE TRIGGER comments_tell AFTER INSERT OR DELETE OR UPDATE ON public.comments FOR EACH ROW EXECUTE FUNCTION almanac_tell_comment();
CREATE TRIGGER connections_happened_insert AFTER INSERT ON public.connections FOR EACH ROW WHEN ((new.closed_at IS NULL)) EXECUTE FUNCTION almanac_note_connection_happened();
CREATE TRIGGER connections_happened_update AFTER UPDATE OF status, closed_at ON public.connections FOR EACH ROW WHEN (((old.closed_at IS NULL) AND ((new.closed_at IS NOT NULL) OR (new.status IS DISTINCT FROM old.status)))) EXECUTE FUNCTION almanac_note_connection_happened();
CREATE TRIGGER connections_tell_deletes AFTER DELETE ON public.connections REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION almanac_tell_changes('connections');
CREATE TRIGGER connections_tell_inserts AFTER INSERT ON public.connections REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION almanac_tell_changes('connections');
CREATE TRIGGER connections_tell_updates AFTER UPDATE ON public.connections REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION almanac_tell_changes('connections');
CREATE TRIGGER deliveries_forget_end_of_thread AFTER UPDATE OF parts ON public.deliveries FOR EACH ROW WHEN (((new.state = 'DONE'::text) AND ((new.result ->> 'status'::text) = 'POSTED'::text) AND jsonb_path_exists(old.parts, '$[*]?(@."ofThread" == true && !(@."outcome" == "live"))'::jsonpath) AND (NOT jsonb_path_exists(new.parts, '$[*]?(@."ofThread" == true && !(@."outcome" == "live"))'::jsonpath)))) EXECUTE FUNCTION almanac_forget_end_of_thread();
CREATE TRIGGER deliveries_into_lane BEFORE INSERT ON public.deliveries FOR EACH ROW WHEN (((new.place IS NULL) AND (new.state <> 'DONE'::text))) EXECUTE FUNCTION almanac_into_lane();
CREATE TRIGGER deliveries_note_end_of_thread AFTER INSERT OR UPDATE OF state ON public.deliveries FOR EACH ROW WHEN (((new.state = 'DONE'::text) AND ((new.result ->> 'status'::text) = 'POSTED'::text) AND jsonb_path_exists(new.parts, '$[*]?(@."ofThread" == true && !(@."outcome" == "live"))'::jsonpath))) EXECUTE FUNCTION almanac_note_failure();
CREATE TRIGGER deliveries_note_failure AFTER INSERT OR UPDATE OF result ON public.deliveries FOR EACH ROW WHEN (((new.result ->> 'status'::text) = 'FAILED'::text)) EXECUTE FUNCTION almanac_note_failure();
CREATE TRIGGER deliveries_note_fixed AFTER INSERT OR UPDATE OF state ON public.deliveries FOR EACH ROW WHEN (((new.state = 'DONE'::text) AND ((new.result ->> 'status'::text) = 'POSTED'::text))) EXECUTE FUNCTION almanac_note_fixed();
CREATE TRIGGER deliveries_tell_results AFTER UPDATE OF result ON public.deliveries FOR EACH ROW WHEN ((new.result IS DISTINCT FROM old.result)) EXECUTE FUNCTION almanac_tell_result();
CREATE TRIGGER history_happened AFTER INSERT ON public.history FOR EACH ROW WHEN ((NOT new.event_written)) EXECUTE FUNCTION almanac_note_history_happened();
CREATE TRIGGER history_note_content_change AFTER INSERT ON public.history FOR EACH ROW WHEN (((new.action <> 'created'::text) AND almanac_changes_content(new.action, new.changes))) EXECUTE FUNCTION almanac_note_content_change();
CREATE TRIGGER history_note_review_request AFTER INSERT ON public.history FOR EACH ROW WHEN (((COALESCE(((new.changes -> 'approval'::text) ->> 'to'::text), (new.changes ->> 'approval'::text)) = ANY (ARRAY['PENDING'::text, 'EXTERNAL_PENDING'::text])) AND (new.action <> 'review taken back'::text) AND (NOT ((new.action = 'approved'::text) AND (((new.changes -> 'approval'::text) ->> 'from'::text) = ANY (ARRAY['PENDING'::text, 'EXTERNAL_PENDING'::text])))))) EXECUTE FUNCTION almanac_note_review_request();
CREATE TRIGGER history_outline BEFORE INSERT OR UPDATE OF changes ON public.history FOR EACH ROW WHEN ((jsonb_typeof((new.changes #> '{posts,changed}'::text[])) = 'array'::text)) EXECUTE FUNCTION almanac_outline_history();
CREATE TRIGGER holds_happened_insert AFTER INSERT ON public.holds FOR EACH ROW EXECUTE FUNCTION almanac_note_hold_happened();
CREATE TRIGGER holds_happened_update AFTER UPDATE OF released_at ON public.holds FOR EACH ROW WHEN (((old.released_at IS NULL) AND (new.released_at IS NOT NULL))) EXECUTE FUNCTION almanac_note_hold_happened();
CREATE TRIGGER holds_tell AFTER INSERT OR UPDATE ON public.holds FOR EACH ROW EXECUTE FUNCTION almanac_tell_hold();
CREATE TRIGGER holds_wake AFTER UPDATE OF released_at ON public.holds FOR EACH STATEMENT EXECUTE FUNCTION almanac_wake('posts');
CREATE TRIGGER imported_calendars_tell_deletes AFTER DELETE ON public.imported_calendars REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION almanac_tell_changes('imported-calendars');
CREATE TRIGGER imported_calendars_tell_inserts AFTER INSERT ON public.imported_calendars REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION almanac_tell_changes('imported-calendars');
CREATE TRIGGER imported_calendars_tell_updates AFTER UPDATE ON public.imported_calendars REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION almanac_tell_changes('imported-calendars');
CREATE TRIGGER imported_calendars_wake_insert AFTER INSERT ON public.imported_calendars FOR EACH STATEMENT EXECUTE FUNCTION almanac_wake('calendars');
CREATE TRIGGER imported_calendars_wake_update AFTER UPDATE OF next_at, paused_at ON public.imported_calendars FOR EACH ROW WHEN (((new.paused_at IS NULL) AND (new.lease_owner IS NULL) AND (new.next_at <= almanac_now()))) EXECUTE FUNCTION almanac_wake('calendars');
CREATE TRIGGER media_covers_tell AFTER UPDATE OF storage_key ON public.media_covers FOR EACH ROW WHEN ((new.storage_key IS DISTINCT FROM old.storage_key)) EXECUTE FUNCTION almanac_tell_cover();
CREATE TRIGGER media_items_happened AFTER UPDATE OF closed_at ON public.media_items FOR EACH ROW WHEN (((old.closed_at IS NULL) AND (new.closed_at IS NOT NULL))) EXECUTE FUNCTION almanac_note_media_happened();
CREATE TRIGGER media_items_tell_insert AFTER INSERT ON public.media_items FOR EACH ROW EXECUTE FUNCTION almanac_tell_media();
CREATE TRIGGER media_items_tell_update AFTER UPDATE OF name, alt_text, thumbnail_key, closed_at ON public.media_items FOR EACH ROW WHEN (((((new.name IS DISTINCT FROM old.name) OR (new.alt_text IS DISTINCT FROM old.alt_text)) OR (new.thumbnail_key IS DISTINCT FROM old.thumbnail_key)) OR (new.closed_at IS DISTINCT FROM old.closed_at))) EXECUTE FUNCTION almanac_tell_media();
CREATE TRIGGER media_uploads_happened AFTER UPDATE OF status ON public.media_uploads FOR EACH ROW WHEN (((new.status = ANY (ARRAY['READY'::text, 'FAILED'::text])) AND (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION almanac_note_upload_happened();
CREATE TRIGGER media_uploads_wake AFTER INSERT ON public.media_uploads FOR EACH STATEMENT EXECUTE FUNCTION almanac_wake('imports');
CREATE TRIGGER media_uploads_wake_received AFTER UPDATE OF status ON public.media_uploads FOR EACH ROW WHEN (((old.status = 'RECEIVING'::text) AND (new.status = 'PENDING'::text))) EXECUTE FUNCTION almanac_wake('imports');
CREATE TRIGGER network_apps_tell AFTER INSERT OR DELETE OR UPDATE ON public.network_apps FOR EACH STATEMENT EXECUTE FUNCTION almanac_tell_network_apps();
CREATE TRIGGER news_happened AFTER INSERT ON public.news FOR EACH ROW WHEN (((new.kind = 'CONNECTION_ENDING'::text) AND (new.connection_id IS NOT NULL))) EXECUTE FUNCTION almanac_note_ending_happened();
CREATE TRIGGER post_failures_tell AFTER INSERT OR DELETE ON public.post_failures FOR EACH ROW EXECUTE FUNCTION almanac_tell_failure();
CREATE TRIGGER post_failures_tell_done AFTER UPDATE OF done_at, copy_id ON public.post_failures FOR EACH ROW EXECUTE FUNCTION almanac_tell_failure();
CREATE CONSTRAINT TRIGGER posts_want_cover AFTER INSERT OR UPDATE OF fields ON public.posts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((almanac_cover_ms(new.fields) IS NOT NULL)) EXECUTE FUNCTION almanac_want_cover();
CREATE TRIGGER presences_tell AFTER INSERT OR DELETE OR UPDATE OF post_set_id ON public.presences FOR EACH ROW EXECUTE FUNCTION almanac_tell_presence();
CREATE TRIGGER social_sets_tell_updates AFTER UPDATE ON public.social_sets FOR EACH ROW WHEN ((((((new.name IS DISTINCT FROM old.name) OR (new.timezone IS DISTINCT FROM old.timezone)) OR (new.approval_rule IS DISTINCT FROM old.approval_rule)) OR (new.approval_reviewers IS DISTINCT FROM old.approval_reviewers)) OR (new.authors_may_approve IS DISTINCT FROM old.authors_may_approve))) EXECUTE FUNCTION almanac_tell_social_set();
CREATE TRIGGER webhook_sends_wake_insert AFTER INSERT ON public.webhook_sends FOR EACH ROW WHEN ((new.state = 'WAITING'::text)) EXECUTE FUNCTION almanac_wake('webhooks');
CREATE TRIGGER webhook_sends_wake_update AFTER UPDATE OF state ON public.webhook_sends FOR EACH ROW WHEN (((new.state = 'WAITING'::text) AND (old.state <> 'WAITING'::text))) EXECUTE FUNCTION almanac_wake('webhooks');
