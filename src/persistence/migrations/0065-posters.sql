-- Pictures that stand for videos (src/importing/README.md, "Posters"): the file that was made of what a browser has sent. It becomes
-- the thumbnail of the item when the upload turns out to be a video.
alter table media_uploads add column poster_key text;
create index media_uploads_posters on media_uploads (poster_key)
  where poster_key is not null and status in ('RECEIVING', 'PENDING', 'PROCESSING');
