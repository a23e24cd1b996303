import type { FastifyInstance } from 'fastify'
import { NetworkDescription, pageOf } from '#contract'
import type { Networks } from '#networks'
import { listNetworks } from '#operations'
import { PageQuery } from '../queries.ts'
import { type Guard, interfaceRoute } from '../route.ts'

export interface NetworkRouteDeps {
  networks: Networks
}

export function networkRoutes(server: FastifyInstance, guard: Guard, deps: NetworkRouteDeps): void {
  interfaceRoute(server, guard, {
    method: 'GET',
    url: '/v1/networks',
    summary: 'List what networks take',
    description:
      'Extension. For each account type: the fields of its posts, the kinds of posts with their captions and media, the publishing defaults of its connections, and every limit with its source.',
    tag: 'Networks',
    query: PageQuery,
    status: 200,
    answer: pageOf(NetworkDescription),
    problems: [],
    handle: async (_, { query }) => listNetworks(deps, query),
  })
}
