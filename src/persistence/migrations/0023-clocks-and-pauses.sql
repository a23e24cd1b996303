-- How long a lease was made for: whoever takes it over counts that by a clock of its own (src/publishing/README.md,
-- "Lease, fence and the visible call"). Null of a lease that a version before has taken.
alter table deliveries add column lease_ms integer;

-- A network asks to wait: with all posts of an identity, or with all of the app, whose lane is closed for new work until then
-- (src/publishing/README.md, "Pauses").
alter table network_identities add column not_before timestamptz, add column not_before_message text;
alter table lanes add column not_before timestamptz, add column not_before_message text;
