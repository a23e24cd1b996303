-- Frames that the server draws of videos (src/importing/README.md, "Posters"). A video is due until it has a state; each begun attempt
-- is counted before the file is read, so that one which ends its process is not tried forever.
alter table media_items
  add column frame_state text,
  add column frame_attempts integer not null default 0,
  add constraint media_items_frame_state_check check (frame_state in ('DRAWN', 'NONE'));
create index media_items_frames on media_items (created_at desc)
  where frame_state is null and closed_at is null and facts ->> 'type' = 'VIDEO';
