import {
  ApprovalCounts,
  ApprovalItem,
  ApprovalRule,
  ApprovalRuleBody,
  ApprovalsPage,
  ApprovalsQuery,
  ChangesQuery,
  ChangesSince,
  PostTextsSince,
} from '../approvals.ts'
import type { EndpointTable } from '../endpoint.ts'

/** Approval rules, and what waits for whom. Decisions are `POST /post-sets/:id/review` and `POST /post-sets/change`. */
export const APPROVAL_ENDPOINTS = {
  'GET /social-sets/:id/approval-rule': {
    status: 200,
    answer: ApprovalRule,
    problems: ['social-set:not_found'],
  },
  'PUT /social-sets/:id/approval-rule': {
    right: 'social-sets:manage',
    body: ApprovalRuleBody,
    touches: ['social-sets', 'post-sets', 'calendar', 'approvals'],
    status: 200,
    answer: ApprovalRule,
    problems: ['request:invalid_body', 'social-set:not_found', 'plan:approvals_not_available'],
  },
  'GET /approvals': {
    query: ApprovalsQuery,
    status: 200,
    answer: ApprovalsPage,
    problems: ['social-set:not_found'],
  },
  'GET /approvals/counts': {
    status: 200,
    answer: ApprovalCounts,
    problems: [],
  },
  'GET /post-sets/:id/review': {
    status: 200,
    answer: ApprovalItem,
    problems: ['post-set:not_found'],
  },
  'GET /post-sets/:id/changes': {
    query: ChangesQuery,
    status: 200,
    answer: ChangesSince,
    problems: ['post-set:not_found'],
  },
  'GET /post-sets/:id/changes/:postId': {
    query: ChangesQuery,
    status: 200,
    answer: PostTextsSince,
    problems: ['post-set:not_found'],
  },
} as const satisfies EndpointTable
