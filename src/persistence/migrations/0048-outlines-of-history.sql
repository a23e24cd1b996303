-- What a row of history says without the texts in it: the fields that changed by name. So a list reads few bytes however long
-- the texts are, which stay in `changes`. Rows from before have none; theirs is made when they are read.
alter table history add column outline jsonb;

create function almanac_history_outline(changes jsonb) returns jsonb language sql immutable as $$
  select case when jsonb_typeof(changes #> '{posts,changed}') = 'array' then
    jsonb_set(changes, '{posts,changed}', (
      select coalesce(jsonb_agg(
        case when jsonb_typeof(post -> 'fields') = 'object' then
          post || jsonb_build_object('fields', '{}'::jsonb, 'names', (
            select coalesce(jsonb_agg(name order by name), '[]'::jsonb) from jsonb_object_keys(post -> 'fields') as name))
        else post end
        order by place), '[]'::jsonb)
      from jsonb_array_elements(changes #> '{posts,changed}') with ordinality as changed (post, place)))
  else changes end
$$;

create function almanac_outline_history() returns trigger language plpgsql as $$
begin
  new.outline := almanac_history_outline(new.changes);
  return new;
end
$$;

create trigger history_outline before insert or update of changes on history
  for each row when (jsonb_typeof(new.changes #> '{posts,changed}') = 'array') execute function almanac_outline_history();
