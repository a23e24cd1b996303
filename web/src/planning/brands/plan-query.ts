import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

/** The plan of the account and what is used of it. */
export const usageQuery = queryOptions({
  queryKey: queryKeys.plan.list(),
  queryFn: ({ signal }) => call('GET /usage', { signal }),
})

/** Whether the plan has no approvals; false while that is not known. */
export function usePlanLacksApprovals(): boolean {
  const { data: usage } = useQuery(usageQuery)
  return usage !== undefined && !usage.features.includes('approvals')
}
