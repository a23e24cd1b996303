-- Where nearly all deliveries are done and the database was analyzed while nothing was open, PostgreSQL holds each index of open
-- ones for empty, whatever waits at the moment. Then it took any of them that a statement allowed, and each step of a delivery
-- read all that were open. So the condition of each of these is now one that only its own statements name. They say the same:
-- what is done has a result, a time of its end, no place and no turn.
drop index deliveries_open;
create index deliveries_unfinished on deliveries (account_id) where finished_at is null;
drop index deliveries_in_turn;
create index deliveries_in_turn on deliveries (connection_id)
  where (place = 'HEAD' or lease_owner is not null) and result is null;
drop index deliveries_heads_of_account;
create index deliveries_heads_of_account on deliveries (lane, account_id, turn) where place = 'HEAD' and turn is not null;

-- Of the rows that are there, few are under way, and those change four times each: a fifth of all rows is long to wait for.
alter table deliveries set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table all_post_sets set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
-- One row for each network, which is written at every pull.
alter table lanes set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
