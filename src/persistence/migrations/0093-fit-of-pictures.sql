-- What becomes of a picture whose shape a network does not take: written into each new post of the brand that does not say it.
alter table social_sets
  add column fit text not null default 'REFUSE',
  add check (fit in ('CROP', 'PAD', 'REFUSE'));
