import type { Rule } from '../conformance.ts'

export const statesRules: readonly Rule[] = [
  {
    id: 'states-01',
    rule: 'DRAFT: the set never publishes until it is scheduled.',
  },
  {
    id: 'states-02',
    rule: 'DRAFT: posts are checked loosely.',
  },
  {
    id: 'states-03',
    rule: 'SCHEDULED: the set is published at scheduledAt.',
  },
  {
    id: 'states-04',
    rule: 'SCHEDULED: posts are checked against every rule of their networks.',
  },
  {
    id: 'states-05',
    rule: 'Sets that are DRAFT or SCHEDULED can be changed.',
  },
  {
    id: 'states-06',
    rule: 'PUBLISHING: the set is read-only.',
  },
  {
    id: 'states-07',
    rule: 'PUBLISHED: the set is read-only, and each post has a result.',
  },
  {
    id: 'states-08',
    rule: 'A set is created as DRAFT by a key with post-sets:write; the answer is 201.',
  },
  {
    id: 'states-09',
    rule: 'A set is created as SCHEDULED by a key with both scopes when all posts are valid; the answer is 201.',
  },
  {
    id: 'states-10',
    rule: 'DRAFT becomes SCHEDULED by an update with both scopes when the posts are valid.',
  },
  {
    id: 'states-11',
    rule: 'SCHEDULED becomes DRAFT by an update with post-sets:write alone.',
  },
  {
    id: 'states-12',
    rule: 'SCHEDULED becomes PUBLISHING by itself when its time has come.',
  },
  {
    id: 'states-13',
    rule: 'PUBLISHING becomes PUBLISHED by itself when all is done, and each post gets a result.',
  },
  {
    id: 'states-14',
    rule: 'An update of a set that is PUBLISHING or PUBLISHED is 412 post-set:read_only and changes nothing.',
  },
  {
    id: 'states-15',
    rule: 'SCHEDULED becomes DRAFT when a reviewer requests changes in the product.',
  },
  {
    id: 'states-16',
    rule: 'Approving in the product never makes a set SCHEDULED.',
  },
  {
    id: 'states-17',
    rule: 'An update of a SCHEDULED set needs post-sets:publish even when it does not touch the status.',
  },
  {
    id: 'states-18',
    rule: 'approval is set on create.',
  },
  {
    id: 'states-19',
    rule: 'approval is changed by an update.',
  },
  {
    id: 'states-20',
    rule: 'approval is a filter of the list.',
  },
  {
    id: 'states-21',
    rule: 'Any approval value may follow any other.',
  },
  {
    id: 'states-22',
    rule: 'A create with repeat makes all occurrences at once, each a set like others, with one seriesId.',
  },
  {
    id: 'states-23',
    rule: 'The repeat rule of a set that belongs to a series cannot be changed.',
  },
  {
    id: 'states-24',
    rule: 'The type of a note is settled when it is made: ONE_TIME without repeat, RECURRING with it.',
  },
  {
    id: 'states-25',
    rule: 'A media upload is worked on in the background and ends at READY.',
  },
  {
    id: 'states-26',
    rule: 'Editing an APPROVED set in the product sets it back to PENDING; the status stays.',
  },
]
