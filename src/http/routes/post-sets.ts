import type { FastifyInstance } from 'fastify'
import { type ErrorCode, PostSet, PostSetCreate, PostSetUpdate, PostSetValidation, pageOf } from '#contract'
import {
  createPostSet,
  etagOf,
  getPostSet,
  listPostSets,
  type PostSetDeps,
  removePostSet,
  updatePostSet,
  validatePostSet,
} from '#operations'
import { PostSetListQuery } from '../queries.ts'
import { type Guard, interfaceRoute } from '../route.ts'

export type PostSetRouteDeps = PostSetDeps

const tag = 'Post sets'
const OF_PLAN: ErrorCode[] = [
  'plan:approvals_not_available',
  'post-set:repeats_not_available',
  'post-set:videos_not_available',
  'post-set:carousels_not_available',
  'post-set:monthly_posts_exceeded',
]
const OF_STATE: ErrorCode[] = ['post-set:read_only', 'post-set:locked', 'post-set:version_conflict']

export function postSetRoutes(server: FastifyInstance, guard: Guard, deps: PostSetRouteDeps): void {
  interfaceRoute(server, guard, {
    method: 'GET',
    url: '/v1/post-sets',
    summary: 'List post sets',
    description:
      'A page of the post sets of a social set. Values of one filter are alternatives, filters narrow each other. A set that is inserted between two requests may shift pages by one.',
    tag,
    query: PostSetListQuery,
    status: 200,
    answer: pageOf(PostSet),
    problems: ['social-set:not_found'],
    handle: (caller, { query }) => listPostSets(deps, caller, query),
  })
  interfaceRoute(server, guard, {
    method: 'POST',
    url: '/v1/post-sets',
    summary: 'Create a post set',
    description:
      'Needs post-sets:publish too when the status is SCHEDULED. With repeat, all sets of the series are made at once and the first one is answered.',
    tag,
    scope: 'post-sets:write',
    body: PostSetCreate,
    status: 201,
    answer: PostSet,
    etag: etagOf,
    problems: [
      'request:invalid_body',
      'post-set:unknown_reference',
      'social-set:not_found',
      ...OF_PLAN,
      'post-set:invalid_posts',
    ],
    handle: (caller, request) => createPostSet(request.within(deps), caller, request),
  })
  interfaceRoute(server, guard, {
    method: 'POST',
    url: '/v1/post-sets/validate',
    summary: 'Check a post set',
    operationId: 'validatePostSet',
    description:
      'Extension. Takes the body of a new post set and says what would be refused, by the same checks. Nothing is written; any key may ask.',
    tag,
    body: PostSetCreate,
    status: 200,
    answer: PostSetValidation,
    problems: ['social-set:not_found'],
    handle: (caller, request) => validatePostSet(deps, caller, request),
  })
  interfaceRoute(server, guard, {
    method: 'GET',
    url: '/v1/post-sets/:id',
    summary: 'Read a post set',
    tag,
    status: 200,
    answer: PostSet,
    etag: etagOf,
    problems: ['post-set:not_found'],
    handle: (caller, { params }) => getPostSet(deps, caller, params.id ?? ''),
  })
  interfaceRoute(server, guard, {
    method: 'PATCH',
    url: '/v1/post-sets/:id',
    summary: 'Update a post set',
    description:
      'Omitted fields keep their values; posts, when given, is the complete new list; repeat makes the set the first of a series. Needs post-sets:publish too when the set ends up SCHEDULED.',
    tag,
    scope: 'post-sets:write',
    body: PostSetUpdate,
    status: 200,
    answer: PostSet,
    takesIfMatch: true,
    etag: etagOf,
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
    ],
    handle: (caller, request) => updatePostSet(request.within(deps), caller, request.params.id ?? '', request),
  })
  interfaceRoute(server, guard, {
    method: 'DELETE',
    url: '/v1/post-sets/:id',
    summary: 'Delete a post set',
    description:
      'Extension. Takes a draft or scheduled set off the calendar, for good. Needs post-sets:publish too when the set is SCHEDULED. Other sets of its series stay.',
    tag,
    scope: 'post-sets:write',
    status: 204,
    takesIfMatch: true,
    problems: ['post-set:not_found', ...OF_STATE],
    handle: (caller, request) => removePostSet(deps, caller, request.params.id ?? '', request),
  })
}
