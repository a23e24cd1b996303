-- Search of captions: a trigram index finds a part of a text, within one social set.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- The captions of the set's posts as search sees them, each once, a line each (domain/search-text.ts makes it). On the
-- set, so that a search reads one row of each set.
alter table post_sets add column search_text text not null default '';

-- The same for the posts that are there already.
create function pg_temp.searchable(text text) returns text language sql immutable strict return (
  select coalesce(string_agg(
    run[1] || case when run[2] = '' then ''
      else 'X' || translate(to_hex(ascii(run[2])), '0123456789abcdef', 'ABCDEFGHIJKLMNOP') || 'Y' end, '' order by place), '')
  from regexp_matches(
    translate(replace(lower(text), 'ß', 'ss'), 'ςı ', 'σiZ'), '([a-z0-9Z]*)([^a-z0-9Z]?)', 'g'
  ) with ordinality as runs (run, place)
);
update post_sets set search_text = written.search_text
from (
  select post_set_id, string_agg(distinct pg_temp.searchable(caption), E'\n') as search_text
  from posts group by post_set_id
) as written
where post_sets.id = written.post_set_id;

create index post_sets_search on post_sets using gin (social_set_id, search_text gin_trgm_ops);

-- Lists of what few sets are (drafts, say) pass over the other sets in the index, and read the rows of those alone.
drop index post_sets_calendar;
create index post_sets_calendar on post_sets (social_set_id, scheduled_at, id, status, approval);
drop index post_sets_created;
create index post_sets_created on post_sets (social_set_id, created_at, id, status, approval);
create index posts_type on posts (social_set_id, account_type, post_set_id);
