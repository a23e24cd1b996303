import type { FastifyInstance } from 'fastify'
import {
  API_KEY_ENDPOINTS,
  CONNECTION_ENDPOINTS,
  HELD_START_ENDPOINTS,
  MEMBER_ENDPOINTS,
  NETWORK_APP_ENDPOINTS,
  NETWORK_ENDPOINTS,
  type PlanCatalog,
  PROFILE_ENDPOINTS,
  SESSION_ENDPOINTS,
  SIGN_IN_ENDPOINTS,
  USAGE_ENDPOINTS,
} from '#contract'
import {
  type AcceptDeps,
  acceptInvitation,
  type ChangeNetworkAppDeps,
  type ChangePasswordDeps,
  type CheckNetworkAppDeps,
  changeEmail,
  changePassword,
  changePreferences,
  checkNetworkApp,
  chooseAccount,
  chooseConnectionDefaults,
  chooseOfSignIn,
  confirmEmail,
  confirmMemberEmail,
  confirmTwoFactor,
  connectDemoAccounts,
  connectWithPassword,
  createInvitation,
  createKeyByMember,
  describeRoles,
  disableKeyByMember,
  disconnect,
  enableKeyByMember,
  endOtherSessions,
  endSession,
  type InvitationDeps,
  listKeysForMember,
  listMemberSessions,
  listNetworks,
  listTeam,
  lookAtInvitation,
  type MemberConnectionDeps,
  passSecondStep,
  type RedeemDeps,
  readClosing,
  readConnectionCapabilities,
  readConnectionChoices,
  readConnectionDefaults,
  readConnections,
  readConnectionsAttention,
  readHeldStartDue,
  readKeyCalls,
  readMemberLinks,
  readNetworkApps,
  readProfile,
  readResetLink,
  readResetWays,
  readSession,
  readSetupState,
  readSignIn,
  readTwoFactor,
  readUsage,
  refuseMemberEmail,
  removeMember,
  removeMembersSecondStep,
  removeNetworkApp,
  removeTwoFactor,
  rename,
  renameAccount,
  renewBackupCodes,
  requestPasswordReset,
  resendInvitation,
  resetPassword,
  resumeHeldStart,
  revokeInvitation,
  revokeKeyByMember,
  rotateKeyByMember,
  type SetUpDeps,
  type SharedCalendarDeps,
  type SignInDeps,
  setNetworkApp,
  setUp,
  signIn,
  signOut,
  startRenewal,
  startSignIn,
  startTwoFactor,
  type TwoFactorDeps,
  updateKeyByMember,
  updateMember,
  withdrawEmail,
} from '#operations'
import { type Guard, serve } from '../route.ts'

export type PeopleDeps = InvitationDeps &
  AcceptDeps &
  SignInDeps &
  SetUpDeps &
  RedeemDeps &
  ChangePasswordDeps &
  TwoFactorDeps &
  MemberConnectionDeps &
  ChangeNetworkAppDeps &
  CheckNetworkAppDeps &
  Pick<SharedCalendarDeps, 'box'> & { plans: PlanCatalog }

/**
 * People, how they come in and what they manage: members and invitations, sessions, profiles, API keys, the accounts of networks
 * that social sets are connected to, and what operators decide.
 */
