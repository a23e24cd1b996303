-- A sign-in on the pages of a network, from the address that a person was given to the connected account. What is secret
-- (the PKCE verifier, then the tokens of the accounts to choose from) is sealed and goes away when it is over.
create table authorizations (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  social_set_id uuid not null references social_sets on delete cascade,
  network text not null,
  account_type text not null,
  sandbox boolean not null,
  status text not null default 'STARTED'
    check (status in ('STARTED', 'RETURNED', 'CHOOSING', 'CONNECTED', 'FAILED')),
  -- Of the state that only the browser has.
  state_hash bytea not null unique,
  redirect_uri text not null,
  secret bytea,
  secret_key_id text,
  connection_id uuid references connections,
  message text,
  created_at timestamptz not null default almanac_now(),
  -- It can be gone on with until then.
  expires_at timestamptz not null,
  check ((secret is null) = (secret_key_id is null)),
  check (status not in ('CONNECTED', 'FAILED') or secret is null)
);
create index authorizations_expiry on authorizations (expires_at);

-- Credentials that are renewed although nothing is sent.
create index network_identities_renewal on network_identities (network, coalesce(refreshed_at, created_at));
