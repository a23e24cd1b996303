import type { EndpointTable } from '../endpoint.ts'
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
} from '../members.ts'

/** The people of an account, and how others become some of them. */
export const MEMBER_ENDPOINTS = {
  'GET /members': {
    status: 200,
    answer: Team,
    problems: [],
  },
  'GET /roles': {
    status: 200,
    answer: RolesTable,
    problems: [],
  },
  'PATCH /members/:id': {
    right: 'members:manage',
    body: MemberUpdateBody,
    status: 200,
    answer: TeamMember,
    problems: ['request:invalid_body', 'member:not_found', 'member:last_owner'],
  },
  'DELETE /members/:id': {
    body: MemberRemovalBody,
    status: 204,
    problems: [
      'request:invalid_body',
      'member:not_found',
      'member:last_owner',
      'auth:password_confirmation_failed',
      'auth:too_many_attempts',
    ],
  },
  'POST /members/:id/email/confirm': {
    right: 'member-emails:confirm',
    body: EmailDecisionBody,
    status: 200,
    answer: TeamMember,
    problems: ['request:invalid_body', 'member:not_found'],
  },
  'POST /members/:id/email/refuse': {
    right: 'member-emails:confirm',
    body: EmailDecisionBody,
    status: 200,
    answer: TeamMember,
    problems: ['request:invalid_body', 'member:not_found'],
  },
  'POST /invitations': {
    right: 'members:manage',
    body: InvitationBody,
    status: 201,
    answer: MadeInvitation,
    problems: ['request:invalid_body', 'invitation:member_already', 'invitation:invited_already'],
  },
  'POST /invitations/:id/resend': {
    right: 'members:manage',
    status: 200,
    answer: MadeInvitation,
    problems: ['invitation:not_found'],
  },
  'DELETE /invitations/:id': {
    right: 'members:manage',
    status: 204,
    problems: ['invitation:not_found'],
  },
  'POST /invitations/look': {
    open: true,
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
  },
  'POST /invitations/accept': {
    open: true,
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
  },
} as const satisfies EndpointTable
