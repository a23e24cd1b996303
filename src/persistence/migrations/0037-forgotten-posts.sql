-- A post that was added while its set fell due could be left out by the claim: the set became PUBLISHED, and the post had no
-- delivery and no result. Nothing of it was sent, so it can be sent again. It failed now, as far as people count what they have
-- not seen.
with forgotten as (
  insert into deliveries (id, post_set_id, post_id, content_version, account_type, connection_id, state, next_at, gives_up_at,
    account_id, lane, due_at, result, surely_absent, finished_at)
  select gen_random_uuid(), post_set.id, posts.id, post_set.content_version, posts.account_type, connections.id, 'DONE',
    almanac_now(), almanac_now(), post_set.account_id, almanac_lane(posts.account_type),
    greatest(post_set.scheduled_at, post_set.schedule_requested_at),
    jsonb_build_object('status', 'FAILED', 'reason', 'UNKNOWN', 'message',
      'The post was not sent because of a fault in Almanac. Nothing of it is live, and it can be sent again.'),
    true, almanac_now()
  from all_post_sets as post_set join posts on posts.post_set_id = post_set.id
    left join connections on connections.social_set_id = posts.social_set_id
      and connections.account_type = posts.account_type and connections.closed_at is null
  where post_set.status = 'PUBLISHED' and not exists (
    select from deliveries
    where deliveries.post_id = posts.id and deliveries.content_version = post_set.content_version)
  returning post_set_id, post_id, account_id, account_type, result
), changed as (
  update all_post_sets set version = version + 1, updated_at = almanac_now()
  where id in (select post_set_id from forgotten) returning id, version
)
insert into history (id, account_id, post_set_id, actor_type, actor_name, action, changes, version)
select gen_random_uuid(), account_id, post_set_id, 'PUBLISHER', 'Publisher', 'post failed',
  jsonb_build_object('postId', post_id, 'accountType', account_type, 'result', result), changed.version
from forgotten join changed on changed.id = forgotten.post_set_id;
