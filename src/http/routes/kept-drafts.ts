import type { FastifyInstance } from 'fastify'
import { KEPT_DRAFT_ENDPOINTS } from '#contract'
import { forgetKeptDraft, keepDraft, listKeptDrafts, readKeptDraft } from '#operations'
import type { Database } from '#persistence'
import { type Guard, serveRaw } from '../route.ts'

/** What members have typed and not saved. */
export function keptDraftRoutes(server: FastifyInstance, guard: Guard, deps: { db: Database }): void {
  serveRaw(server, guard, KEPT_DRAFT_ENDPOINTS, {
    'GET /kept-drafts': (caller, { query }) => listKeptDrafts(deps, caller, query),
    'GET /kept-drafts/:id': (caller, { params }) => readKeptDraft(deps, caller, params.id),
    'PUT /kept-drafts/:id': (caller, request) => keepDraft(deps, caller, request.params.id, request),
    'DELETE /kept-drafts/:id': (caller, { params, query }) => forgetKeptDraft(deps, caller, params.id, query),
  })
}
