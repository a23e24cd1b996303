import type { EndpointTable } from '../endpoint.ts'
import { ForgetKeptDraftQuery, KeptDraft, KeptDraftBody, KeptDrafts, StoredKeptDraft } from '../kept-drafts.ts'
import { SeenBrandsQuery } from '../queries.ts'

/** Unsaved texts of members. Each member sees and removes only their own. */
export const KEPT_DRAFT_ENDPOINTS = {
  'GET /kept-drafts': {
    query: SeenBrandsQuery,
    status: 200,
    answer: KeptDrafts,
    problems: ['social-set:not_found'],
  },
  'GET /kept-drafts/:id': {
    status: 200,
    answer: KeptDraft,
    problems: ['kept-draft:not_found'],
  },
  'PUT /kept-drafts/:id': {
    right: 'post-sets:write',
    body: KeptDraftBody,
    touches: ['kept-drafts'],
    status: 200,
    answer: StoredKeptDraft,
    problems: [
      'request:invalid_body',
      'social-set:not_found',
      'post-set:not_found',
      'kept-draft:not_found',
      'kept-draft:limit_reached',
    ],
  },
  'DELETE /kept-drafts/:id': {
    query: ForgetKeptDraftQuery,
    touches: ['kept-drafts'],
    status: 204,
    problems: ['kept-draft:not_found', 'kept-draft:changed'],
  },
} as const satisfies EndpointTable
