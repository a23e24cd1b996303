-- Whose approval posts of a brand need before members schedule them. src/operations/approvals/README.md has the states.
alter table social_sets
  add column approval_rule text not null default 'OPTIONAL'
    check (approval_rule in ('OPTIONAL', 'REQUIRED', 'TEAM_THEN_CLIENT')),
  add column approval_reviewers smallint not null default 1 check (approval_reviewers >= 1),
  add column authors_may_approve boolean not null default false;
drop trigger social_sets_tell_updates on social_sets;
create trigger social_sets_tell_updates after update on social_sets
  for each row when (
    (new.name, new.timezone, new.approval_rule, new.approval_reviewers, new.authors_may_approve)
      is distinct from (old.name, old.timezone, old.approval_rule, old.approval_reviewers, old.authors_may_approve))
  execute function almanac_tell_social_set();

-- What waits for a review: of a brand for the inbox, and of all for the reminders.
create index post_sets_awaiting on all_post_sets (social_set_id, scheduled_at, id)
  where approval in ('PENDING', 'EXTERNAL_PENDING') and status in ('DRAFT', 'SCHEDULED') and removed_at is null;
create index post_sets_reminded on all_post_sets (scheduled_at)
  where approval in ('PENDING', 'EXTERNAL_PENDING') and status in ('DRAFT', 'SCHEDULED') and removed_at is null;

-- The row of history by which a post set began to wait, and who created the set when that was a member.
create table review_requests (
  post_set_id uuid primary key references all_post_sets on delete cascade,
  sequence bigint not null,
  asked_at timestamptz not null,
  asked_by_type text not null,
  asked_by_id text,
  asked_by_name text not null,
  author_id text
);
create index review_requests_person on review_requests (asked_by_id) where asked_by_type = 'USER';

create function almanac_note_review_request() returns trigger language plpgsql as $$
begin
  insert into review_requests
    (post_set_id, sequence, asked_at, asked_by_type, asked_by_id, asked_by_name, author_id)
  select new.post_set_id, new.sequence, new.at, new.actor_type, new.actor_id, new.actor_name,
    case when first.actor_type = 'USER' then first.actor_id end
  from (select actor_type, actor_id from history where post_set_id = new.post_set_id order by sequence limit 1) as first
  where exists (select from all_post_sets where id = new.post_set_id)
  on conflict (post_set_id) do update set sequence = excluded.sequence, asked_at = excluded.asked_at,
    asked_by_type = excluded.asked_by_type, asked_by_id = excluded.asked_by_id, asked_by_name = excluded.asked_by_name,
    author_id = excluded.author_id;
  return null;
end $$;
-- A step from the team to the client is the same request, and so is what waits again because a decision was taken back.
create trigger history_note_review_request after insert on history for each row
  when (
    coalesce(new.changes -> 'approval' ->> 'to', new.changes ->> 'approval') in ('PENDING', 'EXTERNAL_PENDING')
    and new.action <> 'review taken back'
    and not (new.action = 'approved' and new.changes -> 'approval' ->> 'from' in ('PENDING', 'EXTERNAL_PENDING')))
  execute function almanac_note_review_request();

insert into review_requests (post_set_id, sequence, asked_at, asked_by_type, asked_by_id, asked_by_name, author_id)
select post_set.id, asked.sequence, asked.at, asked.actor_type, asked.actor_id, asked.actor_name,
  case when first.actor_type = 'USER' then first.actor_id end
from all_post_sets as post_set,
  lateral (
    select * from history where post_set_id = post_set.id
      and coalesce(changes -> 'approval' ->> 'to', changes ->> 'approval') in ('PENDING', 'EXTERNAL_PENDING')
    order by sequence desc limit 1
  ) as asked,
  lateral (select actor_type, actor_id from history where post_set_id = post_set.id order by sequence limit 1) as first
where post_set.approval in ('PENDING', 'EXTERNAL_PENDING');

-- Decisions of reviews, each beside its row of history, which has who, when and what was written.
create table review_decisions (
  post_set_id uuid not null references all_post_sets on delete cascade,
  sequence bigint not null,
  social_set_id uuid not null,
  decision text not null check (decision in ('APPROVED', 'DENIED')),
  step text not null check (step in ('TEAM', 'CLIENT')),
  actor_type text not null,
  actor_id text,
  content_version integer not null,
  decided_at timestamptz not null,
  -- The newest of its post set.
  latest boolean not null,
  primary key (post_set_id, sequence)
);
create index review_decisions_page on review_decisions (social_set_id, decided_at desc, post_set_id desc) where latest;

-- Reminders that were given: of a set, so many hours before the time that it had then.
create table review_reminders (
  post_set_id uuid not null references all_post_sets on delete cascade,
  hours smallint not null,
  scheduled_at timestamptz not null,
  primary key (post_set_id, hours, scheduled_at)
);

-- src/operations/comments/README.md has the states.
create table comments (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  social_set_id uuid not null,
  post_set_id uuid not null references all_post_sets on delete cascade,
  audience text not null check (audience in ('INNER', 'SHARED')),
  author_type text not null check (author_type in ('USER', 'REVIEWER')),
  author_id text not null,
  author_name text not null,
  -- Of a guest: the shared calendar, as it was called then.
  link_name text,
  text text not null,
  mentions uuid[] not null default '{}',
  created_at timestamptz not null default almanac_now(),
  edited_at timestamptz,
  resolved_at timestamptz,
  resolved_by_name text,
  check (author_type = 'USER' or audience = 'SHARED'),
  check ((author_type = 'REVIEWER') = (link_name is not null)),
  check ((resolved_at is null) = (resolved_by_name is null))
);
create index comments_thread on comments (post_set_id, id);
create index comments_author on comments (author_id, created_at);

create function almanac_tell_comment() returns trigger language plpgsql as $$
begin
  perform almanac_tell(
    'comments', coalesce(new.account_id, old.account_id), coalesce(new.social_set_id, old.social_set_id),
    coalesce(new.post_set_id, old.post_set_id)::text);
  return null;
end $$;
create trigger comments_tell after insert or update or delete on comments
  for each row execute function almanac_tell_comment();
