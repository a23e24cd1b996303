import type { FastifyInstance } from 'fastify'
import { PostSet, PostSetCreate, PostSetUpdate, pageOf } from '#contract'
import { createPostSet, getPostSet, listPostSets, type PostSetDeps, updatePostSet } from '#operations'
import { PostSetListQuery } from '../queries.ts'
import { type Guard, interfaceRoute } from '../route.ts'

export type PostSetRouteDeps = PostSetDeps

const tag = 'Post sets'

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
    problems: ['request:invalid_query', 'social-set:not_found'],
    handle: (caller, { query }) => listPostSets(deps, caller, query),
  })
  interfaceRoute(server, guard, {
    method: 'POST',
    url: '/v1/post-sets',
    summary: 'Create a post set',
    description: 'Needs post-sets:publish too when the status is SCHEDULED.',
    tag,
    scope: 'post-sets:write',
    body: PostSetCreate,
    status: 201,
    answer: PostSet,
    problems: ['request:invalid_body', 'post-set:unknown_reference', 'social-set:not_found', 'post-set:invalid_posts'],
    handle: (caller, { body }) => createPostSet(deps, caller, body),
  })
  interfaceRoute(server, guard, {
    method: 'GET',
    url: '/v1/post-sets/:id',
    summary: 'Read a post set',
    tag,
    status: 200,
    answer: PostSet,
    problems: ['post-set:not_found'],
    handle: (caller, { params }) => getPostSet(deps, caller, params.id ?? ''),
  })
  interfaceRoute(server, guard, {
    method: 'PATCH',
    url: '/v1/post-sets/:id',
    summary: 'Update a post set',
    description:
      'Omitted fields keep their values; posts, when given, is the complete new list. Needs post-sets:publish too when the set ends up SCHEDULED.',
    tag,
    scope: 'post-sets:write',
    body: PostSetUpdate,
    status: 200,
    answer: PostSet,
    problems: [
      'request:invalid_body',
      'post-set:duplicate_references',
      'post-set:unknown_reference',
      'post-set:account_type_not_updatable',
      'post-set:not_found',
      'post-set:read_only',
      'post-set:locked',
      'post-set:invalid_posts',
    ],
    handle: (caller, { params, body }) => updatePostSet(deps, caller, params.id ?? '', body),
  })
}
