import type { FastifyInstance } from 'fastify'
import { type PlanCatalogue, USAGE_ENDPOINTS } from '#contract'
import { readUsage } from '#operations'
import type { Database } from '#persistence'
import { type Guard, serve } from '../route.ts'

export interface UsageRouteDeps {
  db: Database
  plans: PlanCatalogue
}

/** The plan of the account and what is used of it, for every member. */
export function usageRoutes(server: FastifyInstance, guard: Guard, deps: UsageRouteDeps): void {
  serve(server, guard, USAGE_ENDPOINTS, {
    'GET /usage': ({ accountId }) => readUsage(deps, accountId),
  })
}
