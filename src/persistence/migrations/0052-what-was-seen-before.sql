-- The version that a guest had seen before the last one, when it said something else: what has changed between the two is read
-- after the new one was seen.
alter table shared_seen add column before_version integer;
