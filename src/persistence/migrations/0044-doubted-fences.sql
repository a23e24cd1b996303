-- The first fence of a delivery, where it was written by a clock that was wrong, and no one knows by how much: a network that does not list
-- what came since then proves nothing.
alter table deliveries add column doubted_fence_at timestamptz;

-- How far the database's clock is ahead of what workers believe, by their last word; null: they believe it.
alter table heartbeat add column clock_ahead_ms bigint;
