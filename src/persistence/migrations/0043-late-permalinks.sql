-- A post that is live and whose address the network had not yet is looked for again (src/publishing/README.md, "Permalinks").
alter table deliveries add column permalink_looks smallint not null default 0;

-- The few that may be waiting: `permalink_looks` counts what was looked.
create index deliveries_without_permalink on deliveries (finished_at)
  where state = 'DONE' and permalink_looks < 3 and result ->> 'providerId' is not null and result ->> 'permalink' is null;
