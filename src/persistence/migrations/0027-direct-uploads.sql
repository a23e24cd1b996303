-- Uploads whose bytes the client sends: src/importing/README.md has their states.
alter table media_uploads
  alter column url drop not null,
  -- What a direct upload keeps of the month's allowance until it ends; null of an import.
  add column reserved_bytes bigint,
  -- When bytes of a direct upload arrived last.
  add column received_at timestamptz,
  -- Requests that asked for the offset of a direct upload or sent bytes.
  add column requests integer not null default 0,
  drop constraint media_uploads_status_check,
  add constraint media_uploads_status_check
    check (status in ('RECEIVING', 'PENDING', 'PROCESSING', 'READY', 'FAILED')),
  add constraint media_uploads_source_check
    check ((url is null) = (reserved_bytes is not null) and (url is null) = (received_at is not null)
      and (status <> 'RECEIVING' or url is null));

create index media_uploads_open on media_uploads (account_id, social_set_id)
  where status in ('RECEIVING', 'PENDING', 'PROCESSING');

create trigger media_uploads_wake_received after update of status on media_uploads for each row
  when (old.status = 'RECEIVING' and new.status = 'PENDING') execute function almanac_wake('imports');
