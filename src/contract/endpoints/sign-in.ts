import type { EndpointTable } from '../endpoint.ts'
import { SignInAnswer } from '../session.ts'
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
} from '../sign-in.ts'

const TRIED = ['request:invalid_body', 'auth:too_many_attempts'] as const

/** Ways to sign in besides a password: second step, links, and the first account. Callers are not signed in yet. */
export const SIGN_IN_ENDPOINTS = {
  'POST /session/second-step': {
    open: true,
    body: SecondStepBody,
    touches: [],
    status: 200,
    answer: SignInAnswer,
    problems: [...TRIED, 'auth:wrong_sign_in', 'auth:second_step_over'],
  },
  'GET /setup': {
    open: true,
    status: 200,
    answer: SetupState,
    problems: [],
  },
  'POST /setup': {
    open: true,
    body: SetupBody,
    touches: [],
    status: 200,
    answer: SignInAnswer,
    problems: [...TRIED, 'auth:wrong_setup_code'],
  },
  'GET /password-resets': {
    open: true,
    status: 200,
    answer: PasswordResetWays,
    problems: [],
  },
  'POST /password-resets': {
    open: true,
    body: ForgottenPasswordBody,
    touches: [],
    status: 200,
    answer: PasswordResetWays,
    problems: TRIED,
  },
  'POST /password-resets/look': {
    open: true,
    body: LinkBody,
    touches: [],
    status: 200,
    answer: PasswordResetLink,
    problems: [...TRIED, 'auth:link_over'],
  },
  'POST /password-resets/redeem': {
    open: true,
    body: PasswordResetBody,
    touches: [],
    status: 204,
    problems: [...TRIED, 'auth:link_over'],
  },
  'POST /email-changes/redeem': {
    open: true,
    body: LinkBody,
    touches: ['session', 'profile', 'members'],
    status: 200,
    answer: ConfirmedEmail,
    problems: [...TRIED, 'auth:link_over'],
  },
} as const satisfies EndpointTable
