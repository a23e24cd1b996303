import type { FastifyInstance } from 'fastify'
import {
  ConfirmedEmail,
  ForgottenPasswordBody,
  LinkBody,
  PasswordResetBody,
  PasswordResetLink,
  PasswordResetWays,
  SecondStepBody,
  SetupBody,
  SetupState,
  SignInAnswer,
} from '#contract'
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
import { openRoute } from '../dashboard-route.ts'
import type { Guard } from '../route.ts'

export type SignInRouteDeps = SignInDeps & SetUpDeps & RedeemDeps

const TRIED = ['request:invalid_body', 'auth:too_many_attempts'] as const

/** The ways in besides a password: second step, links, and the first account. Nobody is signed in there yet. */
export function signInRoutes(server: FastifyInstance, guard: Guard, deps: SignInRouteDeps): void {
  openRoute(server, guard, {
    method: 'POST',
    url: '/internal/session/second-step',
    body: SecondStepBody,
    status: 200,
    answer: SignInAnswer,
    problems: [...TRIED, 'auth:wrong_sign_in', 'auth:second_step_over'],
    handle: (request) => passSecondStep(deps, request),
  })
  openRoute(server, guard, {
    method: 'GET',
    url: '/internal/setup',
    status: 200,
    answer: SetupState,
    problems: [],
    handle: () => readSetupState(deps),
  })
  openRoute(server, guard, {
    method: 'POST',
    url: '/internal/setup',
    body: SetupBody,
    status: 200,
    answer: SignInAnswer,
    problems: [...TRIED, 'auth:wrong_setup_code'],
    handle: (request) => setUp(deps, request),
  })
  openRoute(server, guard, {
    method: 'GET',
    url: '/internal/password-resets',
    status: 200,
    answer: PasswordResetWays,
    problems: [],
    handle: async () => readResetWays(deps),
  })
  openRoute(server, guard, {
    method: 'POST',
    url: '/internal/password-resets',
    body: ForgottenPasswordBody,
    status: 200,
    answer: PasswordResetWays,
    problems: TRIED,
    handle: (request) => requestPasswordReset(deps, request),
  })
  openRoute(server, guard, {
    method: 'POST',
    url: '/internal/password-resets/look',
    body: LinkBody,
    status: 200,
    answer: PasswordResetLink,
    problems: [...TRIED, 'auth:link_over'],
    handle: (request) => readResetLink(deps, request),
  })
  openRoute(server, guard, {
    method: 'POST',
    url: '/internal/password-resets/redeem',
    body: PasswordResetBody,
    status: 204,
    problems: [...TRIED, 'auth:link_over'],
    handle: (request) => resetPassword(deps, request),
  })
  openRoute(server, guard, {
    method: 'POST',
    url: '/internal/email-changes/redeem',
    body: LinkBody,
    status: 200,
    answer: ConfirmedEmail,
    problems: [...TRIED, 'auth:link_over'],
    handle: (request) => confirmEmail(deps, request),
  })
}
