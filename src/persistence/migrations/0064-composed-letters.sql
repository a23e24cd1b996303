-- A search finds a letter with its marks beside it, as a Mac decomposes it, like the one that is a single character: what it looks
-- through is composed from now on (domain/search-text.ts). Here is the same for the sets that are there already.
create function pg_temp.composed(search_text text) returns text language sql immutable strict return (
  select string_agg((
    with decoded as (
      select string_agg(case when run[2] is null then replace(run[1], 'Z', ' ')
        else chr(('x' || lpad(translate(run[2], 'ABCDEFGHIJKLMNOP', '0123456789abcdef'), 8, '0'))::bit(32)::int) end,
        '' order by place) as text
      from regexp_matches(line, '([^X]+)|X([A-P]+)Y', 'g') with ordinality as runs (run, place)
    )
    select coalesce(string_agg(replace(run[1], ' ', 'Z') || case when run[2] = '' then ''
      else 'X' || translate(to_hex(ascii(run[2])), '0123456789abcdef', 'ABCDEFGHIJKLMNOP') || 'Y' end, '' order by place), '')
    from decoded,
      regexp_matches(normalize(text, nfc), '([a-z0-9 ]*)([^a-z0-9 ]?)', 'g') with ordinality as runs (run, place)
  ), E'\n' order by nth)
  from regexp_split_to_table(search_text, '\n') with ordinality as lines (line, nth)
);

-- Few texts are decomposed. The letters named are folded to two characters.
update all_post_sets set search_text = pg_temp.composed(search_text)
where search_text <> '' and id in (
  select post_set_id from posts
  where caption is not nfc normalized or caption ~
    '[\u01f0\u0390\u03b0\u1e96-\u1e99\u1f50\u1f52\u1f54\u1f56\u1fb6\u1fb7\u1fc6\u1fc7\u1fd2\u1fd6\u1fd7\u1fe2\u1fe4\u1fe6\u1fe7\u1ff6\u1ff7]'
);
