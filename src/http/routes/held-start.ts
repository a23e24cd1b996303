import type { FastifyInstance } from 'fastify'
import { HELD_START_ENDPOINTS } from '#contract'
import { readHeldStartDue, resumeHeldStart } from '#operations'
import type { Database } from '#persistence'
import { type Guard, serveRaw } from '../route.ts'

export interface HeldStartRouteDeps {
  db: Database
}

/** A start that waits for the person who operates the installation. */
export function heldStartRoutes(server: FastifyInstance, guard: Guard, deps: HeldStartRouteDeps): void {
  serveRaw(server, guard, HELD_START_ENDPOINTS, {
    'GET /held-start/due': (caller) => readHeldStartDue(deps, caller),
    'POST /held-start/resume': (caller, request) => resumeHeldStart(deps, caller, request),
  })
}
