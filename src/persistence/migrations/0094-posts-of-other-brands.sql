-- A file of another brand is an item of its own over the same bytes (src/operations/media/README.md, "Files of several brands"): several rows
-- may name one key, and bytes go when none does.
alter table media_items drop constraint media_items_storage_key_key;
alter table media_renditions drop constraint media_renditions_storage_key_key;
alter table media_covers drop constraint media_covers_storage_key_key;
create index media_items_stored on media_items (storage_key);
create index media_renditions_stored on media_renditions (storage_key);
create index media_covers_stored on media_covers (storage_key) where storage_key is not null;

-- Post sets that were copied or moved here from another brand (src/operations/post-sets/README.md, "Another brand"): what undoing it needs.
create table post_set_copies (
  post_set_id uuid primary key references all_post_sets on delete cascade,
  original_id uuid not null,
  moved boolean not null,
  -- Items of the library that came with it.
  media_ids uuid[] not null
);
