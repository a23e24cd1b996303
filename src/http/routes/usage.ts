import type { FastifyInstance } from 'fastify'
import { type PlanCatalog, USAGE_ENDPOINTS } from '#contract'
import { readUsage } from '#operations'
import type { Database } from '#persistence'
import { type Guard, serveRaw } from '../route.ts'

export interface UsageRouteDeps {
  db: Database
  plans: PlanCatalog
}

/** The plan of the account and what is used of it, for every member. */
export function usageRoutes(server: FastifyInstance, guard: Guard, deps: UsageRouteDeps): void {
  serveRaw(server, guard, USAGE_ENDPOINTS, {
    'GET /usage': ({ accountId }) => readUsage(deps, accountId),
  })
}
