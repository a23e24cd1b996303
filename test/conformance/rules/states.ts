import type { Rule } from '../conformance.ts'

export const statesRules: readonly Rule[] = [
  {
    id: 'states-01',
    rule: 'DRAFT: the set never publishes until it is scheduled.',
    proof: [
      'test/api/publishing-rules.happy.test.ts › a draft is not published, with any approval and however late it is',
    ],
  },
  {
    id: 'states-02',
    rule: 'DRAFT: posts are checked loosely.',
    proof: ['test/api/post-sets.happy.test.ts › create › a draft may break every rule of a network'],
  },
  {
    id: 'states-03',
    rule: 'SCHEDULED: the set is published at scheduledAt.',
    proof: [
      'test/engine/delivery.test.ts › a set that is due is claimed, sent and published, and history records it',
      'test/engine/delivery.test.ts › a set that is not due yet stays where it is',
    ],
  },
  {
    id: 'states-04',
    rule: 'SCHEDULED: posts are checked against every rule of their networks.',
    proof: [
      'test/api/post-sets.error.test.ts › posts that cannot be published › all problems of all posts, with the numbers at stake',
    ],
  },
  {
    id: 'states-05',
    rule: 'Sets that are DRAFT or SCHEDULED can be changed.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › the fields of a set › a draft is scheduled and parked again; approval never schedules',
    ],
  },
  {
    id: 'states-06',
    rule: 'PUBLISHING: the set is read-only.',
    proof: [
      'test/api/post-sets.error.test.ts › sets that cannot be changed › publishing and published ones, with any body',
    ],
  },
  {
    id: 'states-07',
    rule: 'PUBLISHED: the set is read-only, and each post has a result.',
    proof: [
      'test/api/post-sets.error.test.ts › sets that cannot be changed › publishing and published ones, with any body',
      'test/e2e/sandbox.test.ts › text, images and video go to both networks at once, and every permalink opens',
    ],
  },
  {
    id: 'states-08',
    rule: 'A set is created as DRAFT by a key with post-sets:write; the answer is 201.',
    proof: [
      'test/api/post-sets.security.test.ts › scopes › a key that only writes makes drafts and never leaves a set scheduled',
    ],
  },
  {
    id: 'states-09',
    rule: 'A set is created as SCHEDULED by a key with both scopes when all posts are valid; the answer is 201.',
    proof: [
      'test/api/post-sets.happy.test.ts › create › a set may be scheduled in the past, and in the future',
      'test/api/post-sets.security.test.ts › scopes › a key that only writes makes drafts and never leaves a set scheduled',
      'test/api/post-sets.error.test.ts › posts that cannot be published › all problems of all posts, with the numbers at stake',
    ],
  },
  {
    id: 'states-10',
    rule: 'DRAFT becomes SCHEDULED by an update with both scopes when the posts are valid.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › versions, times and history › history records what changed, and by which key',
      'test/api/post-sets.security.test.ts › scopes › a key that only writes makes drafts and never leaves a set scheduled',
      'test/api/post-sets.error.test.ts › posts that cannot be published › when a change schedules, moves or changes a set',
    ],
  },
  {
    id: 'states-11',
    rule: 'SCHEDULED becomes DRAFT by an update with post-sets:write alone.',
    proof: [
      'test/api/post-sets.security.test.ts › scopes › a key that only writes makes drafts and never leaves a set scheduled',
    ],
  },
  {
    id: 'states-12',
    rule: 'SCHEDULED becomes PUBLISHING by itself when its time has come.',
    proof: [
      'test/e2e/sandbox.test.ts › a set is seen SCHEDULED, PUBLISHING and PUBLISHED',
      'test/engine/calendar.test.ts › four schedulers that look at once claim each of 300 due sets once',
    ],
  },
  {
    id: 'states-13',
    rule: 'PUBLISHING becomes PUBLISHED by itself when all is done, and each post gets a result.',
    proof: [
      'test/engine/calendar.test.ts › a set is published when its last post is done, also when both end at once',
      'test/e2e/sandbox.test.ts › a set is seen SCHEDULED, PUBLISHING and PUBLISHED',
    ],
  },
  {
    id: 'states-14',
    rule: 'An update of a set that is PUBLISHING or PUBLISHED is 412 post-set:read_only and changes nothing.',
    proof: [
      'test/api/post-sets.error.test.ts › sets that cannot be changed › publishing and published ones, with any body',
      'test/api/post-sets.security.test.ts › at the same time › a set that is claimed while a change waits for it is not changed',
    ],
  },
  {
    id: 'states-15',
    rule: 'SCHEDULED becomes DRAFT when a reviewer requests changes in the product.',
    proof: [
      'test/api/guests.happy.test.ts › deciding › requests changes in words and makes a draft, which stays shown while it is the same',
      'test/cli/review.test.ts › changes are asked for: the set is parked, reported in history, and scheduled again by its author',
      'src/operations/approvals/review.test.ts › requesting changes denies a set and parks a scheduled one as a draft',
    ],
  },
  {
    id: 'states-16',
    rule: 'Approving in the product never makes a set SCHEDULED.',
    proof: [
      'test/api/guests.happy.test.ts › deciding › approves what waits and leaves its status',
      'test/cli/review.test.ts › changes are asked for: the set is parked, reported in history, and scheduled again by its author',
      'src/operations/approvals/review.test.ts › approving leaves the status of a set, raises its version and records in history what changed',
    ],
  },
  {
    id: 'states-17',
    rule: 'An update of a SCHEDULED set needs post-sets:publish even when it does not touch the status.',
    proof: [
      'test/api/post-sets.security.test.ts › scopes › a key that only writes makes drafts and never leaves a set scheduled',
    ],
  },
  {
    id: 'states-18',
    rule: 'approval is set on create.',
    proof: ['test/api/post-sets.happy.test.ts › create › repeat may be null, and every approval is taken'],
  },
  {
    id: 'states-19',
    rule: 'approval is changed by an update.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › the fields of a set › omitted fields keep their values',
      'test/api/post-set-rules.happy.test.ts › any approval follows any other, and the set stays %s',
    ],
  },
  {
    id: 'states-20',
    rule: 'approval is a filter of the list.',
    proof: [
      'test/api/post-set-lists.happy.test.ts › filters › %s',
      'test/api/post-set-rules.happy.test.ts › sets are found by each approval, and by several at once',
    ],
  },
  {
    id: 'states-21',
    rule: 'Any approval value may follow any other.',
    proof: ['test/api/post-set-rules.happy.test.ts › any approval follows any other, and the set stays %s'],
  },
  {
    id: 'states-22',
    rule: 'A create with repeat makes all occurrences at once, each a set like others, with one seriesId.',
    proof: [
      'test/api/series.happy.test.ts › a new series › is made of sets of their own that share a series; the first one is answered and has the rule',
    ],
  },
  {
    id: 'states-23',
    rule: 'The repeat rule of a set that belongs to a series cannot be changed.',
    proof: ['test/api/series.error.test.ts › a repeat rule › of a set that belongs to a series cannot change'],
  },
  {
    id: 'states-24',
    rule: 'The type of a note is settled when it is made: ONE_TIME without repeat, RECURRING with it.',
    proof: [
      'test/api/note-rules.happy.test.ts › a note that repeats › by %s is that many notes of their own, at the same time of the day; the first is answered',
      'test/api/note-rules.happy.test.ts › a new note › is answered with all that it has, and is read and listed the same',
      'test/api/note-rules.error.test.ts › the shape of a note › what it is cannot change: id, social set, type, source, repeat',
    ],
  },
  {
    id: 'states-25',
    rule: 'A media upload is worked on in the background and ends at READY.',
    proof: [
      'test/api/media.happy.test.ts › an image: from its address through PENDING to READY, into the library, and back as the same bytes',
    ],
  },
  {
    id: 'states-26',
    rule: 'Editing an APPROVED set in the product sets it back to PENDING; the status stays.',
    proof: [
      'test/api/post-set-actions.happy.test.ts › what a member edits of an approved set › puts it back to pending, whether the answer is sent back whole or not',
      'test/api/post-set-actions.happy.test.ts › what a member edits of an approved set › moving, labels, a lock and a set sent back unchanged leave it approved, and so does a key',
    ],
  },
]
