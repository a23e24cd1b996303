import type { FastifyInstance } from 'fastify'
import { POST_SET_ENDPOINTS } from '#contract'
import {
  createPostSet,
  getPostSet,
  listPostSets,
  type PostSetDeps,
  removePostSet,
  updatePostSet,
  validatePostSet,
} from '#operations'
import { type Guard, serveRaw } from '../route.ts'

export type PostSetRouteDeps = PostSetDeps

export function postSetRoutes(server: FastifyInstance, guard: Guard, deps: PostSetRouteDeps): void {
  serveRaw(server, guard, POST_SET_ENDPOINTS, {
    'GET /post-sets': (caller, { query }) => listPostSets(deps, caller, query),
    'POST /post-sets': (caller, request) => createPostSet(request.within(deps), caller, request),
    'POST /post-sets/validate': (caller, request) => validatePostSet(deps, caller, request),
    'GET /post-sets/:id': (caller, { params }) => getPostSet(deps, caller, params.id),
    'PATCH /post-sets/:id': (caller, request) =>
      updatePostSet(request.within(deps), caller, request.params.id, request),
    'DELETE /post-sets/:id': (caller, request) => removePostSet(deps, caller, request.params.id, request),
  })
}
