-- When somebody last did something in a session, to five minutes. By the real clock, as sessions are.
alter table sessions add column last_used_at timestamptz not null default clock_timestamp();

-- Links that are sent to people: one use each. Of the token only SHA-256 is kept.
create table user_links (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('password-reset', 'email-change')),
  -- The address that a change of address leads to.
  email text,
  expires_at timestamptz not null
);
create index user_links_user on user_links (user_id);
