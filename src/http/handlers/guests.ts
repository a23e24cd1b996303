import type { FastifyInstance } from 'fastify'
import { type ErrorCode, GUEST_ENDPOINTS, SHARED_CALENDAR_ENDPOINTS } from '#contract'
import {
  addGuestComment,
  addGuestNote,
  approveAsGuest,
  changeGuestEmail,
  closeSharedCalendar,
  closeSharedCalendarFeed,
  copySharedCalendar,
  createSharedCalendar,
  decideAsGuest,
  type Guest,
  issueSharedCalendarFeed,
  listGuestComments,
  listSharedCalendars,
  listSharedCalendarVisitors,
  lookAtSharedCalendar,
  nameGuest,
  noteSeen,
  type OperationDeps,
  readGuestCalendar,
  readGuestCaption,
  readGuestPost,
  readGuestVisit,
  readSharedCalendarFeed,
  renewSharedCalendar,
  undoAsGuest,
  updateSharedCalendar,
} from '#operations'
import { VIEW } from '../guests.ts'
import { type Door, type Guard, serve, serveAt } from '../route.ts'

/** Links for guests, and what guests ask for. */
export function serveGuests(server: FastifyInstance, guard: Guard, deps: OperationDeps): void {
  serve(server, guard, SHARED_CALENDAR_ENDPOINTS, {
    'GET /shared-calendars': (caller) => listSharedCalendars(deps, caller),
    'POST /shared-calendars': (caller, { body }) => createSharedCalendar(deps, caller, body),
    'PATCH /shared-calendars/:id': (caller, { params, body }) => updateSharedCalendar(deps, caller, params.id, body),
    'POST /shared-calendars/:id/renew': (caller, { params, query }) =>
      renewSharedCalendar(deps, caller, params.id, query),
    'POST /shared-calendars/:id/close': (caller, { params, query }) =>
      closeSharedCalendar(deps, caller, params.id, query),
    'POST /shared-calendars/:id/copy': (caller, { params, query }) =>
      copySharedCalendar(deps, caller, params.id, query),
    'POST /shared-calendars/:id/look': (caller, { params, query }) =>
      lookAtSharedCalendar(deps, caller, params.id, query),
    'GET /shared-calendars/:id/visitors': (caller, { params }) => listSharedCalendarVisitors(deps, caller, params.id),
    'GET /shared-calendars/:id/calendar-feed': (caller, { params }) => readSharedCalendarFeed(deps, caller, params.id),
    'PUT /shared-calendars/:id/calendar-feed': (caller, { params, query }) =>
      issueSharedCalendarFeed(deps, caller, params.id, query),
    'DELETE /shared-calendars/:id/calendar-feed': (caller, { params, query }) =>
      closeSharedCalendarFeed(deps, caller, params.id, query),
  })
  const below = { ...deps, base: new URL(deps.publicUrl).pathname.replace(/\/$/, '') }
  serveAt(OF_GUESTS, server, guard, GUEST_ENDPOINTS, {
    'GET /visit': (guest) => readGuestVisit(deps, guest),
    'PUT /visit/name': (guest, { body }) => nameGuest(deps, guest, body),
    'PUT /visit/email': (guest, request) => changeGuestEmail(deps, guest, request),
    'GET /calendar': (guest, { query }) => readGuestCalendar(below, guest, query),
    'GET /posts/:id': (guest, { params }) => readGuestPost(below, guest, params.id),
    'GET /posts/:id/changes/:postId': (guest, { params, query }) => readGuestCaption(deps, guest, { ...params, query }),
    'PUT /posts/:id/seen': (guest, { params, body }) => noteSeen(deps, guest, params.id, body),
    'POST /posts/:id/decision': (guest, { params, body }) => decideAsGuest(below, guest, params.id, body),
    'POST /posts/:id/decision/undo': (guest, { params, body }) => undoAsGuest(below, guest, params.id, body),
    'POST /approvals': (guest, { body }) => approveAsGuest(deps, guest, body),
    'GET /posts/:id/comments': (guest, { params }) => listGuestComments(deps, guest, params.id),
    'POST /posts/:id/comments': (guest, { params, body }) => addGuestComment(deps, guest, params.id, body),
    'POST /notes': (guest, { body }) => addGuestNote(deps, guest, body),
  })
}

/** What every endpoint for guests may answer besides its own codes. */
const GUEST_COMMON: ErrorCode[] = [
  'shared-calendar:not_found',
  'auth:cross_site_request',
  'rate-limit:exceeded',
  'request:refused',
  'request:not_acceptable',
  'internal:error',
  'service:unavailable',
]

/** Guests of a shared calendar who are on a visit. */
const OF_GUESTS: Door<Guest> = {
  routes: ({ method, path }) => [{ method, url: `${VIEW}${path}`, common: GUEST_COMMON, forGuests: true }],
  who: ({ guest }) => guest,
}
