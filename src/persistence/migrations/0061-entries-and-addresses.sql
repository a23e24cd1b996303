-- Who was shown the address that a shared calendar has now: whoever created it, until another one gets another address for it. Of
-- addresses from before it is not known, and taken to be the creator.
alter table shared_calendars add column renewed_by uuid references users on delete set null;
update shared_calendars set renewed_by = created_by where renewed_at is not null;
create index shared_calendars_renewer on shared_calendars (renewed_by) where renewed_by is not null;

-- 'begin': a browser that has followed the address of a link, and is a guest only once it loads the page.
alter table shared_keys
  drop constraint shared_keys_purpose_check,
  add constraint shared_keys_purpose_check check (purpose in ('enter', 'confirm', 'begin'));
