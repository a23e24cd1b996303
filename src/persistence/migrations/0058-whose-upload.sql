-- Who began an upload: the id of a user or of a key. Unfinished uploads are counted for each of them (src/importing/README.md).
-- Null: begun by a version that did not write it down.
alter table media_uploads
  add column begun_by uuid,
  add column begun_by_name text;
