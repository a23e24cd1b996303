import type { Rule } from '../conformance.ts'

export const errorsRules: readonly Rule[] = [
  {
    id: 'errors-01',
    rule: 'Every error has a code that programs read.',
    proof: [
      'test/api/errors.error.test.ts › routes that there are not',
      'test/api/errors.error.test.ts › what is hardly HTTP › is answered with a problem all the same',
      'test/api/errors.security.test.ts › of an error of ours, nothing is reported but the request',
    ],
  },
  {
    id: 'errors-02',
    rule: 'What is wrong with posts is reported in one entry per problem.',
    proof: [
      'test/api/post-sets.error.test.ts › posts that cannot be published › all problems of all posts, with the numbers at stake',
    ],
  },
  {
    id: 'errors-03',
    rule: '400: the range of a list of notes is wider than 366 days or reversed.',
    proof: ['test/api/note-rules.error.test.ts › the query of a list › a range that is %s'],
  },
  {
    id: 'errors-04',
    rule: '400 post-set:repeat_not_updatable: the repeat rule of a set in a series would change.',
    proof: ['test/api/series.error.test.ts › a repeat rule › of a set that belongs to a series cannot change'],
  },
  {
    id: 'errors-05',
    rule: '403 post-set:monthly_posts_exceeded: the monthly post limit is reached.',
    proof: [
      'test/api/plans.error.test.ts › the monthly post limit › counts drafts, scheduled sets and every set of a series; says limit and count',
      'test/api/series.error.test.ts › a series is made whole or not at all › when it would pass the monthly limit',
    ],
  },
  {
    id: 'errors-06',
    rule: '403 post-set:carousels_not_available: the plan has no carousels.',
    proof: ['test/api/plans.error.test.ts › without carousels › a post %s is refused'],
  },
  {
    id: 'errors-07',
    rule: '403 post-set:videos_not_available: the plan has no video.',
    proof: ['test/api/plans.error.test.ts › without video › %s is refused in drafts too, at create and at update'],
  },
  {
    id: 'errors-08',
    rule: '403 post-set:repeats_not_available: the plan has no repeats.',
    proof: ['test/api/plans.error.test.ts › without repeats nothing is repeated'],
  },
  {
    id: 'errors-09',
    rule: '403: an approval other than NONE, or a change of approval, when the plan has no approvals.',
    proof: ['test/api/plans.error.test.ts › without approvals › a set is made without one, and none is changed'],
  },
  {
    id: 'errors-10',
    rule: '404: what does not exist, or lies outside of what the key may see.',
    proof: [
      'test/api/post-sets.error.test.ts › what is not there › a set, with any form of id',
      'test/api/post-sets.security.test.ts › what a key does not see is not there › sets and social sets outside of the restriction of a key, in bodies too',
    ],
  },
  {
    id: 'errors-11',
    rule: '412 post-set:read_only: the set is PUBLISHING or PUBLISHED.',
    proof: [
      'test/api/post-sets.error.test.ts › sets that cannot be changed › publishing and published ones, with any body',
    ],
  },
  {
    id: 'errors-12',
    rule: '429: too many requests, with Retry-After of one second.',
    proof: [
      'test/api/rate-limit.error.test.ts › a request that is one too many › is a problem that says when to come back',
    ],
  },
  {
    id: 'errors-13',
    rule: "post-set:invalid_posts: scheduling posts that break their network's rules.",
    proof: [
      'test/api/post-sets.error.test.ts › posts that cannot be published › all problems of all posts, with the numbers at stake',
    ],
  },
  {
    id: 'errors-14',
    rule: 'post-set:duplicate_references: an update that names an id of a post or media item more than once.',
    proof: ['test/api/post-sets.error.test.ts › a change › of references'],
  },
]
