-- The answer to a request that carried an Idempotency-Key, written by the transaction that made the change: the same
-- request gets it again for 24 hours. A request that still runs has no row; it holds an advisory lock instead, which ends
-- with its transaction.
create table idempotency_keys (
  api_key_id uuid not null references api_keys on delete cascade,
  key text not null,
  -- SHA-256 of method, path and body.
  request_hash bytea not null,
  status smallint not null,
  -- Those that belong to this answer alone, by their names in lower case.
  headers jsonb not null,
  -- As it was sent; null for an answer without one.
  body text,
  answered_at timestamptz not null default almanac_now(),
  primary key (api_key_id, key)
);
create index idempotency_keys_age on idempotency_keys (answered_at);
