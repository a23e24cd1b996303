-- Deliveries of any number of parts (src/publishing/README.md, "States of a delivery"). What came of each part, and the present one:
-- empty while that is the post, and of what a version before has brought to its first comment.
alter table deliveries add column parts jsonb not null default '[]';

-- Parts that a version before does not know have states that it does not know.
alter table deliveries drop constraint deliveries_state_check;
alter table deliveries add constraint deliveries_state_check check (state in (
  'PREPARING', 'READY', 'SENDING', 'CONFIRMING', 'LOOKING_UP', 'FOLLOW_UP', 'FOLLOW_UP_SENDING', 'FOLLOW_UP_LOOKING_UP',
  'PART_PREPARING', 'PART_READY', 'PART_SENDING', 'PART_CONFIRMING', 'PART_LOOKING_UP', 'DONE'));
