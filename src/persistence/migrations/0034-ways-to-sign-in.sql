-- By which way to sign in a connection was made, on networks that have several; null: the first one.
alter table connections add column sign_in text;
