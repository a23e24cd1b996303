import { CalendarFeedAnswer, IssuedCalendarFeed } from '../calendar-feeds.ts'
import type { EndpointTable } from '../endpoint.ts'
import {
  MadeSharedCalendar,
  SharedCalendar,
  SharedCalendarBody,
  SharedCalendarLook,
  SharedCalendars,
  SharedCalendarUpdateBody,
  SharedCalendarVisitors,
} from '../shared-calendars.ts'

const right = 'shared-calendars:manage'

/** Links for guests, as members manage them. `guests.ts` has the endpoints for guests. */
export const SHARED_CALENDAR_ENDPOINTS = {
  'GET /shared-calendars': {
    right,
    status: 200,
    answer: SharedCalendars,
    problems: [],
  },
  'POST /shared-calendars': {
    right,
    body: SharedCalendarBody,
    touches: ['shared-calendars', 'calendar-feeds'],
    status: 201,
    answer: MadeSharedCalendar,
    problems: ['request:invalid_body', 'social-set:not_found', 'plan:approvals_not_available'],
  },
  'PATCH /shared-calendars/:id': {
    right,
    body: SharedCalendarUpdateBody,
    touches: ['shared-calendars', 'calendar-feeds'],
    status: 200,
    answer: SharedCalendar,
    problems: [
      'request:invalid_body',
      'shared-calendar:not_found',
      'social-set:not_found',
      'plan:approvals_not_available',
    ],
  },
  'POST /shared-calendars/:id/renew': {
    right,
    touches: ['shared-calendars', 'calendar-feeds'],
    status: 200,
    answer: MadeSharedCalendar,
    problems: ['shared-calendar:not_found'],
  },
  'POST /shared-calendars/:id/close': {
    right,
    touches: ['shared-calendars', 'calendar-feeds'],
    status: 200,
    answer: SharedCalendar,
    problems: ['shared-calendar:not_found'],
  },
  'POST /shared-calendars/:id/copy': {
    right,
    touches: ['shared-calendars'],
    status: 200,
    answer: MadeSharedCalendar,
    problems: ['shared-calendar:not_found'],
  },
  'POST /shared-calendars/:id/look': {
    right,
    touches: [],
    status: 200,
    answer: SharedCalendarLook,
    problems: ['shared-calendar:not_found'],
  },
  'GET /shared-calendars/:id/visitors': {
    right,
    status: 200,
    answer: SharedCalendarVisitors,
    problems: ['shared-calendar:not_found'],
  },
  'GET /shared-calendars/:id/calendar-feed': {
    right,
    status: 200,
    answer: CalendarFeedAnswer,
    problems: ['shared-calendar:not_found'],
  },
  'PUT /shared-calendars/:id/calendar-feed': {
    right,
    touches: ['calendar-feeds'],
    status: 200,
    answer: IssuedCalendarFeed,
    problems: ['shared-calendar:not_found'],
  },
  'DELETE /shared-calendars/:id/calendar-feed': {
    right,
    touches: ['calendar-feeds'],
    status: 204,
    problems: ['shared-calendar:not_found'],
  },
} as const satisfies EndpointTable
