-- Who operates the installation, beside any role in its accounts.
alter table users add column is_operator boolean not null default false;

-- The operator's apps on networks, where the environment sets none.
create table network_apps (
  id uuid primary key,
  network text not null,
  -- What the names of the app's settings begin with: `PAGE_`, or nothing.
  prefix text not null,
  -- Id and secret, sealed for this row.
  secret bytea not null,
  secret_key_id text not null,
  set_by uuid references users on delete set null,
  set_by_name text not null,
  set_at timestamptz not null default almanac_now(),
  unique (network, prefix)
);
create index network_apps_setter on network_apps (set_by) where set_by is not null;

-- Every process keeps what it has read of them.
create function almanac_tell_network_apps() returns trigger language plpgsql as $$
begin
  perform pg_notify('almanac_network_apps', '');
  return null;
end $$;
create trigger network_apps_tell after insert or update or delete on network_apps
  for each statement execute function almanac_tell_network_apps();
