-- A cover that the network takes only hours behind the post is set by looks of its own (src/publishing/README.md, "Covers"): how many
-- there were. Null: none is waited for.
alter table deliveries add column cover_looks smallint;

-- The few that are waiting.
create index deliveries_without_cover on deliveries (finished_at) where cover_looks is not null;
