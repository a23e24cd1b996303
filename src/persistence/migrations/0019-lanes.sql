-- Deliveries wait in lanes, one for each network, and workers take the next ones from there
-- (src/publishing/README.md, "Lanes"). Null of what is done.
alter table deliveries
  add column account_id uuid,
  add column lane text,
  -- When the post should have gone out: the later of its time and the request that scheduled it.
  add column due_at timestamptz,
  add column place text check (place in ('WAITING', 'HEAD', 'UNDER_WAY', 'ASLEEP')),
  -- Of a head: 1 on time, 2 late.
  add column class smallint,
  add column turn bigint;

create function almanac_lane(account_type text) returns text language sql immutable return case account_type
  when 'TWITTER' then 'x'
  when 'LINKEDIN_PAGE' then 'linkedin'
  when 'LINKEDIN_PERSONAL' then 'linkedin'
  when 'GMB' then 'google-business'
  else lower(account_type)
end;

update deliveries
set account_id = post_set.account_id,
  lane = almanac_lane(deliveries.account_type),
  due_at = greatest(post_set.scheduled_at, post_set.schedule_requested_at),
  place = case
    when deliveries.state not in ('PREPARING', 'READY') or deliveries.lease_owner is not null then 'UNDER_WAY'
    when deliveries.next_at > almanac_now() then 'ASLEEP'
    else 'WAITING'
  end
from all_post_sets as post_set
where post_set.id = deliveries.post_set_id and deliveries.state <> 'DONE';

-- A process of the version before may claim once more before it sees this migration: what it inserts comes into its lane.
create function almanac_into_lane() returns trigger language plpgsql as $$
begin
  select account_id, greatest(scheduled_at, schedule_requested_at) into new.account_id, new.due_at
  from all_post_sets where id = new.post_set_id;
  new.lane := almanac_lane(new.account_type);
  new.place := 'WAITING';
  return new;
end $$;
create trigger deliveries_into_lane before insert on deliveries for each row
  when (new.place is null and new.state <> 'DONE') execute function almanac_into_lane();

-- Every row of this index can be taken now.
create index deliveries_heads on deliveries (lane, class, turn) where place = 'HEAD' and state <> 'DONE';
create index deliveries_heads_of_account on deliveries (lane, account_id, turn) where place = 'HEAD' and state <> 'DONE';
-- By when each is looked at next: the end of its lease, or its own time.
create index deliveries_under_way on deliveries (lane, coalesce(lease_until, next_at))
  where place = 'UNDER_WAY' and state <> 'DONE';
create index deliveries_asleep on deliveries (next_at) where place = 'ASLEEP' and state <> 'DONE';
create index deliveries_waiting on deliveries (connection_id, due_at) where place = 'WAITING' and state <> 'DONE';
-- What a connection has in its turn: as many as its limit, whoever has them in hand.
create index deliveries_in_turn on deliveries (connection_id)
  where (place = 'HEAD' or lease_owner is not null) and state <> 'DONE';

-- The highest turn that was taken in a lane: what joins it begins there.
create table lanes (
  name text primary key,
  turn bigint not null default 0
);

-- What is due at once wakes the workers, which otherwise look each second; likewise a file that is to be imported. One
-- notification per transaction and topic, whatever it holds.
create function almanac_wake() returns trigger language plpgsql as $$
begin
  perform pg_notify('almanac_wake', tg_argv[0]);
  return null;
end $$;
create trigger post_sets_wake_insert after insert on all_post_sets for each row
  when (new.status = 'SCHEDULED' and new.scheduled_at <= almanac_now() + interval '1 second')
  execute function almanac_wake('posts');
create trigger post_sets_wake_update after update of status, scheduled_at on all_post_sets for each row
  when (new.status = 'SCHEDULED' and new.scheduled_at <= almanac_now() + interval '1 second')
  execute function almanac_wake('posts');
create trigger holds_wake after update of released_at on holds for each statement execute function almanac_wake('posts');
create trigger media_uploads_wake after insert on media_uploads for each statement execute function almanac_wake('imports');
