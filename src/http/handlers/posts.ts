import type { FastifyInstance } from 'fastify'
import {
  APPROVAL_ENDPOINTS,
  CALENDAR_ENDPOINTS,
  KEPT_DRAFT_ENDPOINTS,
  POST_SET_ACTION_ENDPOINTS,
  POST_SET_ENDPOINTS,
  RESULT_ENDPOINTS,
} from '#contract'
import {
  changeApprovalRule,
  changePostSets,
  createPostSet,
  createPostSets,
  duplicatePostSet,
  findCards,
  forgetKeptDraft,
  getPostSet,
  keepDraft,
  listAllFreeSlots,
  listApprovals,
  listChangesSince,
  listDrafts,
  listHistoryItems,
  listKeptDrafts,
  listPostSets,
  listResults,
  lookAtPostSet,
  movePostSet,
  type OperationDeps,
  putFailuresDone,
  putLabels,
  putLock,
  putPresence,
  putSeen,
  readApprovalCounts,
  readApprovalRule,
  readAuthors,
  readCalendar,
  readDeliveries,
  readElsewhere,
  readHistoryTexts,
  readKeptDraft,
  readNoteAgent,
  readPostTextsSince,
  readPresence,
  readReview,
  readSeriesDates,
  readUnseen,
  removePostSet,
  removeSeries,
  restoreNote,
  restorePostSet,
  retryPostSet,
  retryPostSets,
  reviewPostSet,
  updatePostSet,
  validatePostSet,
} from '#operations'
import { type Guard, serve } from '../route.ts'

/** Post sets, what is done to them on the calendar, who approves them, what became of them, and what is typed of them. */
export function servePosts(server: FastifyInstance, guard: Guard, deps: OperationDeps): void {
  serve(server, guard, POST_SET_ENDPOINTS, {
    'GET /post-sets': (caller, { query }) => listPostSets(deps, caller, query),
    'POST /post-sets': (caller, request) => createPostSet(request.within(deps), caller, request),
    'POST /post-sets/bulk': (caller, request) => createPostSets(request.within(deps), caller, request),
    'POST /post-sets/validate': (caller, request) => validatePostSet(deps, caller, request),
    'GET /post-sets/:id': (caller, { params }) => getPostSet(deps, caller, params.id),
    'PATCH /post-sets/:id': (caller, request) =>
      updatePostSet(request.within(deps), caller, request.params.id, request),
    'DELETE /post-sets/:id': (caller, request) => removePostSet(deps, caller, request.params.id, request),
  })
  serve(server, guard, POST_SET_ACTION_ENDPOINTS, {
    'PUT /post-sets/:id/lock': (caller, request) => putLock(deps, caller, request.params.id, request),
    'PUT /post-sets/:id/labels': (caller, request) => putLabels(deps, caller, request.params.id, request),
    'POST /post-sets/:id/review': (caller, request) => reviewPostSet(deps, caller, request.params.id, request),
    'POST /post-sets/:id/duplicate': (caller, { params, body }) => duplicatePostSet(deps, caller, params.id, body),
    'POST /post-sets/:id/restore': (caller, { params, query }) => restorePostSet(deps, caller, params.id, query),
    'POST /post-sets/:id/move': (caller, request) => movePostSet(deps, caller, request.params.id, request),
    'POST /post-sets/:id/remove': (caller, request) => removeSeries(deps, caller, request.params.id, request),
    'POST /post-sets/series-dates': (caller, { body }) => readSeriesDates(deps, caller, body),
    'POST /post-sets/change': (caller, { body }) => changePostSets(deps, caller, body),
  })
  serve(server, guard, APPROVAL_ENDPOINTS, {
    'GET /social-sets/:id/approval-rule': (caller, { params, query }) =>
      readApprovalRule(deps, caller, params.id, query),
    'PUT /social-sets/:id/approval-rule': (caller, { params, body }) =>
      changeApprovalRule(deps, caller, params.id, body),
    'GET /approvals': (caller, { query }) => listApprovals(deps, caller, query),
    'GET /approvals/counts': (caller, { query }) => readApprovalCounts(deps, caller, query),
    'GET /post-sets/:id/review': (caller, { params, query }) => readReview(deps, caller, params.id, query),
    'GET /post-sets/:id/changes': (caller, { params, query }) => listChangesSince(deps, caller, params.id, query),
    'GET /post-sets/:id/changes/:postId': (caller, { params, query }) =>
      readPostTextsSince(deps, caller, { ...params, query }),
  })
  serve(server, guard, CALENDAR_ENDPOINTS, {
    'GET /calendar': (caller, { query }) => readCalendar(deps, caller, query),
    'GET /calendar/elsewhere': (caller, { query }) => readElsewhere(deps, caller, query),
    'GET /calendar/authors': (caller, { query }) => readAuthors(deps, caller, query),
    'GET /calendar/found': (caller, { query }) => findCards(deps, caller, query),
    'GET /calendar/free-slots': (caller, { query }) => listAllFreeSlots(deps, caller, query),
    'GET /drafts': (caller, { query }) => listDrafts(deps, caller, query),
    'GET /post-sets/:id/history': (caller, { params, query }) => listHistoryItems(deps, caller, params.id, query),
    'GET /post-sets/:id/history/:entryId': (caller, { params, query }) =>
      readHistoryTexts(deps, caller, { ...params, query }),
    'GET /post-sets/:id/deliveries': (caller, { params }) => readDeliveries(deps, caller, params.id),
    'GET /post-sets/:id/presence': (caller, { params }) => readPresence(deps, caller, params.id),
    'PUT /presence/:stream': (caller, { params, body }) => putPresence(deps, caller, params.stream, body),
    'GET /notes/:id/agent': (caller, { params }) => readNoteAgent(deps, caller, params.id),
    'POST /notes/:id/restore': (caller, { params, query }) => restoreNote(deps, caller, params.id, query),
  })
  serve(server, guard, RESULT_ENDPOINTS, {
    'GET /results': (caller, { query }) => listResults(deps, caller, query),
    'GET /results/unseen': (caller, { query }) => readUnseen(deps, caller, query),
    'PUT /results/seen': (caller, { body }) => putSeen(deps, caller, body),
    'POST /post-sets/:id/retry': (caller, request) =>
      retryPostSet(request.within(deps), caller, request.params.id, request.body),
    'POST /post-sets/retry': (caller, { body }) => retryPostSets(deps, caller, body),
    'PUT /post-sets/:id/done': (caller, { params, body }) => putFailuresDone(deps, caller, params.id, body),
    'POST /post-sets/:id/look': (caller, { params, body }) => lookAtPostSet(deps, caller, params.id, body),
  })
  serve(server, guard, KEPT_DRAFT_ENDPOINTS, {
    'GET /kept-drafts': (caller, { query }) => listKeptDrafts(deps, caller, query),
    'GET /kept-drafts/:id': (caller, { params }) => readKeptDraft(deps, caller, params.id),
    'PUT /kept-drafts/:id': (caller, { params, body }) => keepDraft(deps, caller, params.id, body),
    'DELETE /kept-drafts/:id': (caller, { params, query }) => forgetKeptDraft(deps, caller, params.id, query),
  })
}
