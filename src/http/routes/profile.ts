import type { FastifyInstance } from 'fastify'
import { PROFILE_ENDPOINTS } from '#contract'
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
import { type Guard, serveRaw } from '../route.ts'

export type ProfileRouteDeps = ChangePasswordDeps & TwoFactorDeps

/** What members do about themselves: no right is needed for it. */
export function profileRoutes(server: FastifyInstance, guard: Guard, deps: ProfileRouteDeps): void {
  serveRaw(server, guard, PROFILE_ENDPOINTS, {
    'GET /profile': (caller) => readProfile(deps, caller),
    'PATCH /profile': (caller, { body }) => rename(deps, caller, body),
    'PUT /profile/email': (caller, request) => changeEmail(deps, caller, request),
    'DELETE /profile/email': (caller, request) => withdrawEmail(deps, caller, request),
    'PUT /profile/password': (caller, request) => changePassword(deps, caller, request),
    'PATCH /preferences': (caller, { body }) => changePreferences(deps, caller, body),
    'PUT /session/account': (caller, { body }) => chooseAccount(deps, caller, body),
    'GET /sessions': (caller) => listMemberSessions(deps, caller),
    'DELETE /sessions/:id': (caller, { params }) => endSession(deps, caller, params.id),
    'DELETE /sessions': (caller) => endOtherSessions(deps, caller),
    'GET /two-factor': (caller) => readTwoFactor(deps, caller),
    'POST /two-factor': (caller, request) => startTwoFactor(deps, caller, request),
    'POST /two-factor/confirm': (caller, request) => confirmTwoFactor(deps, caller, request),
    'POST /two-factor/backup-codes': (caller, request) => renewBackupCodes(deps, caller, request),
    'DELETE /two-factor': (caller, request) => removeTwoFactor(deps, caller, request),
  })
}
