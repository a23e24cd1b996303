import type { FastifyInstance } from 'fastify'
import { IMPORTED_CALENDAR_ENDPOINTS } from '#contract'
import {
  addImportedCalendar,
  fetchImportedCalendar,
  type ImportedCalendarDeps,
  listImportedCalendars,
  previewRemoval,
  removeImportedCalendar,
  updateImportedCalendar,
} from '#operations'
import { type Guard, serveRaw } from '../route.ts'
import { takeCalendarForms } from './calendar-form.ts'

/** Calendars of others whose events are notes. */
export function importedCalendarRoutes(
  server: FastifyInstance,
  guard: Guard,
  deps: ImportedCalendarDeps & Parameters<typeof takeCalendarForms>[1],
): void {
  // A context of its own: no other route takes such forms.
  server.register(async (calendars) => {
    takeCalendarForms(calendars, deps)
    serveCalendars(calendars, guard, deps)
  })
}

function serveCalendars(server: FastifyInstance, guard: Guard, deps: ImportedCalendarDeps): void {
  serveRaw(server, guard, IMPORTED_CALENDAR_ENDPOINTS, {
    'GET /imported-calendars': (caller, { query }) => listImportedCalendars(deps, caller, query),
    'POST /imported-calendars': (caller, request) => addImportedCalendar(deps, caller, request),
    'PATCH /imported-calendars/:id': (caller, request) =>
      updateImportedCalendar(deps, caller, request.params.id, request),
    'POST /imported-calendars/:id/fetch': (caller, request) =>
      fetchImportedCalendar(deps, caller, request.params.id, request),
    'GET /imported-calendars/:id/removal': (caller, { params }) => previewRemoval(deps, caller, params.id),
    'DELETE /imported-calendars/:id': (caller, request) =>
      removeImportedCalendar(deps, caller, request.params.id, request),
  })
}
