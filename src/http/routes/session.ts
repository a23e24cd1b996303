import type { FastifyInstance } from 'fastify'
import { Session, SignInAnswer, SignInBody } from '#contract'
import { readSession, type SignInDeps, signIn, signOut } from '#operations'
import { dashboardRoute, openRoute } from '../dashboard-route.ts'
import type { Guard } from '../route.ts'

export type SessionRouteDeps = SignInDeps

/** Signing in and out, and who is signed in. */
export function sessionRoutes(server: FastifyInstance, guard: Guard, deps: SessionRouteDeps): void {
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/session',
    status: 200,
    answer: Session,
    problems: [],
    handle: (caller, { headers }) => readSession(deps, caller, headers),
  })
  openRoute(server, guard, {
    method: 'POST',
    url: '/internal/session',
    body: SignInBody,
    status: 200,
    answer: SignInAnswer,
    problems: ['request:invalid_body', 'auth:wrong_sign_in', 'auth:too_many_attempts'],
    handle: (request) => signIn(deps, request),
  })
  openRoute(server, guard, {
    method: 'DELETE',
    url: '/internal/session',
    status: 204,
    problems: [],
    handle: (request) => signOut(deps, request),
  })
}
