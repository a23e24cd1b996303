import type { FastifyInstance } from 'fastify'
import { SOCIAL_SET_ENDPOINTS } from '#contract'
import {
  changeSavedTimes,
  createSocialSetByMember,
  listFreeSlots,
  listSocialSets,
  previewTimezoneChange,
  readSavedTimes,
  updateSocialSet,
} from '#operations'
import type { Database } from '#persistence'
import { type Guard, serveRaw } from '../route.ts'

export interface SocialSetRouteDeps {
  db: Database
}

export function socialSetRoutes(server: FastifyInstance, guard: Guard, deps: SocialSetRouteDeps): void {
  serveRaw(server, guard, SOCIAL_SET_ENDPOINTS, {
    'GET /social-sets': (caller, { query }) => listSocialSets(deps, caller, query),
    'POST /social-sets': (caller, request) => createSocialSetByMember(deps, caller, request),
    'PATCH /social-sets/:id': (caller, request) => updateSocialSet(deps, caller, request.params.id, request),
    'GET /social-sets/:id/timezone-change': (caller, { params, query }) =>
      previewTimezoneChange(deps, caller, params.id, query),
    'GET /social-sets/:id/saved-times': (caller, { params }) => readSavedTimes(deps, caller, params.id),
    'PUT /social-sets/:id/saved-times': (caller, request) => changeSavedTimes(deps, caller, request.params.id, request),
    'GET /social-sets/:id/free-slots': (caller, { params, query }) => listFreeSlots(deps, caller, params.id, query),
  })
}
