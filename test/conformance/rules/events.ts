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
]
