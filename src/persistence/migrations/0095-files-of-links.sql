-- Whether guests of a link get the documents of posts as files, and not their pages alone.
alter table shared_calendars add column allows_files boolean not null default false;
