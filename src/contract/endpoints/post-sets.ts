import { isEach, PostSetsCreate, PostSetsCreated } from '../bulk.ts'
import type { EndpointTable } from '../endpoint.ts'
import * as LIMITS from '../limits.ts'
import { pageOf } from '../pages.ts'
import { PostSet, PostSetCreate, PostSetUpdate, PostSetValidation } from '../post-sets.ts'
import { PostSetListQuery, SaveQuery } from '../queries.ts'

const tag = 'Post sets'
const OF_PLAN = [
  'plan:approvals_not_available',
  'post-set:repeats_not_available',
  'post-set:videos_not_available',
  'post-set:carousels_not_available',
  'post-set:monthly_posts_exceeded',
  'api-key:budget_exceeded',
] as const
const OF_STATE = ['post-set:read_only', 'post-set:locked', 'post-set:version_conflict'] as const

/** Post sets, for programs and members. */
export const POST_SET_ENDPOINTS = {
  'GET /post-sets': {
    api: {
      tag,
      summary: 'List post sets',
      description:
        'A page of the post sets of a social set. Values of one filter are alternatives; different filters narrow each other. A set that is inserted between two requests may shift pages by one.',
    },
    query: PostSetListQuery,
    status: 200,
    answer: pageOf(PostSet),
    problems: ['social-set:not_found'],
  },
  'POST /post-sets': {
    api: {
      tag,
      summary: 'Create a post set',
      description:
        'Also needs post-sets:publish if the status is SCHEDULED. With repeat, all sets of the series are created at once and the answer is the first one.',
    },
    right: 'post-sets:write',
    memberQuery: SaveQuery,
    body: PostSetCreate,
    touches: ['post-sets', 'calendar', 'approvals', 'media-library', 'kept-drafts'],
    status: 201,
    answer: PostSet,
    versioned: true,
    problems: [
      'request:invalid_body',
      'post-set:unknown_reference',
      'social-set:not_found',
      ...OF_PLAN,
      'post-set:invalid_posts',
      'post-set:external_id_taken',
    ],
  },
  'POST /post-sets/bulk': {
    api: {
      tag,
      summary: 'Create many post sets',
      operationId: 'createPostSets',
      description:
        'Extension. Up to 100 post sets with 400 posts in all in one request of the rate, each checked as if it were alone: all or none (ATOMIC), or every one that can be created (EACH), with an entry for each in order. A set whose externalId is already on the calendar is not created again. With an Idempotency-Key, the same request gets the same answer; with EACH, refused sets are tried again.',
    },
    right: 'post-sets:write',
    body: PostSetsCreate,
    bodyBytes: LIMITS.bulk.bodyBytes,
    bodyElements: LIMITS.bulk.bodyElements,
    keepsEntries: isEach,
    touches: ['post-sets', 'calendar', 'approvals', 'media-library'],
    status: 200,
    answer: PostSetsCreated,
    problems: [
      'request:invalid_body',
      'post-set:unknown_reference',
      'social-set:not_found',
      'post-set:read_only',
      'post-set:locked',
      ...OF_PLAN,
      'post-set:repeat_not_updatable',
      'post-set:account_type_not_updatable',
      'post-set:invalid_posts',
      'post-set:external_id_taken',
    ],
  },
  'POST /post-sets/validate': {
    api: {
      tag,
      summary: 'Check a post set',
      operationId: 'validatePostSet',
      description:
        'Extension. Takes the body of a new post set and reports what would be refused, with the same checks. Nothing is written; any key may use it. Warnings name what is sent differently from how it was written, such as control characters, which counts exclude.',
    },
    body: PostSetCreate,
    touches: [],
    status: 200,
    answer: PostSetValidation,
    problems: ['social-set:not_found'],
  },
  'GET /post-sets/:id': {
    api: { tag, summary: 'Read a post set' },
    status: 200,
    answer: PostSet,
    versioned: true,
    problems: ['post-set:not_found'],
  },
  'PATCH /post-sets/:id': {
    api: {
      tag,
      summary: 'Update a post set',
      description:
        'Omitted fields keep their values; posts, when given, is the complete new list; repeat makes the set the first of a series. Also needs post-sets:publish if the set ends up SCHEDULED; status DRAFT, which parks it, needs only post-sets:write.',
    },
    right: 'post-sets:write',
    memberQuery: SaveQuery,
    body: PostSetUpdate,
    touches: ['post-sets', 'calendar', 'approvals', 'media-library', 'kept-drafts'],
    status: 200,
    answer: PostSet,
    takesIfMatch: true,
    versioned: true,
    problems: [
      'request:invalid_body',
      'post-set:repeat_not_updatable',
      'post-set:duplicate_references',
      'post-set:unknown_reference',
      'post-set:account_type_not_updatable',
      'post-set:not_found',
      ...OF_STATE,
      ...OF_PLAN,
      'post-set:invalid_posts',
      'post-set:external_id_taken',
    ],
  },
  'DELETE /post-sets/:id': {
    api: {
      tag,
      summary: 'Delete a post set',
      description:
        'Extension. Permanently removes a draft or scheduled set from the calendar. Also needs post-sets:publish if the set is SCHEDULED. Other sets of its series stay.',
    },
    right: 'post-sets:write',
    touches: ['post-sets', 'calendar', 'approvals', 'media-library'],
    status: 204,
    takesIfMatch: true,
    problems: ['post-set:not_found', ...OF_STATE],
  },
} as const satisfies EndpointTable
