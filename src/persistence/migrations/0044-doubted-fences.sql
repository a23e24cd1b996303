-- The first fence of a delivery, where it was written by a clock that was wrong, and no one knows by how much: a network that does not list
-- what came since then proves nothing.
alter table deliveries add column doubted_fence_at timestamptz;
