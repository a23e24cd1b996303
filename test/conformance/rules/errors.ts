import type { Rule } from '../conformance.ts'

export const errorsRules: readonly Rule[] = [
  {
    id: 'errors-01',
    rule: 'Every error has a code that programs read.',
  },
  {
    id: 'errors-02',
    rule: 'What is wrong with posts is reported in one entry per problem.',
  },
  {
    id: 'errors-03',
    rule: '400: the range of a list of notes is wider than 366 days or reversed.',
  },
  {
    id: 'errors-04',
    rule: '400 post-set:repeat_not_updatable: the repeat rule of a set in a series would change.',
  },
  {
    id: 'errors-05',
    rule: '403 post-set:monthly_posts_exceeded: the monthly post limit is reached.',
  },
  {
    id: 'errors-06',
    rule: '403 post-set:carousels_not_available: the plan has no carousels.',
  },
  {
    id: 'errors-07',
    rule: '403 post-set:videos_not_available: the plan has no video.',
  },
  {
    id: 'errors-08',
    rule: '403 post-set:repeats_not_available: the plan has no repeats.',
  },
  {
    id: 'errors-09',
    rule: '403: an approval other than NONE, or a change of approval, when the plan has no approvals.',
  },
  {
    id: 'errors-10',
    rule: '404: what does not exist, or lies outside of what the key may see.',
  },
  {
    id: 'errors-11',
    rule: '412 post-set:read_only: the set is PUBLISHING or PUBLISHED.',
  },
  {
    id: 'errors-12',
    rule: '429: too many requests, with Retry-After of one second.',
  },
  {
    id: 'errors-13',
    rule: "post-set:invalid_posts: scheduling posts that break their network's rules.",
  },
  {
    id: 'errors-14',
    rule: 'post-set:duplicate_references: an update that names an id of a post or media item more than once.',
  },
]
