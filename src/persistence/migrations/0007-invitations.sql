-- People who were asked to become members. The link's token is kept as SHA-256 only. The table that was here before
-- was never written to.
drop table invitations;
create table invitations (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  -- Lower case.
  email text not null,
  role text not null check (role in ('owner', 'admin', 'editor', 'author', 'reviewer')),
  -- Null: all social sets of the account.
  social_set_ids uuid[],
  token_hash bytea not null unique,
  invited_by uuid references users on delete set null,
  inviter_name text not null,
  created_at timestamptz not null default almanac_now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  check (accepted_at is null or revoked_at is null)
);
-- One that is open for each address; it may have expired.
create unique index invitations_open on invitations (account_id, email)
  where accepted_at is null and revoked_at is null;
