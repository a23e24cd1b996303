-- Two windows that write under one id: the window that wrote last, so that another one asks before it writes over that
-- (src/operations/kept-drafts/README.md).
alter table kept_drafts
  add column writer uuid,
  -- Of one that was saved as a post set: the sequence of what was saved. The same again is the same save.
  add column saved_sequence bigint,
  -- When it was read last, to the day. Null: never.
  add column opened_at timestamptz,
  -- A process of the version before does not bring back what was saved.
  add constraint kept_drafts_saved check (saved_sequence is null or content is null);

-- A post set takes the id that its draft had, if no one else's draft has it.
create index kept_drafts_id on kept_drafts (id);
