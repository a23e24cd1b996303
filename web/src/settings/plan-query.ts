import { queryOptions } from '@tanstack/react-query'
import type { AccountUsage } from '#contract'
import { api } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** The plan of the account and what is used of it. */
export const usageQuery = queryOptions({
  queryKey: queryKeys.plan.list(),
  queryFn: ({ signal }) => api.get<AccountUsage>('/usage', { signal }),
})
