-- What waits for an endpoint in the order in which it is sent: tests first.
create index webhook_sends_order on webhook_sends (webhook_id, position nulls first) where state = 'WAITING';

create trigger webhook_sends_wake_insert after insert on webhook_sends for each row
  when (new.state = 'WAITING') execute function almanac_wake('webhooks');
create trigger webhook_sends_wake_update after update of state on webhook_sends for each row
  when (new.state = 'WAITING' and old.state <> 'WAITING') execute function almanac_wake('webhooks');

-- Post sets that keys change shortly after an event about them was delivered: perhaps programs that answer to themselves.
create table webhook_loops (
  post_set_id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  -- The last of these changes, 21 at most.
  times timestamptz[] not null,
  -- Until then its `post_set.updated` is not sent; null: nothing is held.
  held_until timestamptz,
  -- The last one that was held.
  position bigint,
  check (position is null or held_until is not null)
);
create index webhook_loops_held on webhook_loops (held_until) where held_until is not null;
