import type { EndpointTable } from '../endpoint.ts'
import { HoldBody, Holds, HoldWaiting, PlacedHold, ReleaseBody, ReleasedHold } from '../holds.ts'

/** Stopping and resuming publishing. */
export const HOLD_ENDPOINTS = {
  'GET /holds': {
    status: 200,
    answer: Holds,
    problems: [],
  },
  'POST /holds': {
    right: 'post-sets:publish',
    body: HoldBody,
    touches: ['holds', 'social-sets', 'connections', 'calendar', 'post-sets'],
    status: 201,
    answer: PlacedHold,
    problems: ['request:invalid_body', 'request:refused', 'social-set:not_found', 'connection:not_found'],
  },
  'GET /holds/:id/waiting': {
    status: 200,
    answer: HoldWaiting,
    problems: ['request:refused', 'hold:not_found'],
  },
  'POST /holds/:id/release': {
    right: 'post-sets:publish',
    body: ReleaseBody,
    touches: ['holds', 'social-sets', 'connections', 'calendar', 'post-sets'],
    status: 200,
    answer: ReleasedHold,
    problems: ['request:invalid_body', 'request:refused', 'hold:not_found'],
  },
} as const satisfies EndpointTable
