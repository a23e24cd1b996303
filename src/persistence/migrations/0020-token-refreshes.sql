-- Tokens are refreshed outside of any transaction. src/publishing/README.md has the states of a refresh. `refreshed_at` is
-- the version of the secret: every one that replaces another moves it on.
alter table network_identities
  -- The refresh under way. One whose time has passed was interrupted, and another may begin.
  add column refresh_owner uuid,
  add column refresh_until timestamptz,
  -- When the token is renewed although nothing is published; after a failure, when it is tried again. Null where the
  -- network's tokens do not lapse, and of a new secret until the keeper of tokens has seen it.
  add column renew_after timestamptz,
  -- Since the last renewal that succeeded.
  add column renew_failures integer not null default 0,
  add check ((refresh_owner is null) = (refresh_until is null));

create index network_identities_renew_after on network_identities (network, renew_after) where secret is not null;
drop index network_identities_renewal;
