import type { FastifyInstance } from 'fastify'
import { SESSION_ENDPOINTS } from '#contract'
import { readSession, type SignInDeps, signIn, signOut } from '#operations'
import { type Guard, serveRaw } from '../route.ts'

export type SessionRouteDeps = SignInDeps

/** Signing in and out, and who is signed in. */
export function sessionRoutes(server: FastifyInstance, guard: Guard, deps: SessionRouteDeps): void {
  serveRaw(server, guard, SESSION_ENDPOINTS, {
    'GET /session': (caller, { headers }) => readSession(deps, caller, headers),
    'POST /session': (request) => signIn(deps, request),
    'DELETE /session': (request) => signOut(deps, request),
  })
}