export function servePeople(server: FastifyInstance, guard: Guard, deps: PeopleDeps): void {
  const table = {
    ...API_KEY_ENDPOINTS,
    ...MEMBER_ENDPOINTS,
    ...SESSION_ENDPOINTS,
    ...SIGN_IN_ENDPOINTS,
    ...PROFILE_ENDPOINTS,
    ...USAGE_ENDPOINTS,
    ...NETWORK_ENDPOINTS,
    ...CONNECTION_ENDPOINTS,
    ...NETWORK_APP_ENDPOINTS,
    ...HELD_START_ENDPOINTS,
  }
  serve(server, guard, table, {
    // The keys of the account, for those who may manage them. Every change is confirmed with the member's password.
    'GET /api-keys': (caller) => listKeysForMember(deps, caller),
    'GET /api-keys/:id/calls': (caller, { params }) => readKeyCalls(deps, caller, params.id),
    'POST /api-keys': (caller, { body }) => createKeyByMember(deps, caller, body),
    'PATCH /api-keys/:id': (caller, { params, body }) => updateKeyByMember(deps, caller, params.id, body),
    'POST /api-keys/:id/disable': (caller, { params, body }) => disableKeyByMember(deps, caller, params.id, body),
    'POST /api-keys/:id/enable': (caller, { params, body }) => enableKeyByMember(deps, caller, params.id, body),
    'POST /api-keys/:id/revoke': (caller, { params, body }) => revokeKeyByMember(deps, caller, params.id, body),
    'POST /api-keys/:id/rotate': (caller, { params, body }) => rotateKeyByMember(deps, caller, params.id, body),

    // The people of an account, and how others become some of them.
    'GET /members': (caller) => listTeam(deps, caller),
    'GET /roles': async () => describeRoles(),
    'GET /members/:id/links': (caller, { params, query }) => readMemberLinks(deps, caller, params.id, query),
    'PATCH /members/:id': (caller, { params, body }) => updateMember(deps, caller, params.id, body),
    'DELETE /members/:id': (caller, { params, body }) => removeMember(deps, caller, params.id, body),
    'POST /members/:id/email/confirm': (caller, { params, body }) => confirmMemberEmail(deps, caller, params.id, body),
    'POST /members/:id/email/refuse': (caller, { params, body }) => refuseMemberEmail(deps, caller, params.id, body),
    'DELETE /members/:id/second-step': (caller, request) =>
      removeMembersSecondStep(deps, caller, request.params.id, request),
    'POST /invitations': (caller, request) => createInvitation(deps, caller, request),
    'POST /invitations/:id/resend': (caller, request) => resendInvitation(deps, caller, request.params.id, request),
    'DELETE /invitations/:id': (caller, { params, query }) => revokeInvitation(deps, caller, params.id, query),
    'POST /invitations/look': (request) => lookAtInvitation(deps, request),
    'POST /invitations/accept': (request) => acceptInvitation(deps, request),

    // Signing in and out, and who is signed in.
    'GET /session': (caller, { headers }) => readSession(deps, caller, headers),
    'POST /session': (request) => signIn(deps, request),
    'DELETE /session': (request) => signOut(deps, request),

    // The ways in besides a password: second step, links, and the first account. No one is signed in there yet.
    'POST /session/second-step': (request) => passSecondStep(deps, request),
    'GET /setup': () => readSetupState(deps),
    'POST /setup': (request) => setUp(deps, request),
    'GET /password-resets': async () => readResetWays(deps),
    'POST /password-resets': (request) => requestPasswordReset(deps, request),
    'POST /password-resets/look': (request) => readResetLink(deps, request),
    'POST /password-resets/redeem': (request) => resetPassword(deps, request),
    'POST /email-changes/redeem': (request) => confirmEmail(deps, request),

    // What members do about themselves: no right is needed for it.
    'GET /profile': (caller) => readProfile(deps, caller),
    'PATCH /profile': (caller, { body }) => rename(deps, caller, body),
    'PUT /profile/email': (caller, request) => changeEmail(deps, caller, request),
    'DELETE /profile/email': (caller, { query }) => withdrawEmail(deps, caller, query),
    'PUT /profile/password': (caller, request) => changePassword(deps, caller, request),
    'PATCH /preferences': (caller, { body }) => changePreferences(deps, caller, body),
    'PATCH /account': (caller, { body }) => renameAccount(deps, caller, body),
    'PUT /session/account': (caller, { body }) => chooseAccount(deps, caller, body),
    'GET /sessions': (caller) => listMemberSessions(deps, caller),
    'DELETE /sessions/:id': (caller, { params, query }) => endSession(deps, caller, params.id, query),
    'DELETE /sessions': (caller, { query }) => endOtherSessions(deps, caller, query),
    'GET /two-factor': (caller) => readTwoFactor(deps, caller),
    'POST /two-factor': (caller, request) => startTwoFactor(deps, caller, request),
    'POST /two-factor/confirm': (caller, request) => confirmTwoFactor(deps, caller, request),
    'POST /two-factor/backup-codes': (caller, request) => renewBackupCodes(deps, caller, request),
    'DELETE /two-factor': (caller, request) => removeTwoFactor(deps, caller, request),

    // The plan of the account and what is used of it, for every member.
    'GET /usage': ({ accountId }) => readUsage(deps, accountId),

    // What networks take, and the accounts of networks that a social set is connected to.
    'GET /networks': async (_, { query }) => listNetworks(deps, query),
    'GET /connections': (caller, { query }) => readConnections(deps, caller, query),
    'GET /connections/attention': (caller) => readConnectionsAttention(deps, caller),
    'POST /connections/password': (caller, { body }) => connectWithPassword(deps, caller, body),
    'POST /connections/sandbox': (caller, { body }) => connectDemoAccounts(deps, caller, body),
    'GET /connections/:id/defaults': (caller, { params }) => readConnectionDefaults(deps, caller, params.id),
    'GET /connections/:id/choices': (caller, { params }) => readConnectionChoices(deps, caller, params.id),
    'GET /connections/:id/capabilities': (caller, { params, query }) =>
      readConnectionCapabilities(deps, caller, params.id, query),
    'PUT /connections/:id/defaults': (caller, { params, body }) =>
      chooseConnectionDefaults(deps, caller, params.id, body),
    'POST /connections/:id/reconnect': (caller, { params, query }) => startRenewal(deps, caller, params.id, query),
    'GET /connections/:id/closing': (caller, { params }) => readClosing(deps, caller, params.id),
    'DELETE /connections/:id': (caller, { params, body }) => disconnect(deps, caller, params.id, body),
    'POST /connections/authorizations': (caller, { body }) => startSignIn(deps, caller, body),
    'GET /connections/authorizations/:id': (caller, { params }) => readSignIn(deps, caller, params.id),
    'POST /connections/authorizations/:id/choose': (caller, { params, body }) =>
      chooseOfSignIn(deps, caller, params.id, body),

    // The operator's apps on the networks.
    'GET /network-apps': (caller) => readNetworkApps(deps, caller),
    'PUT /network-apps/:id': (caller, { params, body }) => setNetworkApp(deps, caller, params.id, body),
    'DELETE /network-apps/:id': (caller, { params, body }) => removeNetworkApp(deps, caller, params.id, body),
    'POST /network-apps/:id/check': (caller, { params, query }) => checkNetworkApp(deps, caller, params.id, query),

    // A start that waits for the person who operates the installation.
    'GET /held-start/due': (caller) => readHeldStartDue(deps, caller),
    'POST /held-start/resume': (caller, { body }) => resumeHeldStart(deps, caller, body),
  })
}
