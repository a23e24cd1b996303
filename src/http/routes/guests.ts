import type { FastifyInstance } from 'fastify'
import {
  type AnswerOf,
  type Endpoint,
  type ErrorCode,
  GUEST_ENDPOINTS,
  type GuestEndpoints,
  type Method,
  type ParamsOf,
} from '#contract'
import type { MediaStore, UrlSigner } from '#media'
import {
  addGuestComment,
  addGuestNote,
  approveAsGuest,
  changeGuestEmail,
  decideAsGuest,
  type Guest,
  listGuestComments,
  nameGuest,
  noteSeen,
  openGuestMedia,
  openGuestPictures,
  readGuestCalendar,
  readGuestCaption,
  readGuestPost,
  readGuestVisit,
  undoAsGuest,
  type VisitDeps,
} from '#operations'
import { type Guard, type RawRequest, type RegisteredRoute, registerRoute } from '../register-route.ts'
import { sendFile } from './media-files.ts'

/** Below it lies all that guests fetch. */
const VIEW = '/shared/view/:link'

export interface GuestRouteDeps extends VisitDeps {
  store: MediaStore
  urls: UrlSigner
}

/** What every route for guests may answer besides its own codes. */
const GUEST_COMMON: ErrorCode[] = [
  'shared-calendar:not_found',
  'auth:cross_site_request',
  'rate-limit:exceeded',
  'request:refused',
  'request:not_acceptable',
  'internal:error',
  'service:unavailable',
]

type GuestHandlers = {
  [Name in keyof GuestEndpoints]: (
    guest: Guest,
    request: RawRequest<ParamsOf<Name>>,
  ) => Promise<GuestEndpoints[Name] extends { answer: unknown } ? AnswerOf<GuestEndpoints[Name]> : void>
}

/** What guests of a shared calendar ask for, and the files of posts that it shows. */
export function guestRoutes(server: FastifyInstance, guard: Guard, given: GuestRouteDeps): void {
  const deps = { ...given, base: new URL(given.publicUrl).pathname.replace(/\/$/, '') }
  const handlers: GuestHandlers = {
    'GET /visit': (guest) => readGuestVisit(deps, guest),
    'PUT /visit/name': (guest, request) => nameGuest(deps, guest, request),
    'PUT /visit/email': (guest, request) => changeGuestEmail(deps, guest, request),
    'GET /calendar': (guest, { query }) => readGuestCalendar(deps, guest, query),
    'GET /posts/:id': (guest, { params }) => readGuestPost(deps, guest, params.id),
    'GET /posts/:id/changes/:postId': (guest, { params, query }) => readGuestCaption(deps, guest, { ...params, query }),
    'PUT /posts/:id/seen': (guest, request) => noteSeen(deps, guest, request.params.id, request),
    'POST /posts/:id/decision': (guest, request) => decideAsGuest(deps, guest, request.params.id, request),
    'POST /posts/:id/decision/undo': (guest, request) => undoAsGuest(deps, guest, request.params.id, request),
    'POST /approvals': (guest, request) => approveAsGuest(deps, guest, request),
    'GET /posts/:id/comments': (guest, { params }) => listGuestComments(deps, guest, params.id),
    'POST /posts/:id/comments': (guest, request) => addGuestComment(deps, guest, request.params.id, request),
    'POST /notes': (guest, request) => addGuestNote(deps, guest, request),
  }
  for (const [name, endpoint] of Object.entries<Endpoint>(GUEST_ENDPOINTS)) {
    const [method, path] = name.split(' ') as [Method, string]
    const handler = handlers[name as keyof GuestEndpoints] as (guest: Guest, request: RawRequest) => Promise<unknown>
    const handle: RegisteredRoute['handle'] = async ({ guest }, request) => handler(requireGuest(guest), request)
    const route = { method, url: `${VIEW}${path}`, endpoint, handle, common: GUEST_COMMON, forGuests: true } as const
    registerRoute(server, guard, route)
  }
  const pictures = openGuestPictures(given)
  server.route({
    method: ['GET', 'HEAD'],
    url: `${VIEW}/media/:id/:variant`,
    schema: { hide: true },
    config: { forGuests: true, isGuestMedia: true },
    async handler(request, reply) {
      const { id, variant } = request.params as { id: string; variant: string }
      const file = await openGuestMedia({ ...deps, pictures }, requireGuest(request.guest), { id, variant })
      return sendFile(request, reply, file, { 'cache-control': 'no-store' })
    },
  })
}

function requireGuest(guest: Guest | null): Guest {
  if (!guest) throw new Error('A route for guests was reached without one.')
  return guest
}
