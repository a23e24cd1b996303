-- Whose approval cannot count: the one who changed the content of a post set last. src/operations/approvals/README.md has the rule.
-- What is content is said here and by `changesContent` of src/domain/approvals.ts, which a test holds together.
create function almanac_changes_content(action text, changes jsonb) returns boolean language sql immutable as $$
  select action = 'created' or changes ? 'posts' or changes ? 'repeat'
$$;

create function almanac_content_changed(post_set uuid) returns table (sequence bigint, user_id text)
language sql stable rows 1 as $$
  select history.sequence, case when actor_type = 'USER' then actor_id end
  from history where post_set_id = post_set and almanac_changes_content(action, coalesce(outline, changes))
  order by history.sequence desc limit 1
$$;

-- The same, kept for what waits, so that lists read no history: the row by which the content became what it is, and the
-- member whose row that is.
alter table review_requests add column content_sequence bigint, add column content_by text;

create or replace function almanac_note_review_request() returns trigger language plpgsql as $$
begin
  insert into review_requests
    (post_set_id, sequence, asked_at, asked_by_type, asked_by_id, asked_by_name, author_id, content_sequence, content_by)
  select new.post_set_id, new.sequence, new.at, new.actor_type, new.actor_id, new.actor_name,
    case when first.actor_type = 'USER' then first.actor_id end, content.sequence, content.user_id
  from (select actor_type, actor_id from history where post_set_id = new.post_set_id order by sequence limit 1) as first
    left join almanac_content_changed(new.post_set_id) as content on true
  where exists (select from all_post_sets where id = new.post_set_id)
  on conflict (post_set_id) do update set sequence = excluded.sequence, asked_at = excluded.asked_at,
    asked_by_type = excluded.asked_by_type, asked_by_id = excluded.asked_by_id, asked_by_name = excluded.asked_by_name,
    author_id = excluded.author_id, content_sequence = excluded.content_sequence, content_by = excluded.content_by;
  return null;
end $$;

create function almanac_note_content_change() returns trigger language plpgsql as $$
begin
  update review_requests
  set content_sequence = new.sequence, content_by = case when new.actor_type = 'USER' then new.actor_id end
  where post_set_id = new.post_set_id;
  return null;
end $$;
create trigger history_note_content_change after insert on history for each row
  when (new.action <> 'created' and almanac_changes_content(new.action, new.changes))
  execute function almanac_note_content_change();

-- What waits already. What is asked about later brings its own.
update review_requests set content_sequence = content.sequence, content_by = content.user_id
from all_post_sets as post_set, lateral almanac_content_changed(post_set.id) as content
where post_set.id = review_requests.post_set_id and post_set.approval in ('PENDING', 'EXTERNAL_PENDING')
  and post_set.status in ('DRAFT', 'SCHEDULED');
