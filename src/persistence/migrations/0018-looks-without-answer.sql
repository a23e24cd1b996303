-- Looks in a row that a network did not answer: they are made again with the pauses of retries and do not count as looks.
-- An older version leaves it at 0, and counts every look.
alter table deliveries add column missed_looks integer not null default 0;
