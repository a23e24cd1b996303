import type { EndpointTable } from '../endpoint.ts'
import { AccountUsage } from '../usage.ts'

/** The plan of the account and what is used of it, for every member. */
export const USAGE_ENDPOINTS = {
  'GET /usage': {
    status: 200,
    answer: AccountUsage,
    problems: [],
  },
} as const satisfies EndpointTable
