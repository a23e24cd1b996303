-- A part of a thread, or one of several stories, that is unsure when the result is given is looked for again (src/publishing/README.md,
-- "Late parts"): how often that was. Null: none is looked for.
alter table deliveries add column part_looks smallint;

-- The few that are looked for.
create index deliveries_with_unsure_part on deliveries (finished_at) where part_looks is not null;
