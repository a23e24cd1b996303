import type { FastifyInstance } from 'fastify'
import { NETWORK_ENDPOINTS } from '#contract'
import type { Networks } from '#networks'
import { listNetworks } from '#operations'
import { type Guard, serveRaw } from '../route.ts'

export interface NetworkRouteDeps {
  networks: Networks
}

export function networkRoutes(server: FastifyInstance, guard: Guard, deps: NetworkRouteDeps): void {
  serveRaw(server, guard, NETWORK_ENDPOINTS, {
    'GET /networks': async (_, { query }) => listNetworks(deps, query),
  })
}
