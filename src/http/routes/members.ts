import type { FastifyInstance } from 'fastify'
import {
  EmailDecisionBody,
  InvitationAcceptBody,
  InvitationAccepted,
  InvitationBody,
  InvitationOffer,
  InvitationTokenBody,
  MadeInvitation,
  MemberRemovalBody,
  MemberUpdateBody,
  RolesTable,
  Team,
  TeamMember,
} from '#contract'
import {
  type AcceptDeps,
  acceptInvitation,
  confirmMemberEmail,
  createInvitation,
  describeRoles,
  type InvitationDeps,
  listTeam,
  lookAtInvitation,
  refuseMemberEmail,
  removeMember,
  resendInvitation,
  revokeInvitation,
  updateMember,
} from '#operations'
import { dashboardRoute, openRoute } from '../dashboard-route.ts'
import type { Guard } from '../route.ts'

export type MemberRouteDeps = InvitationDeps & AcceptDeps

/** The people of an account, and how others become some of them. */
export function memberRoutes(server: FastifyInstance, guard: Guard, deps: MemberRouteDeps): void {
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/members',
    status: 200,
    answer: Team,
    problems: [],
    handle: (caller, { query }) => listTeam(deps, caller, query),
  })
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/roles',
    status: 200,
    answer: RolesTable,
    problems: [],
    handle: async () => describeRoles(),
  })
  dashboardRoute(server, guard, {
    method: 'PATCH',
    url: '/internal/members/:id',
    right: 'members:manage',
    body: MemberUpdateBody,
    status: 200,
    answer: TeamMember,
    problems: ['request:invalid_body', 'member:not_found', 'member:last_owner'],
    handle: (caller, request) => updateMember(deps, caller, request.params.id ?? '', request),
  })
  dashboardRoute(server, guard, {
    method: 'DELETE',
    url: '/internal/members/:id',
    body: MemberRemovalBody,
    status: 204,
    problems: [
      'request:invalid_body',
      'member:not_found',
      'member:last_owner',
      'auth:password_confirmation_failed',
      'auth:too_many_attempts',
    ],
    handle: (caller, request) => removeMember(deps, caller, request.params.id ?? '', request),
  })
  for (const [verb, operation] of Object.entries({ confirm: confirmMemberEmail, refuse: refuseMemberEmail })) {
    dashboardRoute(server, guard, {
      method: 'POST',
      url: `/internal/members/:id/email/${verb}`,
      right: 'member-emails:confirm',
      body: EmailDecisionBody,
      status: 200,
      answer: TeamMember,
      problems: ['request:invalid_body', 'member:not_found'],
      handle: (caller, request) => operation(deps, caller, request.params.id ?? '', request),
    })
  }
  invitationRoutes(server, guard, deps)
}

function invitationRoutes(server: FastifyInstance, guard: Guard, deps: MemberRouteDeps): void {
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/invitations',
    right: 'members:manage',
    body: InvitationBody,
    status: 201,
    answer: MadeInvitation,
    problems: ['request:invalid_body', 'invitation:member_already', 'invitation:invited_already'],
    handle: (caller, request) => createInvitation(deps, caller, request),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/invitations/:id/resend',
    right: 'members:manage',
    status: 200,
    answer: MadeInvitation,
    problems: ['invitation:not_found'],
    handle: (caller, request) => resendInvitation(deps, caller, request.params.id ?? '', request),
  })
  dashboardRoute(server, guard, {
    method: 'DELETE',
    url: '/internal/invitations/:id',
    right: 'members:manage',
    status: 204,
    problems: ['invitation:not_found'],
    handle: (caller, request) => revokeInvitation(deps, caller, request.params.id ?? '', request),
  })
  openRoute(server, guard, {
    method: 'POST',
    url: '/internal/invitations/look',
    body: InvitationTokenBody,
    status: 200,
    answer: InvitationOffer,
    problems: [
      'request:invalid_body',
      'invitation:not_found',
      'invitation:expired',
      'invitation:used',
      'invitation:revoked',
    ],
    handle: (request) => lookAtInvitation(deps, request),
  })
  openRoute(server, guard, {
    method: 'POST',
    url: '/internal/invitations/accept',
    body: InvitationAcceptBody,
    status: 200,
    answer: InvitationAccepted,
    problems: [
      'request:invalid_body',
      'invitation:not_found',
      'invitation:expired',
      'invitation:used',
      'invitation:revoked',
      'invitation:member_already',
      'auth:password_confirmation_failed',
      'auth:too_many_attempts',
    ],
    handle: (request) => acceptInvitation(deps, request),
  })
}
