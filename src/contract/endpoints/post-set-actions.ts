import {
  PostSetBulk,
  PostSetBulkDone,
  PostSetDuplicate,
  PostSetLabels,
  PostSetLock,
  PostSetReview,
  RestoredPostSet,
  SeriesDates,
  SeriesMove,
  SeriesMoved,
  SeriesPlan,
  SeriesRemoval,
  SeriesRemoved,
} from '../calendar.ts'
import type { EndpointTable } from '../endpoint.ts'
import { PostSet } from '../post-sets.ts'

const ONE = ['request:invalid_body', 'post-set:not_found', 'post-set:version_conflict'] as const
const OF_PLAN = [
  'post-set:videos_not_available',
  'post-set:carousels_not_available',
  'post-set:monthly_posts_exceeded',
] as const

/** Actions of members on post sets in the calendar, besides writing them. */
export const POST_SET_ACTION_ENDPOINTS = {
  'PUT /post-sets/:id/lock': {
    right: 'post-sets:lock',
    body: PostSetLock,
    touches: ['post-sets', 'calendar', 'approvals', 'media-library'],
    status: 200,
    answer: PostSet,
    versioned: true,
    takesIfMatch: true,
    problems: ONE,
  },
  'PUT /post-sets/:id/labels': {
    right: 'labels:apply',
    body: PostSetLabels,
    touches: ['post-sets', 'calendar', 'approvals', 'media-library'],
    status: 200,
    answer: PostSet,
    versioned: true,
    takesIfMatch: true,
    problems: [...ONE, 'label:not_found'],
  },
  'POST /post-sets/:id/review': {
    right: 'post-sets:review',
    body: PostSetReview,
    touches: ['post-sets', 'calendar', 'approvals', 'media-library'],
    status: 200,
    answer: PostSet,
    versioned: true,
    takesIfMatch: true,
    problems: [...ONE, 'post-set:read_only', 'plan:approvals_not_available'],
  },
  'POST /post-sets/:id/duplicate': {
    right: 'post-sets:write',
    body: PostSetDuplicate,
    touches: ['post-sets', 'calendar', 'approvals', 'media-library'],
    status: 201,
    answer: PostSet,
    versioned: true,
    problems: ['request:invalid_body', 'post-set:not_found', 'request:refused', ...OF_PLAN, 'post-set:invalid_posts'],
  },
  'POST /post-sets/:id/restore': {
    right: 'post-sets:write',
    touches: ['post-sets', 'calendar', 'approvals', 'media-library'],
    status: 200,
    answer: RestoredPostSet,
    problems: ['post-set:not_found', 'post-set:monthly_posts_exceeded', 'post-set:external_id_taken'],
  },
  'POST /post-sets/:id/move': {
    right: 'post-sets:write',
    body: SeriesMove,
    touches: ['post-sets', 'calendar', 'approvals', 'media-library'],
    status: 200,
    answer: SeriesMoved,
    takesIfMatch: true,
    problems: [...ONE, 'post-set:read_only', 'post-set:locked', ...OF_PLAN, 'post-set:invalid_posts'],
  },
  'POST /post-sets/:id/remove': {
    right: 'post-sets:write',
    body: SeriesRemoval,
    touches: ['post-sets', 'calendar', 'approvals', 'media-library'],
    status: 200,
    answer: SeriesRemoved,
    takesIfMatch: true,
    problems: [...ONE, 'post-set:read_only', 'post-set:locked'],
  },
  'POST /post-sets/series-dates': {
    body: SeriesPlan,
    touches: [],
    status: 200,
    answer: SeriesDates,
    problems: ['request:invalid_body', 'social-set:not_found'],
  },
  'POST /post-sets/change': {
    body: PostSetBulk,
    touches: ['post-sets', 'calendar', 'approvals', 'media-library'],
    status: 200,
    answer: PostSetBulkDone,
    problems: ['request:invalid_body'],
  },
} as const satisfies EndpointTable
