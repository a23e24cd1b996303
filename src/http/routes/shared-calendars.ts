import type { FastifyInstance } from 'fastify'
import { SHARED_CALENDAR_ENDPOINTS } from '#contract'
import {
  closeSharedCalendar,
  closeSharedCalendarFeed,
  createSharedCalendar,
  issueSharedCalendarFeed,
  listSharedCalendars,
  listSharedCalendarVisitors,
  lookAtSharedCalendar,
  readSharedCalendarFeed,
  renewSharedCalendar,
  type SharedCalendarDeps,
  updateSharedCalendar,
} from '#operations'
import { type Guard, serveRaw } from '../route.ts'

/** Links for guests, for members. */
export function sharedCalendarRoutes(server: FastifyInstance, guard: Guard, deps: SharedCalendarDeps): void {
  serveRaw(server, guard, SHARED_CALENDAR_ENDPOINTS, {
    'GET /shared-calendars': (caller) => listSharedCalendars(deps, caller),
    'POST /shared-calendars': (caller, request) => createSharedCalendar(deps, caller, request),
    'PATCH /shared-calendars/:id': (caller, request) => updateSharedCalendar(deps, caller, request.params.id, request),
    'POST /shared-calendars/:id/renew': (caller, request) =>
      renewSharedCalendar(deps, caller, request.params.id, request),
    'POST /shared-calendars/:id/close': (caller, request) =>
      closeSharedCalendar(deps, caller, request.params.id, request),
    'POST /shared-calendars/:id/look': (caller, request) =>
      lookAtSharedCalendar(deps, caller, request.params.id, request),
    'GET /shared-calendars/:id/visitors': (caller, { params }) => listSharedCalendarVisitors(deps, caller, params.id),
    'GET /shared-calendars/:id/calendar-feed': (caller, { params }) => readSharedCalendarFeed(deps, caller, params.id),
    'PUT /shared-calendars/:id/calendar-feed': (caller, request) =>
      issueSharedCalendarFeed(deps, caller, request.params.id, request),
    'DELETE /shared-calendars/:id/calendar-feed': (caller, request) =>
      closeSharedCalendarFeed(deps, caller, request.params.id, request),
  })
}
