import type { EndpointTable } from '../endpoint.ts'
import { Session, SignInAnswer, SignInBody } from '../session.ts'

/** Signing in and out, and who is signed in. */
export const SESSION_ENDPOINTS = {
  'GET /session': {
    status: 200,
    answer: Session,
    problems: [],
  },
  'POST /session': {
    open: true,
    body: SignInBody,
    touches: ['session'],
    status: 200,
    answer: SignInAnswer,
    problems: ['request:invalid_body', 'auth:wrong_sign_in', 'auth:too_many_attempts'],
  },
  'DELETE /session': {
    open: true,
    touches: ['session'],
    status: 204,
    problems: [],
  },
} as const satisfies EndpointTable
