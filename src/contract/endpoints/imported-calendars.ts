import type { EndpointTable } from '../endpoint.ts'
import {
  ImportedCalendar,
  ImportedCalendarBody,
  ImportedCalendarForm,
  ImportedCalendarRemoval,
  ImportedCalendars,
  ImportedCalendarUpdateBody,
  ImportedCalendarUpdateForm,
} from '../imported-calendars.ts'
import { SocialSetQuery } from '../queries.ts'

const right = 'calendars:manage'

/** Imported calendars, whose events become notes. */
export const IMPORTED_CALENDAR_ENDPOINTS = {
  'GET /imported-calendars': {
    query: SocialSetQuery,
    status: 200,
    answer: ImportedCalendars,
    problems: ['social-set:not_found'],
  },
  'POST /imported-calendars': {
    right,
    body: ImportedCalendarBody,
    form: ImportedCalendarForm,
    touches: ['imported-calendars', 'calendar', 'notes'],
    status: 201,
    answer: ImportedCalendar,
    problems: ['request:invalid_body', 'social-set:not_found', 'imported-calendar:limit_reached', 'request:timeout'],
  },
  'PATCH /imported-calendars/:id': {
    right,
    body: ImportedCalendarUpdateBody,
    form: ImportedCalendarUpdateForm,
    touches: ['imported-calendars', 'calendar', 'notes'],
    status: 200,
    answer: ImportedCalendar,
    problems: ['request:invalid_body', 'imported-calendar:not_found', 'request:timeout'],
  },
  'POST /imported-calendars/:id/fetch': {
    right,
    touches: ['imported-calendars', 'calendar', 'notes'],
    status: 200,
    answer: ImportedCalendar,
    problems: ['imported-calendar:not_found'],
  },
  'GET /imported-calendars/:id/removal': {
    right,
    status: 200,
    answer: ImportedCalendarRemoval,
    problems: ['imported-calendar:not_found'],
  },
  'DELETE /imported-calendars/:id': {
    right,
    touches: ['imported-calendars', 'calendar', 'notes'],
    status: 204,
    problems: ['imported-calendar:not_found'],
  },
} as const satisfies EndpointTable
