import type { FastifyInstance } from 'fastify'
import {
  ActiveAccountBody,
  BackupCodes,
  ConfirmedBody,
  EmailBody,
  PasswordBody,
  Preferences,
  PreferencesBody,
  Profile,
  ProfileBody,
  SecondStepBody,
  TwoFactor,
  TwoFactorStarted,
  UserSessions,
} from '#contract'
import {
  type ChangePasswordDeps,
  changeEmail,
  changePassword,
  changePreferences,
  chooseAccount,
  confirmTwoFactor,
  endOtherSessions,
  endSession,
  listMemberSessions,
  readProfile,
  readTwoFactor,
  removeTwoFactor,
  rename,
  renewBackupCodes,
  startTwoFactor,
  type TwoFactorDeps,
  withdrawEmail,
} from '#operations'
import { dashboardRoute } from '../dashboard-route.ts'
import type { Guard } from '../route.ts'

export type ProfileRouteDeps = ChangePasswordDeps & TwoFactorDeps

const CONFIRMED = ['request:invalid_body', 'auth:password_confirmation_failed', 'auth:too_many_attempts'] as const

/** What members do about themselves: no right is needed for it. */
export function profileRoutes(server: FastifyInstance, guard: Guard, deps: ProfileRouteDeps): void {
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/profile',
    status: 200,
    answer: Profile,
    problems: [],
    handle: (caller) => readProfile(deps, caller),
  })
  dashboardRoute(server, guard, {
    method: 'PATCH',
    url: '/internal/profile',
    body: ProfileBody,
    status: 200,
    answer: Profile,
    problems: ['request:invalid_body'],
    handle: (caller, { body }) => rename(deps, caller, body),
  })
  dashboardRoute(server, guard, {
    method: 'PUT',
    url: '/internal/profile/email',
    body: EmailBody,
    status: 200,
    answer: Profile,
    problems: CONFIRMED,
    handle: (caller, { body }) => changeEmail(deps, caller, body),
  })
  dashboardRoute(server, guard, {
    method: 'DELETE',
    url: '/internal/profile/email',
    status: 200,
    answer: Profile,
    problems: [],
    handle: (caller, request) => withdrawEmail(deps, caller, request),
  })
  dashboardRoute(server, guard, {
    method: 'PUT',
    url: '/internal/profile/password',
    body: PasswordBody,
    status: 204,
    problems: CONFIRMED,
    handle: (caller, { body }) => changePassword(deps, caller, body),
  })
  dashboardRoute(server, guard, {
    method: 'PATCH',
    url: '/internal/preferences',
    body: PreferencesBody,
    status: 200,
    answer: Preferences,
    problems: ['request:invalid_body'],
    handle: (caller, { body }) => changePreferences(deps, caller, body),
  })
  dashboardRoute(server, guard, {
    method: 'PUT',
    url: '/internal/session/account',
    body: ActiveAccountBody,
    status: 204,
    problems: ['request:invalid_body', 'account:not_found'],
    handle: (caller, { body }) => chooseAccount(deps, caller, body),
  })
  sessionListRoutes(server, guard, deps)
  twoFactorRoutes(server, guard, deps)
}

function sessionListRoutes(server: FastifyInstance, guard: Guard, deps: ProfileRouteDeps): void {
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/sessions',
    status: 200,
    answer: UserSessions,
    problems: [],
    handle: (caller) => listMemberSessions(deps, caller),
  })
  dashboardRoute(server, guard, {
    method: 'DELETE',
    url: '/internal/sessions/:id',
    status: 204,
    problems: ['session:not_found'],
    handle: (caller, { params }) => endSession(deps, caller, params.id ?? ''),
  })
  dashboardRoute(server, guard, {
    method: 'DELETE',
    url: '/internal/sessions',
    status: 204,
    problems: [],
    handle: (caller) => endOtherSessions(deps, caller),
  })
}

function twoFactorRoutes(server: FastifyInstance, guard: Guard, deps: ProfileRouteDeps): void {
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/two-factor',
    status: 200,
    answer: TwoFactor,
    problems: [],
    handle: (caller) => readTwoFactor(deps, caller),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/two-factor',
    body: ConfirmedBody,
    status: 200,
    answer: TwoFactorStarted,
    problems: CONFIRMED,
    handle: (caller, request) => startTwoFactor(deps, caller, request),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/two-factor/confirm',
    body: SecondStepBody,
    status: 200,
    answer: BackupCodes,
    problems: ['request:invalid_body', 'auth:too_many_attempts'],
    handle: (caller, request) => confirmTwoFactor(deps, caller, request),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/two-factor/backup-codes',
    body: ConfirmedBody,
    status: 200,
    answer: BackupCodes,
    problems: CONFIRMED,
    handle: (caller, request) => renewBackupCodes(deps, caller, request),
  })
  dashboardRoute(server, guard, {
    method: 'DELETE',
    url: '/internal/two-factor',
    body: ConfirmedBody,
    status: 204,
    problems: CONFIRMED,
    handle: (caller, request) => removeTwoFactor(deps, caller, request),
  })
}
