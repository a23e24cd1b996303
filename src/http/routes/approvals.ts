import type { FastifyInstance } from 'fastify'
import { APPROVAL_ENDPOINTS } from '#contract'
import {
  changeApprovalRule,
  type InboxDeps,
  listApprovals,
  listChangesSince,
  readApprovalCounts,
  readApprovalRule,
  readPostTextsSince,
  readReview,
} from '#operations'
import { type Guard, serveRaw } from '../route.ts'

/** Who has to approve, and what waits for whom. */
export function approvalRoutes(server: FastifyInstance, guard: Guard, deps: InboxDeps): void {
  serveRaw(server, guard, APPROVAL_ENDPOINTS, {
    'GET /social-sets/:id/approval-rule': (caller, { params, query }) =>
      readApprovalRule(deps, caller, params.id, query),
    'PUT /social-sets/:id/approval-rule': (caller, request) =>
      changeApprovalRule(deps, caller, request.params.id, request),
    'GET /approvals': (caller, { query }) => listApprovals(deps, caller, query),
    'GET /approvals/counts': (caller, { query }) => readApprovalCounts(deps, caller, query),
    'GET /post-sets/:id/review': (caller, { params, query }) => readReview(deps, caller, params.id, query),
    'GET /post-sets/:id/changes': (caller, { params, query }) => listChangesSince(deps, caller, params.id, query),
    'GET /post-sets/:id/changes/:postId': (caller, { params, query }) =>
      readPostTextsSince(deps, caller, { ...params, query }),
  })
}
