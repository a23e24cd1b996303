-- The colour by which people tell the brands of an account apart.
alter table social_sets add column color text not null default '#0b866d';

update social_sets set color = (array['#0b866d', '#9457db', '#cb4f0b', '#0d819f', '#d72c8f', '#2a8823', '#6267ea', '#a16c04', '#1974e3',
  '#727d0e', '#e42a23'])[1 + (brand.number - 1) % 11]
from (select id, row_number() over (partition by account_id order by created_at, id) as number from social_sets) as brand
where brand.id = social_sets.id and brand.number > 1;

-- The token of a shared calendar, sealed for its row, so that those who may share it can copy its address again. Null: it was made
-- before tokens were kept. And whether its guests are addressed formally, in languages that know the difference.
alter table shared_calendars
  add column secret bytea,
  add column secret_key_id text,
  add column formal boolean not null default false,
  add check ((secret is null) = (secret_key_id is null));

-- Who was shown the address again, and when: it is known to them.
create table shared_calendar_copies (
  id uuid primary key,
  shared_calendar_id uuid not null references shared_calendars on delete cascade,
  user_id uuid references users on delete set null,
  user_name text not null,
  copied_at timestamptz not null default almanac_now()
);
create index shared_calendar_copies_calendar on shared_calendar_copies (shared_calendar_id, copied_at);
create index shared_calendar_copies_user on shared_calendar_copies (user_id) where user_id is not null;
