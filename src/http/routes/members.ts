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
import { type Guard, serveRaw } from '../route.ts'

export type MemberRouteDeps = InvitationDeps & AcceptDeps

/** The people of an account, and how others become some of them. */
export function memberRoutes(server: FastifyInstance, guard: Guard, deps: MemberRouteDeps): void {
  serveRaw(server, guard, MEMBER_ENDPOINTS, {
    'GET /members': (caller, { query }) => listTeam(deps, caller, query),
    'GET /roles': async () => describeRoles(),
    'GET /members/:id/links': (caller, request) => readMemberLinks(deps, caller, request.params.id, request),
    'PATCH /members/:id': (caller, request) => updateMember(deps, caller, request.params.id, request),
    'DELETE /members/:id': (caller, request) => removeMember(deps, caller, request.params.id, request),
    'POST /members/:id/email/confirm': (caller, request) =>
      confirmMemberEmail(deps, caller, request.params.id, request),
    'POST /members/:id/email/refuse': (caller, request) => refuseMemberEmail(deps, caller, request.params.id, request),
    'POST /invitations': (caller, request) => createInvitation(deps, caller, request),
    'POST /invitations/:id/resend': (caller, request) => resendInvitation(deps, caller, request.params.id, request),
    'DELETE /invitations/:id': (caller, request) => revokeInvitation(deps, caller, request.params.id, request),
    'POST /invitations/look': (request) => lookAtInvitation(deps, request),
    'POST /invitations/accept': (request) => acceptInvitation(deps, request),
  })
}
