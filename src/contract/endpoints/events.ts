import type { EndpointTable } from '../endpoint.ts'
import { EventPage, EventQuery } from '../events.ts'
import * as LIMITS from '../limits.ts'

/** The events of the account, in order. */
export const EVENT_ENDPOINTS = {
  'GET /events': {
    api: {
      tag: 'Events',
      summary: 'Follow events',
      description: `Extension. What happened in the account after a position, in order; a key that is restricted to social sets gets only their events. Events are kept for ${LIMITS.events.keptDays} days. A position whose next event is gone is refused with 410, which names the oldest existing one.`,
    },
    query: EventQuery,
    status: 200,
    answer: EventPage,
    problems: ['social-set:not_found', 'event:position_gone', 'rate-limit:exceeded'],
  },
} as const satisfies EndpointTable
