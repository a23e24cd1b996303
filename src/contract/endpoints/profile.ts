import type { EndpointTable } from '../endpoint.ts'
import {
  AccountBody,
  AccountName,
  ActiveAccountBody,
  BackupCodes,
  ConfirmedBody,
  EmailBody,
  PasswordBody,
  PreferencesBody,
  Profile,
  ProfileBody,
  TwoFactor,
  TwoFactorStarted,
  UserSessions,
} from '../profile.ts'
import { Preferences } from '../session.ts'
import { SecondStepBody } from '../sign-in.ts'

const CONFIRMED = ['request:invalid_body', 'auth:password_confirmation_failed', 'auth:too_many_attempts'] as const

/** The member's own settings; no right is needed. */
export const PROFILE_ENDPOINTS = {
  'GET /profile': {
    status: 200,
    answer: Profile,
    problems: [],
  },
  'PATCH /profile': {
    body: ProfileBody,
    touches: ['session', 'profile', 'members'],
    status: 200,
    answer: Profile,
    problems: ['request:invalid_body'],
  },
  'PUT /profile/email': {
    body: EmailBody,
    touches: ['session', 'profile', 'members'],
    status: 200,
    answer: Profile,
    problems: CONFIRMED,
  },
  'DELETE /profile/email': {
    touches: ['profile', 'members'],
    status: 200,
    answer: Profile,
    problems: [],
  },
  'PUT /profile/password': {
    body: PasswordBody,
    touches: ['sessions'],
    status: 204,
    problems: CONFIRMED,
  },
  'PATCH /preferences': {
    body: PreferencesBody,
    touches: ['session'],
    status: 200,
    answer: Preferences,
    problems: ['request:invalid_body'],
  },
  'PUT /session/account': {
    body: ActiveAccountBody,
    touches: ['session'],
    status: 204,
    problems: ['request:invalid_body', 'account:not_found'],
  },
  'PATCH /account': {
    right: 'account:manage',
    body: AccountBody,
    touches: ['session', 'members', 'plan'],
    status: 200,
    answer: AccountName,
    problems: ['request:invalid_body'],
  },
  'GET /sessions': {
    status: 200,
    answer: UserSessions,
    problems: [],
  },
  'DELETE /sessions/:id': {
    touches: ['sessions'],
    status: 204,
    problems: ['session:not_found'],
  },
  'DELETE /sessions': {
    touches: ['sessions'],
    status: 204,
    problems: [],
  },
  'GET /two-factor': {
    status: 200,
    answer: TwoFactor,
    problems: [],
  },
  'POST /two-factor': {
    body: ConfirmedBody,
    touches: [],
    status: 200,
    answer: TwoFactorStarted,
    problems: CONFIRMED,
  },
  'POST /two-factor/confirm': {
    body: SecondStepBody,
    touches: ['session', 'sessions', 'two-factor', 'members'],
    status: 200,
    answer: BackupCodes,
    problems: ['request:invalid_body', 'auth:too_many_attempts'],
  },
  'POST /two-factor/backup-codes': {
    body: ConfirmedBody,
    touches: ['two-factor'],
    status: 200,
    answer: BackupCodes,
    problems: CONFIRMED,
  },
  'DELETE /two-factor': {
    body: ConfirmedBody,
    touches: ['session', 'sessions', 'two-factor', 'members'],
    status: 204,
    problems: CONFIRMED,
  },
} as const satisfies EndpointTable
