import type { FastifyInstance } from 'fastify'
import { HoldBody, Holds, HoldWaiting, PlacedHold, ReleaseBody, ReleasedHold } from '#contract'
import { placeHold, readHolds, readHoldWaiting, releaseHold } from '#operations'
import type { Database } from '#persistence'
import { dashboardRoute } from '../dashboard-route.ts'
import { type Guard, idOf } from '../route.ts'

export interface HoldRouteDeps {
  db: Database
}

/** Stopping publishing, and letting it go on. */
export function holdRoutes(server: FastifyInstance, guard: Guard, deps: HoldRouteDeps): void {
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/holds',
    status: 200,
    answer: Holds,
    problems: [],
    handle: (caller) => readHolds(deps, caller),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/holds',
    right: 'post-sets:publish',
    body: HoldBody,
    status: 201,
    answer: PlacedHold,
    problems: ['request:invalid_body', 'request:refused', 'social-set:not_found', 'connection:not_found'],
    handle: (caller, request) => placeHold(deps, caller, request),
  })
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/holds/:id/waiting',
    status: 200,
    answer: HoldWaiting,
    problems: ['request:refused', 'hold:not_found'],
    handle: (caller, request) => readHoldWaiting(deps, caller, idOf(request)),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/holds/:id/release',
    right: 'post-sets:publish',
    body: ReleaseBody,
    status: 200,
    answer: ReleasedHold,
    problems: ['request:invalid_body', 'request:refused', 'hold:not_found'],
    handle: (caller, request) => releaseHold(deps, caller, idOf(request), request),
  })
}
