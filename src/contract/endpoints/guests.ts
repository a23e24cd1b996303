import type { EndpointTable } from '../endpoint.ts'
import {
  GuestApprovals,
  GuestApprovalsBody,
  GuestCalendar,
  GuestCalendarQuery,
  GuestCaption,
  GuestCaptionQuery,
  GuestComment,
  GuestCommentBody,
  GuestComments,
  GuestDecisionBody,
  GuestEmailBody,
  GuestNameBody,
  GuestNote,
  GuestNoteBody,
  GuestPostSet,
  GuestSeenBody,
  GuestUndoBody,
  GuestVisit,
} from '../guests.ts'

/**
 * Endpoints for guests of a shared calendar, below `/shared/view/{link}`, for holders of that link's cookie. Files
 * of posts are served there too, at the addresses in answers.
 */
export const GUEST_ENDPOINTS = {
  'GET /visit': { status: 200, answer: GuestVisit, problems: [] },
  'PUT /visit/name': {
    body: GuestNameBody,
    status: 200,
    answer: GuestVisit,
    problems: ['request:invalid_body', 'shared-calendar:not_allowed'],
  },
  'PUT /visit/email': {
    body: GuestEmailBody,
    status: 200,
    answer: GuestVisit,
    problems: [
      'request:invalid_body',
      'shared-calendar:not_allowed',
      'shared-calendar:name_required',
      'request:refused',
    ],
  },
  'GET /calendar': {
    query: GuestCalendarQuery,
    status: 200,
    answer: GuestCalendar,
    problems: ['social-set:not_found'],
  },
  'GET /posts/:id': { status: 200, answer: GuestPostSet, problems: ['post-set:not_found'] },
  'GET /posts/:id/changes/:postId': {
    query: GuestCaptionQuery,
    status: 200,
    answer: GuestCaption,
    problems: ['post-set:not_found', 'request:refused'],
  },
  'PUT /posts/:id/seen': {
    body: GuestSeenBody,
    status: 204,
    problems: ['request:invalid_body', 'post-set:not_found'],
  },
  'POST /posts/:id/decision': {
    body: GuestDecisionBody,
    status: 200,
    answer: GuestPostSet,
    problems: [
      'request:invalid_body',
      'shared-calendar:not_allowed',
      'shared-calendar:name_required',
      'post-set:not_found',
      'post-set:version_conflict',
      'shared-calendar:not_waiting',
    ],
  },
  'POST /posts/:id/decision/undo': {
    body: GuestUndoBody,
    status: 200,
    answer: GuestPostSet,
    problems: [
      'request:invalid_body',
      'shared-calendar:not_allowed',
      'shared-calendar:name_required',
      'post-set:not_found',
      'post-set:version_conflict',
      'request:refused',
    ],
  },
  'POST /approvals': {
    body: GuestApprovalsBody,
    status: 200,
    answer: GuestApprovals,
    problems: ['request:invalid_body', 'shared-calendar:not_allowed', 'shared-calendar:name_required'],
  },
  'GET /posts/:id/comments': { status: 200, answer: GuestComments, problems: ['post-set:not_found'] },
  'POST /posts/:id/comments': {
    body: GuestCommentBody,
    status: 201,
    answer: GuestComment,
    problems: [
      'request:invalid_body',
      'shared-calendar:not_allowed',
      'shared-calendar:name_required',
      'post-set:not_found',
      'comment:limit_reached',
      'comment:too_fast',
    ],
  },
  'POST /notes': {
    body: GuestNoteBody,
    status: 201,
    answer: GuestNote,
    problems: [
      'request:invalid_body',
      'shared-calendar:not_allowed',
      'shared-calendar:name_required',
      'social-set:not_found',
    ],
  },
} as const satisfies EndpointTable

export type GuestEndpoints = typeof GUEST_ENDPOINTS
