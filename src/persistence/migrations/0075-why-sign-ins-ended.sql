-- Why a sign-in came to nothing, by an id that the dashboard has words for; null: only the sentence in `message` is known.
alter table authorizations add column why jsonb;
