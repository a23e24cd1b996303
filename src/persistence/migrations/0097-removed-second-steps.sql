-- When the second step of a member was last removed by someone else, and the name of the owner who did; no name: the operator.
alter table memberships
  add column second_step_removed_at timestamptz,
  add column second_step_removed_by text;
