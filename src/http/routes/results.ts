import type { FastifyInstance } from 'fastify'
import { RESULT_ENDPOINTS } from '#contract'
import {
  listResults,
  lookAtPostSet,
  putSeen,
  type ResultsDeps,
  readUnseen,
  retryPostSet,
  retryPostSets,
} from '#operations'
import { type Guard, serveRaw } from '../route.ts'

/** The results of posts, and what members do about what failed. */
export function resultRoutes(server: FastifyInstance, guard: Guard, deps: ResultsDeps): void {
  serveRaw(server, guard, RESULT_ENDPOINTS, {
    'GET /results': (caller, { query }) => listResults(deps, caller, query),
    'GET /results/unseen': (caller, { query }) => readUnseen(deps, caller, query),
    'PUT /results/seen': (caller, request) => putSeen(deps, caller, request),
    'POST /post-sets/:id/retry': (caller, request) => retryPostSet(deps, caller, request.params.id, request),
    'POST /post-sets/retry': (caller, request) => retryPostSets({ ...deps, log: guard.log }, caller, request),
    'POST /post-sets/:id/look': (caller, request) => lookAtPostSet(deps, caller, request.params.id, request),
  })
}
