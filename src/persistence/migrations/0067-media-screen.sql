-- The media screen (src/operations/media/README.md). Name and alternative text as search sees them (domain/search-text.ts makes it);
-- null: written by an earlier version, until a duty makes it.
alter table media_items add column search_text text;
create index media_items_search on media_items using gin (social_set_id, search_text gin_trgm_ops) where closed_at is null;
create index media_items_unsearched on media_items (id) where search_text is null;

-- When the bytes of a deleted file were removed.
alter table media_items add column emptied_at timestamptz;
create index media_items_deleted on media_items (closed_at) where closed_at is not null and emptied_at is null;

-- The orders of the screen besides the newest first, which media_items_library has.
create index media_items_names on media_items (social_set_id, lower(name), id) where closed_at is null;
create index media_items_sizes on media_items (social_set_id, bytes desc, id desc) where closed_at is null;
