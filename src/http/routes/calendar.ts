import type { FastifyInstance } from 'fastify'
import { Calendar, CalendarAuthors, HistoryItem, Note, PostDeliveries, pageOf } from '#contract'
import {
  type CalendarDeps,
  listHistoryItems,
  readAuthors,
  readCalendar,
  readDeliveries,
  restoreNote,
} from '#operations'
import { dashboardRoute } from '../dashboard-route.ts'
import { CalendarQuery, PageQuery, SocialSetQuery } from '../queries.ts'
import type { Guard } from '../route.ts'

export type CalendarRouteDeps = CalendarDeps

/** What the calendar shows, and the panel of a post set beside the set itself. */
export function calendarRoutes(server: FastifyInstance, guard: Guard, deps: CalendarRouteDeps): void {
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/calendar',
    query: CalendarQuery,
    status: 200,
    answer: Calendar,
    problems: ['social-set:not_found'],
    handle: (caller, { query }) => readCalendar(deps, caller, query),
  })
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/calendar/authors',
    query: SocialSetQuery,
    status: 200,
    answer: CalendarAuthors,
    problems: ['social-set:not_found'],
    handle: (caller, { query }) => readAuthors(deps, caller, query),
  })
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/post-sets/:id/history',
    query: PageQuery,
    status: 200,
    answer: pageOf(HistoryItem),
    problems: ['post-set:not_found'],
    handle: (caller, { params, query }) => listHistoryItems(deps, caller, params.id ?? '', query),
  })
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/post-sets/:id/deliveries',
    status: 200,
    answer: PostDeliveries,
    problems: ['post-set:not_found'],
    handle: (caller, { params }) => readDeliveries(deps, caller, params.id ?? ''),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/notes/:id/restore',
    right: 'notes:write',
    status: 200,
    answer: Note,
    problems: ['note:not_found', 'request:refused'],
    handle: (caller, { params, query }) => restoreNote(deps, caller, params.id ?? '', { query }),
  })
}
