import type { FastifyInstance } from 'fastify'
import { HOLD_ENDPOINTS } from '#contract'
import { placeHold, readHolds, readHoldWaiting, releaseHold } from '#operations'
import type { Database } from '#persistence'
import { type Guard, serveRaw } from '../route.ts'

export interface HoldRouteDeps {
  db: Database
}

/** Stopping publishing, and letting it go on. */
export function holdRoutes(server: FastifyInstance, guard: Guard, deps: HoldRouteDeps): void {
  serveRaw(server, guard, HOLD_ENDPOINTS, {
    'GET /holds': (caller) => readHolds(deps, caller),
    'POST /holds': (caller, request) => placeHold(deps, caller, request),
    'GET /holds/:id/waiting': (caller, request) => readHoldWaiting(deps, caller, request.params.id),
    'POST /holds/:id/release': (caller, request) => releaseHold(deps, caller, request.params.id, request),
  })
}
