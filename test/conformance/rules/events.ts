import type { Rule } from '../conformance.ts'

export const eventsRules: readonly Rule[] = [
  {
    id: 'events-01',
    rule: 'Nothing is sent to clients by itself: there are no operations for webhooks or callbacks.',
    proof: [
      'test/api/errors.happy.test.ts › the description of the API › is OpenAPI 3.1 with every operation, its problems, its key and its name',
    ],
  },
  {
    id: 'events-02',
    rule: 'Changes of status are seen by reading the set.',
    proof: ['test/e2e/sandbox.test.ts › a set is seen SCHEDULED, PUBLISHING and PUBLISHED'],
  },
]
