-- What else is known of the witness of a data folder (src/operations/installation/README.md).
alter table data_folders
  -- The counter of a write that has begun and was not noted yet; null: none is under way.
  add column writing bigint,
  -- The counter of the installation when the folder was last seen: how long the installation has run since then.
  add column counter bigint not null default 0;
update data_folders set counter = (select counter from installation_identity);
