import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ApprovalCounts } from '#contract'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** Events are of the brand that is looked at: what waits in the others is asked for. */
const OTHER_BRANDS_MS = 60_000

const countsQuery = queryOptions({
  queryKey: [...queryKeys.approvals.all, 'counts'],
  queryFn: ({ signal }) => call('GET /approvals/counts', { signal }),
  refetchInterval: OTHER_BRANDS_MS,
})

/** How many posts wait for the member's approval, and how many that the member asked about wait for others. */
export function useApprovalCounts(): ApprovalCounts | undefined {
  return useQuery(countsQuery).data
}
