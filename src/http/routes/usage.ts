import type { FastifyInstance } from 'fastify'
import { AccountUsage, type PlanCatalogue } from '#contract'
import { readUsage } from '#operations'
import type { Database } from '#persistence'
import { dashboardRoute } from '../dashboard-route.ts'
import type { Guard } from '../route.ts'

export interface UsageRouteDeps {
  db: Database
  plans: PlanCatalogue
}

/** The plan of the account and what is used of it, for every member. */
export function usageRoutes(server: FastifyInstance, guard: Guard, deps: UsageRouteDeps): void {
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/usage',
    status: 200,
    answer: AccountUsage,
    problems: [],
    handle: ({ accountId }) => readUsage(deps, accountId),
  })
}
