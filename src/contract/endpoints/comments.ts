import { Comment, CommentBody, CommentResolvedBody, CommentThread, CommentUpdateBody } from '../comments.ts'
import type { EndpointTable } from '../endpoint.ts'

/** Comments on a post set, by members and guests. Every member who sees the brand may use them. */
export const COMMENT_ENDPOINTS = {
  'GET /post-sets/:id/comments': {
    status: 200,
    answer: CommentThread,
    problems: ['post-set:not_found'],
  },
  'POST /post-sets/:id/comments': {
    body: CommentBody,
    touches: ['comments', 'approvals'],
    status: 201,
    answer: Comment,
    problems: ['request:invalid_body', 'post-set:not_found', 'comment:limit_reached', 'comment:too_fast'],
  },
  'PATCH /comments/:id': {
    body: CommentUpdateBody,
    touches: ['comments', 'approvals'],
    status: 200,
    answer: Comment,
    problems: ['request:invalid_body', 'comment:not_found', 'auth:insufficient_role'],
  },
  'DELETE /comments/:id': {
    touches: ['comments', 'approvals'],
    status: 204,
    problems: ['comment:not_found', 'auth:insufficient_role'],
  },
  'PUT /comments/:id/resolved': {
    body: CommentResolvedBody,
    touches: ['comments', 'approvals'],
    status: 200,
    answer: Comment,
    problems: ['request:invalid_body', 'comment:not_found'],
  },
} as const satisfies EndpointTable
