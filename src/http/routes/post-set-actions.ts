import type { FastifyInstance } from 'fastify'
import {
  type ErrorCode,
  PostSet,
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
} from '#contract'
import {
  changePostSets,
  duplicatePostSet,
  etagOf,
  movePostSet,
  type PostSetDeps,
  putLabels,
  putLock,
  readSeriesDates,
  removeSeries,
  restorePostSet,
  reviewPostSet,
} from '#operations'
import { dashboardRoute } from '../dashboard-route.ts'
import type { Guard } from '../route.ts'

const ONE: ErrorCode[] = ['request:invalid_body', 'post-set:not_found', 'post-set:version_conflict']
const OF_PLAN: ErrorCode[] = [
  'post-set:videos_not_available',
  'post-set:carousels_not_available',
  'post-set:monthly_posts_exceeded',
]

/** What members do to post sets in the calendar, besides writing them. */
export function postSetActionRoutes(server: FastifyInstance, guard: Guard, deps: PostSetDeps): void {
  dashboardRoute(server, guard, {
    method: 'PUT',
    url: '/internal/post-sets/:id/lock',
    right: 'post-sets:lock',
    body: PostSetLock,
    status: 200,
    answer: PostSet,
    etag: etagOf,
    problems: ONE,
    handle: (caller, request) => putLock(deps, caller, request.params.id ?? '', request),
  })
  dashboardRoute(server, guard, {
    method: 'PUT',
    url: '/internal/post-sets/:id/labels',
    right: 'labels:apply',
    body: PostSetLabels,
    status: 200,
    answer: PostSet,
    etag: etagOf,
    problems: [...ONE, 'label:not_found'],
    handle: (caller, request) => putLabels(deps, caller, request.params.id ?? '', request),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/post-sets/:id/review',
    right: 'post-sets:review',
    body: PostSetReview,
    status: 200,
    answer: PostSet,
    etag: etagOf,
    problems: [...ONE, 'post-set:read_only', 'plan:approvals_not_available'],
    handle: (caller, request) => reviewPostSet(deps, caller, request.params.id ?? '', request),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/post-sets/:id/duplicate',
    right: 'post-sets:write',
    body: PostSetDuplicate,
    status: 201,
    answer: PostSet,
    etag: etagOf,
    problems: ['request:invalid_body', 'post-set:not_found', 'request:refused', ...OF_PLAN, 'post-set:invalid_posts'],
    handle: (caller, request) => duplicatePostSet(deps, caller, request.params.id ?? '', request),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/post-sets/:id/restore',
    right: 'post-sets:write',
    status: 200,
    answer: RestoredPostSet,
    problems: ['post-set:not_found', 'request:refused'],
    handle: (caller, request) => restorePostSet(deps, caller, request.params.id ?? '', request),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/post-sets/:id/move',
    right: 'post-sets:write',
    body: SeriesMove,
    status: 200,
    answer: SeriesMoved,
    problems: [...ONE, 'post-set:read_only', 'post-set:locked', ...OF_PLAN, 'post-set:invalid_posts'],
    handle: (caller, request) => movePostSet(deps, caller, request.params.id ?? '', request),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/post-sets/:id/remove',
    right: 'post-sets:write',
    body: SeriesRemoval,
    status: 200,
    answer: SeriesRemoved,
    problems: [...ONE, 'post-set:read_only', 'post-set:locked'],
    handle: (caller, request) => removeSeries(deps, caller, request.params.id ?? '', request),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/post-sets/series-dates',
    body: SeriesPlan,
    status: 200,
    answer: SeriesDates,
    problems: ['request:invalid_body', 'social-set:not_found'],
    handle: (caller, request) => readSeriesDates(deps, caller, request),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/post-sets/bulk',
    body: PostSetBulk,
    status: 200,
    answer: PostSetBulkDone,
    problems: ['request:invalid_body'],
    handle: (caller, request) => changePostSets({ ...deps, log: guard.log }, caller, request),
  })
}
