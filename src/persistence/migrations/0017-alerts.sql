-- What has to be reported to people who do not look: written by the transaction that stores the result of a post, or marks
-- a connection as in need of a new sign-in. Holds no content. src/alerting/README.md has the states.
create table alerts (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  -- Not a reference: publishing waits for no lock of a social set.
  social_set_id uuid not null,
  kind text not null check (kind in ('POST_FAILED', 'POST_UNKNOWN', 'CONNECTION_DEAD')),
  account_type text not null,
  -- Null: the post had none.
  connection_id uuid,
  -- Null for a connection.
  post_set_id uuid,
  post_id uuid,
  reason text not null,
  message text not null,
  created_at timestamptz not null default almanac_now(),
  -- When its sends were inserted.
  addressed_at timestamptz
);
create index alerts_new on alerts (created_at) where addressed_at is null;
create index alerts_age on alerts (created_at);

-- An alert on its way to the receiver of ALMANAC_ALERT_URL or to one person.
create table alert_sends (
  id uuid primary key,
  alert_id uuid not null references alerts on delete cascade,
  -- Whom a mail goes to; null: the receiver.
  user_id uuid references users on delete cascade,
  state text not null default 'WAITING' check (state in ('WAITING', 'SENT', 'GIVEN_UP')),
  attempts integer not null default 0,
  -- While it is being sent: when another worker may take it.
  next_at timestamptz not null,
  -- Why it was not sent, in words without secrets.
  error text,
  ended_at timestamptz
);
create index alert_sends_alert on alert_sends (alert_id);
create index alert_sends_receiver on alert_sends (next_at, alert_id) where state = 'WAITING' and user_id is null;
create index alert_sends_mail on alert_sends (next_at, alert_id) where state = 'WAITING' and user_id is not null;
create index alert_sends_person on alert_sends (user_id, ended_at) where user_id is not null;
