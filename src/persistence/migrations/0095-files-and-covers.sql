-- Whether guests of a link get the documents of posts as files, and not their pages alone.
alter table shared_calendars add column allows_files boolean not null default false;

-- The cover of a post may be an option of it, in milliseconds (0085).
create or replace function almanac_cover_ms(fields jsonb) returns integer immutable language sql as $$
  select case
    when fields ->> 'type' = 'STORY' then null
    when jsonb_typeof(fields -> 'videoCoverImage') = 'number'
      then floor(least((fields -> 'videoCoverImage')::numeric, 86400) * 1000)::integer
    when jsonb_typeof(fields -> 'videoCoverImageSeconds') = 'number'
      then floor(least((fields -> 'videoCoverImageSeconds')::numeric, 86400) * 1000)::integer
    when jsonb_typeof(fields #> '{options,coverMilliseconds}') = 'number'
      then floor(least((fields #> '{options,coverMilliseconds}')::numeric, 86400000))::integer
  end
$$;
