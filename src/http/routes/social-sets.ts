import type { FastifyInstance } from 'fastify'
import {
  ChangedSocialSet,
  pageOf,
  SocialSet,
  SocialSetBody,
  SocialSetUpdateBody,
  TimezoneChange,
  TimezoneQuery,
} from '#contract'
import { createSocialSetByMember, listSocialSets, previewTimezoneChange, updateSocialSet } from '#operations'
import type { Database } from '#persistence'
import { dashboardRoute } from '../dashboard-route.ts'
import { PageQuery } from '../queries.ts'
import { type Guard, interfaceRoute } from '../route.ts'

export interface SocialSetRouteDeps {
  db: Database
}

export function socialSetRoutes(server: FastifyInstance, guard: Guard, deps: SocialSetRouteDeps): void {
  interfaceRoute(server, guard, {
    method: 'GET',
    url: '/v1/social-sets',
    summary: 'List social sets',
    description: 'The brands that the key may see, with their connected accounts.',
    tag: 'Social sets',
    query: PageQuery,
    status: 200,
    answer: pageOf(SocialSet),
    problems: [],
    handle: (caller, { query }) => listSocialSets(deps, caller, query),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/social-sets',
    right: 'social-sets:manage',
    body: SocialSetBody,
    status: 201,
    answer: SocialSet,
    problems: ['request:invalid_body', 'plan:social_sets_exceeded'],
    handle: (caller, request) => createSocialSetByMember(deps, caller, request),
  })
  dashboardRoute(server, guard, {
    method: 'PATCH',
    url: '/internal/social-sets/:id',
    right: 'social-sets:manage',
    body: SocialSetUpdateBody,
    status: 200,
    answer: ChangedSocialSet,
    problems: ['request:invalid_body', 'social-set:not_found'],
    handle: (caller, request) => updateSocialSet(deps, caller, request.params.id ?? '', request),
  })
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/social-sets/:id/timezone-change',
    right: 'social-sets:manage',
    query: TimezoneQuery,
    status: 200,
    answer: TimezoneChange,
    problems: ['request:invalid_body', 'social-set:not_found'],
    handle: (caller, { params, query }) => previewTimezoneChange(deps, caller, params.id ?? '', query),
  })
}
