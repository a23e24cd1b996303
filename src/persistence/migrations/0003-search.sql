-- Search of captions: a trigram index finds a part of a text, within one social set.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- A text as search sees it: small letters, digits and spaces stay; every other character becomes letters, from X to Y.
-- So trigrams are made of all of Unicode and of punctuation too, whatever the locale of the server takes for a letter,
-- no text contains a line break, % or _, and a part of this text is a part of that one and the other way round.
create function searchable(text text) returns text language sql immutable parallel safe strict return (
  select coalesce(string_agg(
    run[1] || case when run[2] = '' then ''
      else 'X' || translate(to_hex(ascii(run[2])), '0123456789abcdef', 'ABCDEFGHIJKLMNOP') || 'Y' end, '' order by place), '')
  from regexp_matches(lower(text), '([a-z0-9 ]*)([^a-z0-9 ]?)', 'g') with ordinality as runs (run, place)
);

-- The captions of the set's posts, each once, a line each. On the set, so that a search reads one row of each set.
alter table post_sets add column search_text text not null default '';

-- Written by the database whenever posts are, so that nobody who writes posts can forget it.
create function write_search_text() returns trigger language plpgsql as $$
begin
  update post_sets set search_text = written.search_text
  from (
    select id, coalesce((
      select string_agg(distinct searchable(caption), E'\n') from posts where post_set_id = touched.id
    ), '') as search_text
    from (select distinct post_set_id as id from touched_posts) as touched
  ) as written
  where post_sets.id = written.id and post_sets.search_text <> written.search_text;
  return null;
end $$;
create trigger posts_inserted after insert on posts
  referencing new table as touched_posts for each statement execute function write_search_text();
create trigger posts_updated after update on posts
  referencing new table as touched_posts for each statement execute function write_search_text();
create trigger posts_deleted after delete on posts
  referencing old table as touched_posts for each statement execute function write_search_text();

update post_sets set search_text = written.search_text
from (
  select post_set_id, string_agg(distinct searchable(caption), E'\n') as search_text from posts group by post_set_id
) as written
where post_sets.id = written.post_set_id;

create index post_sets_search on post_sets using gin (social_set_id, search_text gin_trgm_ops);

-- Lists of what few sets are (drafts, say) pass over the other sets in the index, and read the rows of those alone.
drop index post_sets_calendar;
create index post_sets_calendar on post_sets (social_set_id, scheduled_at, id, status, approval);
drop index post_sets_created;
create index post_sets_created on post_sets (social_set_id, created_at, id, status, approval);
create index posts_type on posts (social_set_id, account_type, post_set_id);
