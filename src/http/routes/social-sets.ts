import type { FastifyInstance } from 'fastify'
import { pageOf, SocialSet } from '#contract'
import { listSocialSets } from '#operations'
import type { Database } from '#persistence'
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
}
