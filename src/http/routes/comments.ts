import type { FastifyInstance } from 'fastify'
import { COMMENT_ENDPOINTS } from '#contract'
import { editComment, readThread, removeComment, resolveComment, writeComment } from '#operations'
import type { Database } from '#persistence'
import { type Guard, serveRaw } from '../route.ts'

/** What members write about post sets. */
export function commentRoutes(server: FastifyInstance, guard: Guard, deps: { db: Database }): void {
  serveRaw(server, guard, COMMENT_ENDPOINTS, {
    'GET /post-sets/:id/comments': (caller, { params, query }) => readThread(deps, caller, params.id, query),
    'POST /post-sets/:id/comments': (caller, request) => writeComment(deps, caller, request.params.id, request),
    'PATCH /comments/:id': (caller, request) => editComment(deps, caller, request.params.id, request),
    'DELETE /comments/:id': (caller, { params, query }) => removeComment(deps, caller, params.id, query),
    'PUT /comments/:id/resolved': (caller, request) => resolveComment(deps, caller, request.params.id, request),
  })
}
