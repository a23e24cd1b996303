import type { FastifyInstance } from 'fastify'
import { HASHTAG_GROUP_ENDPOINTS } from '#contract'
import { createHashtagGroup, listHashtagGroups, removeHashtagGroup, updateHashtagGroup } from '#operations'
import type { Database } from '#persistence'
import { type Guard, serveRaw } from '../route.ts'

/** Hashtags that are put into captions together. */
export function hashtagGroupRoutes(server: FastifyInstance, guard: Guard, deps: { db: Database }): void {
  serveRaw(server, guard, HASHTAG_GROUP_ENDPOINTS, {
    'GET /hashtag-groups': (caller, { query }) => listHashtagGroups(deps, caller, query),
    'POST /hashtag-groups': (caller, request) => createHashtagGroup(deps, caller, request),
    'PATCH /hashtag-groups/:id': (caller, request) => updateHashtagGroup(deps, caller, request.params.id, request),
    'DELETE /hashtag-groups/:id': (caller, request) => removeHashtagGroup(deps, caller, request.params.id, request),
  })
}
