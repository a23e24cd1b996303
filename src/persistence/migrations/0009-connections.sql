-- A sign-in that a member began in the dashboard ends in the session that began it and nowhere else; both null: the
-- operator's command began it.
alter table authorizations
  add column started_by uuid references users on delete cascade,
  -- No reference: a session that is gone must not make the sign-in anybody's.
  add column session_id uuid,
  add constraint authorizations_starter check ((started_by is null) = (session_id is null));

-- When something last went out on a connection.
create index deliveries_connection on deliveries (connection_id, finished_at);
