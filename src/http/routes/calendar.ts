import type { FastifyInstance } from 'fastify'
import { CALENDAR_ENDPOINTS } from '#contract'
import {
  type CalendarDeps,
  listHistoryItems,
  readAuthors,
  readCalendar,
  readDeliveries,
  readElsewhere,
  readHistoryTexts,
  restoreNote,
} from '#operations'
import { type Guard, serveRaw } from '../route.ts'

export type CalendarRouteDeps = CalendarDeps

/** What the calendar shows, and the panel of a post set beside the set itself. */
export function calendarRoutes(server: FastifyInstance, guard: Guard, deps: CalendarRouteDeps): void {
  serveRaw(server, guard, CALENDAR_ENDPOINTS, {
    'GET /calendar': (caller, { query }) => readCalendar(deps, caller, query),
    'GET /calendar/elsewhere': (caller, { query }) => readElsewhere(deps, caller, query),
    'GET /calendar/authors': (caller, { query }) => readAuthors(deps, caller, query),
    'GET /post-sets/:id/history': (caller, { params, query }) => listHistoryItems(deps, caller, params.id, query),
    'GET /post-sets/:id/history/:entryId': (caller, { params, query }) =>
      readHistoryTexts(deps, caller, { ...params, query }),
    'GET /post-sets/:id/deliveries': (caller, { params }) => readDeliveries(deps, caller, params.id),
    'POST /notes/:id/restore': (caller, { params, query }) => restoreNote(deps, caller, params.id, { query }),
  })
}
