-- What members are, and which social sets they see; null: all of the account.
update memberships set role = 'editor' where role not in ('owner', 'admin', 'editor', 'author', 'reviewer');
alter table memberships
  add column social_set_ids uuid[],
  add constraint memberships_role check (role in ('owner', 'admin', 'editor', 'author', 'reviewer'));

-- How a person wants the dashboard to be; what is missing is as shipped.
alter table users add column preferences jsonb not null default '{}';

-- Tries to prove a password or a code, by who tries. A right one removes the row.
create unlogged table attempts (
  subject text primary key,
  tries integer not null,
  began_at timestamptz not null
);
