import type { FastifyInstance } from 'fastify'
import { POST_SET_ACTION_ENDPOINTS } from '#contract'
import {
  changePostSets,
  duplicatePostSet,
  movePostSet,
  type PostSetDeps,
  putLabels,
  putLock,
  readSeriesDates,
  removeSeries,
  restorePostSet,
  reviewPostSet,
} from '#operations'
import { type Guard, serveRaw } from '../route.ts'

/** What members do to post sets in the calendar, besides writing them. */
export function postSetActionRoutes(server: FastifyInstance, guard: Guard, deps: PostSetDeps): void {
  serveRaw(server, guard, POST_SET_ACTION_ENDPOINTS, {
    'PUT /post-sets/:id/lock': (caller, request) => putLock(deps, caller, request.params.id, request),
    'PUT /post-sets/:id/labels': (caller, request) => putLabels(deps, caller, request.params.id, request),
    'POST /post-sets/:id/review': (caller, request) => reviewPostSet(deps, caller, request.params.id, request),
    'POST /post-sets/:id/duplicate': (caller, request) => duplicatePostSet(deps, caller, request.params.id, request),
    'POST /post-sets/:id/restore': (caller, request) => restorePostSet(deps, caller, request.params.id, request),
    'POST /post-sets/:id/move': (caller, request) => movePostSet(deps, caller, request.params.id, request),
    'POST /post-sets/:id/remove': (caller, request) => removeSeries(deps, caller, request.params.id, request),
    'POST /post-sets/series-dates': (caller, request) => readSeriesDates(deps, caller, request),
    'POST /post-sets/bulk': (caller, request) => changePostSets({ ...deps, log: guard.log }, caller, request),
  })
}
