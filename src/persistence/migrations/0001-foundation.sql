-- The clock of everything that is due, leased or counted by month. Tests replace it.
create function almanac_now() returns timestamptz language sql stable parallel safe
  return date_trunc('milliseconds', clock_timestamp());

-- Facts about this installation: the check value of the secret key and the like.
create table installation (
  name text primary key,
  value jsonb not null
);

-- People. Shapes as the sign-in library wants them.
create table users (
  id uuid primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  two_factor_enabled boolean not null default false,
  created_at timestamptz not null default almanac_now(),
  updated_at timestamptz not null default almanac_now()
);

-- Tenants. A plan is named here; what it allows stands in the plan catalogue.
create table accounts (
  id uuid primary key,
  name text not null,
  slug text not null unique,
  logo text,
  metadata text,
  plan text not null,
  created_at timestamptz not null default almanac_now(),
  updated_at timestamptz not null default almanac_now()
);

create table sessions (
  id uuid primary key,
  token text not null unique,
  user_id uuid not null references users on delete cascade,
  active_account_id uuid references accounts on delete set null,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default almanac_now(),
  updated_at timestamptz not null default almanac_now()
);
create index sessions_user on sessions (user_id);

create table user_credentials (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  provider_id text not null,
  provider_account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default almanac_now(),
  updated_at timestamptz not null default almanac_now(),
  unique (provider_id, provider_account_id)
);
create index user_credentials_user on user_credentials (user_id);

create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default almanac_now(),
  updated_at timestamptz not null default almanac_now()
);
create index verifications_identifier on verifications (identifier);

create table two_factors (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);
create index two_factors_user on two_factors (user_id);

create table memberships (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null,
  created_at timestamptz not null default almanac_now(),
  unique (account_id, user_id)
);
create index memberships_user on memberships (user_id);

create table invitations (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  email text not null,
  role text,
  status text not null,
  inviter_id uuid not null references users on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null default almanac_now()
);
create index invitations_account on invitations (account_id);

-- Keys of the interface. The secret part is kept as SHA-256 only.
create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  name text not null,
  prefix text not null,
  secret_hash bytea not null unique,
  scopes text[] not null,
  social_set_ids uuid[],
  created_by uuid references users on delete set null,
  created_at timestamptz not null default almanac_now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  disabled_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_account on api_keys (account_id);

create table social_sets (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  name text not null,
  timezone text not null,
  created_at timestamptz not null default almanac_now(),
  updated_at timestamptz not null default almanac_now()
);
create index social_sets_account on social_sets (account_id, name, id);

-- An account on a network with its secrets, once per tenant, shared by the connections that use it, so that a
-- rotating token rotates in one row under one lock.
create table network_identities (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  network text not null,
  external_id text not null,
  sandbox boolean not null default false,
  endpoints jsonb not null default '{}',
  secret bytea,
  secret_key_id text,
  expires_at timestamptz,
  refreshed_at timestamptz,
  created_at timestamptz not null default almanac_now(),
  updated_at timestamptz not null default almanac_now(),
  unique (account_id, network, external_id)
);

create table connections (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  social_set_id uuid not null references social_sets,
  identity_id uuid not null references network_identities,
  account_type text not null,
  name text not null,
  username text,
  profile_url text,
  avatar_url text,
  status text not null default 'CONNECTED' check (status in ('CONNECTED', 'RECONNECT_REQUIRED')),
  status_reason text,
  defaults jsonb not null default '{}',
  connected_at timestamptz not null default almanac_now(),
  closed_at timestamptz
);
create unique index connections_open on connections (social_set_id, account_type) where closed_at is null;
create index connections_identity on connections (identity_id);

create table media_items (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  social_set_id uuid not null references social_sets,
  name text not null,
  alt_text text,
  facts jsonb not null,
  bytes bigint not null,
  sha256 bytea not null,
  storage_key text not null unique,
  thumbnail_key text,
  source text not null check (source in ('UPLOAD', 'URL')),
  source_url text,
  created_at timestamptz not null default almanac_now(),
  closed_at timestamptz
);
create index media_items_library on media_items (social_set_id, created_at desc, id desc) where closed_at is null;

-- Converted copies, made once per item and form.
create table media_renditions (
  id uuid primary key,
  media_id uuid not null references media_items on delete cascade,
  spec text not null,
  facts jsonb not null,
  storage_key text not null unique,
  created_at timestamptz not null default almanac_now(),
  unique (media_id, spec)
);

