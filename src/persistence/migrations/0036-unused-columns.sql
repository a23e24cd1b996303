-- Not written and not read since workers look for what is due by themselves (migrations 0019 and 0022).
alter table deliveries drop column rung_at;
alter table media_uploads drop column rung_at;
