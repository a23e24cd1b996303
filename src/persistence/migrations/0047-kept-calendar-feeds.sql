-- What an address of a calendar was answered with last (docs/decisions/0054). It can be made again at any time.
create unlogged table kept_calendar_feeds (
  feed_id uuid primary key references calendar_feeds on delete cascade,
  -- When it was last compared with what there is.
  checked_at timestamptz,
  -- Of what was written; another one means that it is written again.
  version text,
  etag text,
  -- iCalendar, compressed by gzip, and its bytes before that.
  body bytea,
  bytes integer,
  check ((version is null) = (checked_at is null) and (version is null) = (etag is null)),
  check ((version is null) = (body is null) and (version is null) = (bytes is null))
);
