import type { EndpointTable } from '../endpoint.ts'
import { HeldStartDue, ResumeBody, ResumedStart } from '../held-start.ts'

const operator = true

/** A start that waits for the person who operates the installation. */
export const HELD_START_ENDPOINTS = {
  'GET /held-start/due': {
    operator,
    status: 200,
    answer: HeldStartDue,
    problems: [],
  },
  'POST /held-start/resume': {
    operator,
    body: ResumeBody,
    touches: ['holds', 'social-sets', 'connections', 'calendar', 'post-sets'],
    status: 200,
    answer: ResumedStart,
    problems: ['request:invalid_body'],
  },
} as const satisfies EndpointTable
