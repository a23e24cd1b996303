-- Where programs want to be told what happened (src/webhooks/README.md).
create table webhooks (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  url text not null,
  description text not null default '',
  -- Empty: all.
  types text[] not null default '{}',
  social_set_ids uuid[] not null default '{}',
  -- Whose it is: a key's, which sees it and what it sees goes there; null: the account's.
  key_id uuid references api_keys on delete set null,
  -- Who made it in the dashboard; null of a key.
  created_by uuid references users on delete set null,
  created_by_name text not null,
  -- What these keys did is not sent, nor what its own key did.
  ignore_own boolean not null,
  ignore_key_ids uuid[] not null default '{}',
  -- Switched off by its owner: nothing is queued meanwhile.
  enabled boolean not null default true,
  -- Nothing is sent any more: the receiver answered 410, five days of failures, its key or its maker is gone. It can be opened again.
  closed_at timestamptz,
  closed_why text,
  -- The newest position that was queued when it closed: what came since is queued when it is opened again.
  closed_position bigint,
  -- Sealed for this row. The one of before signs too until `old_secret_until`.
  secret bytea not null,
  secret_key_id text not null,
  old_secret bytea,
  old_secret_key_id text,
  old_secret_until timestamptz,
  -- The lane: nothing is sent to it before.
  lane_at timestamptz not null default almanac_now(),
  lease_owner uuid,
  lease_until timestamptz,
  -- Since the last send that went well.
  failing_since timestamptz,
  failures integer not null default 0,
  created_at timestamptz not null default almanac_now(),
  check ((closed_at is null) = (closed_why is null)),
  check (closed_why in ('GONE', 'FAILING', 'KEY_ENDED', 'MAKER_LEFT')),
  check ((old_secret is null) = (old_secret_until is null) and (old_secret is null) = (old_secret_key_id is null)),
  check ((lease_owner is null) = (lease_until is null)),
  check ((failing_since is null) = (failures = 0))
);
create index webhooks_account on webhooks (account_id, created_at, id);
create index webhooks_key on webhooks (key_id) where key_id is not null;
create index webhooks_maker on webhooks (created_by) where created_by is not null;

-- An event that goes to an endpoint, made with the event. A test has no position, and its event here.
create table webhook_sends (
  id uuid primary key,
  webhook_id uuid not null references webhooks on delete cascade,
  account_id uuid not null,
  position bigint,
  event jsonb,
  state text not null default 'WAITING',
  -- Attempts since it was queued, or asked for again.
  attempts integer not null default 0,
  next_at timestamptz not null default almanac_now(),
  created_at timestamptz not null default almanac_now(),
  ended_at timestamptz,
  unique (webhook_id, position),
  check ((position is null) <> (event is null)),
  -- KEPT: its endpoint is closed. LEFT_OUT: its key does not see it any more.
  check (state in ('WAITING', 'SENT', 'FAILED', 'KEPT', 'LEFT_OUT')),
  check ((ended_at is null) = (state in ('WAITING', 'KEPT')))
);
create index webhook_sends_due on webhook_sends (webhook_id, next_at, position) where state = 'WAITING';
create index webhook_sends_old on webhook_sends using brin (created_at);

-- Each request that was made, for thirty days.
create table webhook_attempts (
  id uuid primary key,
  webhook_id uuid not null references webhooks on delete cascade,
  send_id uuid not null references webhook_sends on delete cascade,
  at timestamptz not null,
  duration_ms integer not null,
  -- Of the answer; null without one.
  status integer,
  -- Why it counts as failed, in a sentence; null: it went well.
  failure text,
  -- How the answer of a public host begins.
  answer text
);
create index webhook_attempts_webhook on webhook_attempts (webhook_id, at desc, id desc);
create index webhook_attempts_send on webhook_attempts (send_id);
create index webhook_attempts_old on webhook_attempts using brin (at);
