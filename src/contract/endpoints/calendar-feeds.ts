import { CalendarFeedAnswer, IssuedCalendarFeed } from '../calendar-feeds.ts'
import type { EndpointTable } from '../endpoint.ts'

const right = 'calendars:manage'

/** The address at which calendar programs read a social set. */
export const CALENDAR_FEED_ENDPOINTS = {
  'GET /social-sets/:id/calendar-feed': {
    status: 200,
    answer: CalendarFeedAnswer,
    problems: ['social-set:not_found'],
  },
  'PUT /social-sets/:id/calendar-feed': {
    right,
    touches: ['calendar-feeds'],
    status: 200,
    answer: IssuedCalendarFeed,
    problems: ['social-set:not_found'],
  },
  'DELETE /social-sets/:id/calendar-feed': {
    right,
    touches: ['calendar-feeds'],
    status: 204,
    problems: ['social-set:not_found'],
  },
} as const satisfies EndpointTable
