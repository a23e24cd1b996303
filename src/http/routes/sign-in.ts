import type { FastifyInstance } from 'fastify'
import { SIGN_IN_ENDPOINTS } from '#contract'
import {
  confirmEmail,
  passSecondStep,
  type RedeemDeps,
  readResetLink,
  readResetWays,
  readSetupState,
  requestPasswordReset,
  resetPassword,
  type SetUpDeps,
  type SignInDeps,
  setUp,
} from '#operations'
import { type Guard, serveRaw } from '../route.ts'

export type SignInRouteDeps = SignInDeps & SetUpDeps & RedeemDeps

/** The ways in besides a password: second step, links, and the first account. No one is signed in there yet. */
export function signInRoutes(server: FastifyInstance, guard: Guard, deps: SignInRouteDeps): void {
  serveRaw(server, guard, SIGN_IN_ENDPOINTS, {
    'POST /session/second-step': (request) => passSecondStep(deps, request),
    'GET /setup': () => readSetupState(deps),
    'POST /setup': (request) => setUp(deps, request),
    'GET /password-resets': async () => readResetWays(deps),
    'POST /password-resets': (request) => requestPasswordReset(deps, request),
    'POST /password-resets/look': (request) => readResetLink(deps, request),
    'POST /password-resets/redeem': (request) => resetPassword(deps, request),
    'POST /email-changes/redeem': (request) => confirmEmail(deps, request),
  })
}
