import type { Rule } from '../conformance.ts'

export const eventsRules: readonly Rule[] = [
  {
    id: 'events-01',
    rule: 'Nothing is sent to clients by itself: there are no operations for webhooks or callbacks.',
  },
  {
    id: 'events-02',
    rule: 'Changes of status are seen by reading the set.',
  },
  {
    id: 'events-03',
    rule: 'GET /v1/events says what happened in the account: an event says the state right after it and by whom it was, without texts.',
  },
  {
    id: 'events-04',
    rule: 'One change may make several events; one that changes nothing makes none.',
  },
  {
    id: 'events-05',
    rule: 'Events have positions from 1 in their account, without gaps; a page is ascending, and nextAfter says where the next one begins, also when it is empty. Without after nothing but nextAfter is answered.',
  },
  {
    id: 'events-06',
    rule: 'types and socialSetId narrow events; nextAfter passes what was left out.',
  },
  {
    id: 'events-07',
    rule: 'wait holds the answer for up to 20 seconds until there is an event that was asked for.',
  },
  {
    id: 'events-08',
    rule: 'A position behind which events are gone, and one that was never given, is 410 event:position_gone, which names the oldest event that there is.',
  },
  {
    id: 'events-09',
    rule: 'Every active key reads events; one for some social sets gets what is about these, and holds of the whole account.',
  },
]
