-- Whose look at a shared calendar it is: it opens nothing once that member may not share that calendar. Those from before have
-- no one, and end within the hour.
alter table shared_keys add column user_id uuid references users on delete cascade;
create index shared_keys_user on shared_keys (user_id) where user_id is not null;
