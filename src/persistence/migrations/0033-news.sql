-- What happened that people want to know of: written by the transaction in which it happened. src/news/README.md has the states.
create table news (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  -- Null: of the whole account. Not a reference: publishing waits for no lock of a social set.
  social_set_id uuid,
  kind text not null,
  -- What it is about: news of one subject are folded.
  subject text not null,
  -- Of what is recorded once in an account.
  once text,
  -- Who did it and gets none of it; null: Almanac itself.
  actor_type text,
  actor_id text,
  actor_name text,
  account_type text,
  connection_id uuid,
  post_set_id uuid,
  post_id uuid,
  comment_id uuid,
  -- What there is to say besides, by kind.
  facts jsonb not null default '{}',
  created_at timestamptz not null default almanac_now(),
  -- When it was decided who gets it.
  addressed_at timestamptz
);
create index news_new on news (created_at) where addressed_at is null;
create index news_age on news (created_at);
create unique index news_once on news (account_id, once) where once is not null;
create index news_comment on news (comment_id) where comment_id is not null;

-- News on their way: to the receiver of ALMANAC_ALERT_URL, to a member or to a guest of a shared calendar.
create table news_sends (
  id uuid primary key,
  news_id uuid not null references news on delete cascade,
  -- Of the news: mails are folded by it.
  account_id uuid not null references accounts on delete cascade,
  way text not null check (way in ('RECEIVER', 'MAIL', 'DAILY')),
  user_id uuid references users on delete cascade,
  -- Not a reference: a guest who is gone gets nothing.
  guest_id uuid,
  -- As what the person gets it; null for the receiver.
  cause text,
  state text not null default 'WAITING' check (state in ('WAITING', 'SENT', 'GIVEN_UP')),
  attempts integer not null default 0,
  -- While it is being sent: when another worker may take it.
  next_at timestamptz not null,
  -- Not tried after that.
  ends_at timestamptz not null,
  -- Why it was not sent, in words without secrets.
  error text,
  ended_at timestamptz,
  check ((way = 'RECEIVER') = (user_id is null and guest_id is null))
);
create index news_sends_news on news_sends (news_id);
create index news_sends_receiver on news_sends (next_at, news_id) where state = 'WAITING' and way = 'RECEIVER';
create index news_sends_mail on news_sends (next_at, news_id) where state = 'WAITING' and way <> 'RECEIVER';
create index news_sends_person on news_sends (coalesce(user_id, guest_id), cause, ended_at) where way <> 'RECEIVER';
create index news_sends_age on news_sends (ended_at) where ended_at is not null;

-- What the bell of a member shows. One that was not read grows: it has one item for a subject.
create table bell_items (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  social_set_id uuid,
  cause text not null,
  subject text not null,
  -- The latest.
  news_id uuid not null references news on delete cascade,
  count integer not null default 1,
  at timestamptz not null,
  read_at timestamptz
);
create unique index bell_items_unread on bell_items (user_id, account_id, cause, subject) where read_at is null;
create index bell_items_page on bell_items (user_id, account_id, at, id);
create index bell_items_news on bell_items (news_id);

-- How a member wants to hear of a cause, in a brand or (null) in all of the account. Without a row: by role.
create table news_choices (
  user_id uuid not null references users on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  social_set_id uuid references social_sets on delete cascade,
  cause text not null,
  choice text not null check (choice in ('NONE', 'BELL', 'DAILY', 'MAIL')),
  unique nulls not distinct (user_id, account_id, social_set_id, cause)
);
create index news_choices_social_set on news_choices (social_set_id) where social_set_id is not null;

-- What a guest of a shared calendar wants no mails about.
create table news_stops (guest_id uuid not null, cause text not null, primary key (guest_id, cause));

-- Screens of a member hear of the bell as of a social set that they watch.
create function almanac_tell_bell() returns trigger language plpgsql as $$
begin
  perform almanac_tell('news', account_id, user_id, string_agg(id::text, ','))
  from changed group by account_id, user_id;
  return null;
end $$;
create trigger bell_items_tell_inserts after insert on bell_items referencing new table as changed
  for each statement execute function almanac_tell_bell();
create trigger bell_items_tell_updates after update on bell_items referencing new table as changed
  for each statement execute function almanac_tell_bell();

-- Alerts are news now. The two tables stay for processes of the version before, whose alerts go the new way; a later release
-- drops them.
create function almanac_news_of_alert(alert alerts) returns void language sql as $$
  insert into news (id, account_id, social_set_id, kind, subject, account_type, connection_id, post_set_id, post_id, facts,
    created_at, addressed_at)
  values (alert.id, alert.account_id, alert.social_set_id, alert.kind,
    case when alert.kind = 'CONNECTION_DEAD' then concat_ws(' ', 'connection', alert.connection_id)
      when alert.reason = 'ACCOUNT_CONNECTION_EXPIRED' then concat_ws(' ', 'expired', alert.social_set_id, alert.account_type)
      else concat_ws(' ', 'post', alert.social_set_id, alert.account_type, alert.reason) end,
    alert.account_type, alert.connection_id, alert.post_set_id, alert.post_id,
    jsonb_build_object('reason', alert.reason, 'message', alert.message), alert.created_at, alert.addressed_at)
$$;
select almanac_news_of_alert(alerts) from alerts;
insert into news_sends (id, news_id, account_id, way, user_id, cause, state, attempts, next_at, ends_at, error, ended_at)
select send.id, send.alert_id, alerts.account_id, case when send.user_id is null then 'RECEIVER' else 'MAIL' end, send.user_id,
  case when send.user_id is not null then
    case when alerts.kind = 'CONNECTION_DEAD' then 'CONNECTION' else 'POST_FAILED' end end,
  send.state, send.attempts, send.next_at, alerts.created_at + interval '24 hours', send.error, send.ended_at
from alert_sends send join alerts on alerts.id = send.alert_id;
delete from alerts;

create function almanac_take_alert() returns trigger language plpgsql as $$
begin
  perform almanac_news_of_alert(new);
  return null;
end $$;
create trigger alerts_become_news before insert on alerts for each row execute function almanac_take_alert();
