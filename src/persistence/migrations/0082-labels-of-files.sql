-- Labels of files, the same ones that posts have. What is removed or merged is seen at once: nothing of a file depends on its labels.
create table media_labels (
  media_id uuid not null references media_items on delete cascade,
  label_id uuid not null references labels on delete cascade,
  primary key (media_id, label_id)
);
create index media_labels_label on media_labels (label_id);

-- Open pages show a file that others have brought in, renamed or deleted, and a picture that the server has drawn of a video: that is
-- on the cards of posts as well.
create function almanac_tell_media() returns trigger language plpgsql as $$
begin
  perform almanac_tell('media', new.account_id, new.social_set_id, new.id::text);
  if tg_op = 'UPDATE' and new.thumbnail_key is distinct from old.thumbnail_key then
    perform almanac_tell('post-sets', new.account_id, new.social_set_id, null);
  end if;
  return null;
end $$;

create trigger media_items_tell_insert after insert on media_items for each row execute function almanac_tell_media();
create trigger media_items_tell_update after update of name, alt_text, thumbnail_key, closed_at on media_items for each row
  when ((new.name, new.alt_text, new.thumbnail_key, new.closed_at) is distinct from (old.name, old.alt_text, old.thumbnail_key, old.closed_at))
  execute function almanac_tell_media();
