-- The part of a picture that a post shows, as fractions of the upright original: {"x", "y", "width", "height"}. Null: all of it.
alter table post_media add column crop jsonb;
