-- Whether a program of a language model did it, by the key that the row names.
alter table history add column by_agent boolean not null default false;
