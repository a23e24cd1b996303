import type { FastifyInstance } from 'fastify'
import { MEMBER_ENDPOINTS } from '#contract'
import {
  type AcceptDeps,
  acceptInvitation,
  confirmMemberEmail,
  createInvitation,
  describeRoles,
  type InvitationDeps,
  listTeam,
  lookAtInvitation,
  readMemberLinks,
  refuseMemberEmail,
  removeMember,
  resendInvitation,
  revokeInvitation,
  updateMember,
} from '#operations'
import { type Guard, serve } from '../route.ts'

export type MemberRouteDeps = InvitationDeps & AcceptDeps

/** The people of an account, and how others become some of them. */
export function memberRoutes(server: FastifyInstance, guard: Guard, deps: MemberRouteDeps): void {
  serve(server, guard, MEMBER_ENDPOINTS, {
    'GET /members': (caller) => listTeam(deps, caller),
    'GET /roles': async () => describeRoles(),
    'GET /members/:id/links': (caller, { params, query }) => readMemberLinks(deps, caller, params.id, query),
    'PATCH /members/:id': (caller, { params, body }) => updateMember(deps, caller, params.id, body),
    'DELETE /members/:id': (caller, { params, body }) => removeMember(deps, caller, params.id, body),
    'POST /members/:id/email/confirm': (caller, { params, body }) => confirmMemberEmail(deps, caller, params.id, body),
    'POST /members/:id/email/refuse': (caller, { params, body }) => refuseMemberEmail(deps, caller, params.id, body),
    'POST /invitations': (caller, request) => createInvitation(deps, caller, request),
    'POST /invitations/:id/resend': (caller, request) => resendInvitation(deps, caller, request.params.id, request),
    'DELETE /invitations/:id': (caller, { params, query }) => revokeInvitation(deps, caller, params.id, query),
    'POST /invitations/look': (request) => lookAtInvitation(deps, request),
    'POST /invitations/accept': (request) => acceptInvitation(deps, request),
  })
}
