import type { FastifyInstance } from 'fastify'
import { LABEL_ENDPOINTS } from '#contract'
import { createLabelByMember, listLabelPage, listLabelUsage, mergeLabel, removeLabel, updateLabel } from '#operations'
import type { Database } from '#persistence'
import { type Guard, serve } from '../route.ts'

export interface LabelRouteDeps {
  db: Database
}

export function labelRoutes(server: FastifyInstance, guard: Guard, deps: LabelRouteDeps): void {
  serve(server, guard, LABEL_ENDPOINTS, {
    'GET /labels': (caller, { query }) => listLabelPage(deps, caller, query),
    'GET /labels/usage': (caller) => listLabelUsage(deps, caller),
    'POST /labels': (caller, { body }) => createLabelByMember(deps, caller, body),
    'PATCH /labels/:id': (caller, { params, body }) => updateLabel(deps, caller, params.id, body),
    'POST /labels/:id/merge': (caller, { params, body }) => mergeLabel(deps, caller, params.id, body),
    'DELETE /labels/:id': (caller, { params, query }) => removeLabel(deps, caller, params.id, query),
  })
}