create table media_uploads (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  social_set_id uuid not null references social_sets,
  url text not null,
  name text,
  alt_text text,
  status text not null default 'PENDING' check (status in ('PENDING', 'PROCESSING', 'READY', 'FAILED')),
  bytes_received bigint not null default 0,
  bytes_total bigint,
  media_id uuid references media_items,
  error_code text,
  error_message text,
  attempts integer not null default 0,
  lease_owner text,
  lease_until timestamptz,
  rung_at timestamptz,
  created_at timestamptz not null default almanac_now(),
  updated_at timestamptz not null default almanac_now()
);
create index media_uploads_pending on media_uploads (social_set_id) where status in ('PENDING', 'PROCESSING');

create table labels (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  name text not null,
  color text,
  created_at timestamptz not null default almanac_now(),
  unique (account_id, name)
);

-- The calendar is the queue: status and scheduled_at of these rows are the only truth of what is due.
create table post_sets (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  social_set_id uuid not null references social_sets,
  scheduled_at timestamptz not null,
  -- When a request last made this set scheduled or moved it; lateness counts from the later of the two.
  schedule_requested_at timestamptz not null default almanac_now(),
  status text not null check (status in ('DRAFT', 'SCHEDULED', 'PUBLISHING', 'PUBLISHED')),
  approval text not null check (approval in ('NONE', 'PENDING', 'EXTERNAL_PENDING', 'APPROVED', 'DENIED')),
  locked_at timestamptz,
  locked_by text,
  -- Raised by every change of anything, and by changes of what is published.
  version integer not null default 1,
  content_version integer not null default 1,
  claimed_at timestamptz,
  published_at timestamptz,
  created_at timestamptz not null default almanac_now(),
  updated_at timestamptz not null default almanac_now()
);
create index post_sets_due on post_sets (scheduled_at) where status = 'SCHEDULED';
create index post_sets_calendar on post_sets (social_set_id, scheduled_at, id);
create index post_sets_created on post_sets (social_set_id, created_at, id);

create table posts (
  id uuid primary key,
  post_set_id uuid not null references post_sets on delete cascade,
  position integer not null,
  account_type text not null,
  caption text not null,
  fields jsonb not null,
  created_at timestamptz not null default almanac_now(),
  updated_at timestamptz not null default almanac_now()
);
create index posts_set on posts (post_set_id, position);

create table post_media (
  id uuid primary key,
  post_id uuid not null references posts on delete cascade,
  media_id uuid not null references media_items,
  position integer not null,
  alt_text text,
  title text,
  description text,
  link text,
  tags jsonb not null default '[]'
);
create index post_media_post on post_media (post_id, position);
create index post_media_item on post_media (media_id);

create table post_set_labels (
  post_set_id uuid not null references post_sets on delete cascade,
  label_id uuid not null references labels on delete cascade,
  primary key (post_set_id, label_id)
);
create index post_set_labels_label on post_set_labels (label_id);

-- The sending of one post at one content version. States and who moves them: publishing/README.md.
create table deliveries (
  id uuid primary key,
  post_set_id uuid not null references post_sets on delete cascade,
  post_id uuid not null references posts on delete cascade,
  content_version integer not null,
  account_type text not null,
  connection_id uuid references connections,
  state text not null check (state in
    ('PREPARING', 'READY', 'SENDING', 'CONFIRMING', 'LOOKING_UP', 'FOLLOW_UP', 'FOLLOW_UP_SENDING', 'FOLLOW_UP_LOOKING_UP', 'DONE')),
  handles jsonb not null default '{}',
  attempts integer not null default 0,
  lookups integer not null default 0,
  -- Nothing is done before this time.
  next_at timestamptz not null,
  -- Retries and waits end here.
  gives_up_at timestamptz not null,
  lease_owner text,
  lease_until timestamptz,
  -- When the doorbell was last rung for it.
  rung_at timestamptz,
  -- First and last time that a fence was committed.
  first_fenced_at timestamptz,
  fenced_at timestamptz,
  unknown_since timestamptz,
  last_message text,
  warnings jsonb not null default '[]',
  result jsonb,
  created_at timestamptz not null default almanac_now(),
  updated_at timestamptz not null default almanac_now(),
  finished_at timestamptz,
  unique (post_id, content_version),
  check ((state = 'DONE') = (result is not null))
);
create index deliveries_open on deliveries (next_at) where state <> 'DONE';
create index deliveries_set on deliveries (post_set_id);

create table history (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  post_set_id uuid not null,
  -- Order of the rows of one transaction, whose times are alike.
  sequence bigint generated always as identity,
  at timestamptz not null default almanac_now(),
  actor_type text not null check (actor_type in ('USER', 'API_KEY', 'REVIEWER', 'PUBLISHER', 'OPERATOR')),
  actor_id text,
  actor_name text not null,
  action text not null,
  changes jsonb not null default '{}'
);
create index history_set on history (post_set_id, sequence);
