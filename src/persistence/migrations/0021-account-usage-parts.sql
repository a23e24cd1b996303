-- Post sets of accounts whose plan has no limit, counted in several rows of a month: they need not wait for one another.
-- What an account has used is the sum of these and of account_usage. Room on the pages keeps the changes there.
create table account_usage_parts (
  account_id uuid not null references accounts on delete cascade,
  month date not null,
  part smallint not null,
  post_sets integer not null,
  primary key (account_id, month, part)
) with (fillfactor = 50);
