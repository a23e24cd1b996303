-- Publishing can be stopped for an account, a social set or a connection. A hold is open until it is released; the rows stay
-- as the record of who stopped what, when and why.
create table holds (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  -- Null: the whole account is held.
  social_set_id uuid references social_sets,
  -- Null: the account or the social set is held as a whole.
  connection_id uuid references connections,
  reason text not null,
  held_at timestamptz not null default almanac_now(),
  held_by_type text not null,
  held_by_id text,
  held_by_name text not null,
  released_at timestamptz,
  released_by_type text,
  released_by_id text,
  released_by_name text,
  -- What happened to what was late; null of a hold that ended with its connection.
  late text check (late in ('PUBLISH', 'PARK')),
  check (connection_id is null or social_set_id is not null),
  check (released_at is not null or (released_by_name is null and late is null))
);
-- One open hold of each thing. Every look for due posts, and every fence, asks this index.
create unique index holds_open on holds (account_id, social_set_id, connection_id) nulls not distinct
  where released_at is null;

-- What a social set shows of its posts depends on its holds.
create function almanac_tell_hold() returns trigger language plpgsql as $$
begin
  perform almanac_tell('social-sets', new.account_id, social_sets.id, social_sets.id::text)
  from social_sets
  where social_sets.account_id = new.account_id
    and (new.social_set_id is null or social_sets.id = new.social_set_id);
  return null;
end $$;
create trigger holds_tell after insert or update on holds for each row execute function almanac_tell_hold();
