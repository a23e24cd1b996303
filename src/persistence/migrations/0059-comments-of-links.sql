-- By which shared calendar a guest's comment came: all guests of a link together have so many on a post
-- (src/operations/comments/README.md). Null: a member's, or written by a version that kept the name of the link alone.
alter table comments
  add column shared_calendar_id uuid;
