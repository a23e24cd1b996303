-- What this installation is, so that a copy of it, or an older state that was put back, is noticed
-- (src/operations/installation/README.md).
create table installation_identity (
  only_row boolean primary key default true check (only_row),
  -- This very table: one that a dump was restored into is another.
  table_oid oid not null,
  -- Of its witnesses beside the media. Null, as what follows, before the first start.
  id uuid,
  database_oid oid,
  -- Null as well where the role may not ask for it.
  system_identifier text,
  -- Raised at each start and every five minutes, here first and then in the witness.
  counter bigint not null default 0,
  raised_at timestamptz,
  check ((id is null) = (database_oid is null))
);
insert into installation_identity (table_oid) values ('installation_identity'::regclass);

-- The witness of each data folder, as it was last seen. Times are nanoseconds since 1970.
create table data_folders (
  id uuid primary key,
  inode text not null,
  -- Null where the file system has none.
  born_at text,
  changed_at text not null,
  noted_at timestamptz not null default almanac_now()
);
