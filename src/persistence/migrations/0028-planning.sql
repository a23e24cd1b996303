-- Times of the week at which a social set posts, by its own clock and in order: [{"weekday": 1, "time": "09:00"}].
alter table social_sets add column saved_times jsonb not null default '[]';

create table hashtag_groups (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  social_set_id uuid not null references social_sets on delete cascade,
  name text not null,
  tags text[] not null,
  created_at timestamptz not null default almanac_now(),
  updated_at timestamptz not null default almanac_now(),
  unique (social_set_id, name)
);
create index hashtag_groups_account on hashtag_groups (account_id);

-- What members type and have not saved. It goes with the membership, the social set and the post set. Its time is in no
-- index: a row that is written every second stays where it is.
create table kept_drafts (
  account_id uuid not null,
  user_id uuid not null,
  -- Of a draft for a post set the id of that, else one that the client made.
  id uuid not null,
  social_set_id uuid not null references social_sets on delete cascade,
  post_set_id uuid references all_post_sets on delete cascade check (post_set_id = id),
  -- The highest of the requests that wrote it.
  sequence bigint not null,
  based_on_version integer,
  excerpt text not null,
  -- As it came: nothing here reads it. Null: it was deleted, and the sequence keeps late requests from bringing it back.
  content json,
  updated_at timestamptz not null default almanac_now(),
  primary key (account_id, user_id, id),
  foreign key (account_id, user_id) references memberships (account_id, user_id) on delete cascade
);
create index kept_drafts_social_set on kept_drafts (social_set_id);
create index kept_drafts_post_set on kept_drafts (post_set_id) where post_set_id is not null;
