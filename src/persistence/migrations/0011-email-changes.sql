-- Who revoked a key: the name of the person, or `operator`. Null also for keys revoked before this was kept.
alter table api_keys add column revoked_by text;

-- A new mail address that somebody asked for where no mail can be sent. Owners confirm it.
create table email_changes (
  user_id uuid primary key references users on delete cascade,
  -- Lower case.
  email text not null,
  requested_at timestamptz not null default almanac_now(),
  -- Accounts of the person whose owners have confirmed it.
  confirmed_in uuid[] not null default '{}',
  -- Name of the owner who refused it; null while it waits.
  refused_by text
);
