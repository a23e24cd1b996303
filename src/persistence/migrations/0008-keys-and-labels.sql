-- From where a key was used last, noted with the time of it.
alter table api_keys add column last_used_address text;
