-- An id of a network is the result of one delivery of an identity. Nothing is filled in: what versions before have ended may
-- name an id twice, and stays as it is.
alter table deliveries add column identity_id uuid, add column provider_id text, add column words_key text;
create unique index deliveries_provider_id on deliveries (identity_id, provider_id) where provider_id is not null;
