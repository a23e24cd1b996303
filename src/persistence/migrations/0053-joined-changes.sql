-- Texts of history are counted by account and day. Rows from before outlines are not counted.
create index history_texts on history (at, account_id, post_set_id) where outline is not null;

-- Of a change that was joined with its neighbors not all texts are left: what has no text keeps its name.
create or replace function almanac_history_outline(changes jsonb) returns jsonb language sql immutable as $$
  select case when jsonb_typeof(changes #> '{posts,changed}') = 'array' then
    jsonb_set(changes, '{posts,changed}', (
      select coalesce(jsonb_agg(
        case when jsonb_typeof(post -> 'fields') = 'object' then
          post || jsonb_build_object('fields', '{}'::jsonb, 'names', (
            select coalesce(jsonb_agg(name order by name), '[]'::jsonb) from (
              select jsonb_object_keys(post -> 'fields') union
              select jsonb_array_elements_text(case when jsonb_typeof(post -> 'names') = 'array' then post -> 'names' end)
            ) as named (name)))
        else post end
        order by place), '[]'::jsonb)
      from jsonb_array_elements(changes #> '{posts,changed}') with ordinality as changed (post, place)))
  else changes end
$$;
