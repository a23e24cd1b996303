import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** The plan of the account and what is used of it. */
export const usageQuery = queryOptions({
  queryKey: queryKeys.plan.list(),
  queryFn: ({ signal }) => call('GET /usage', { signal }),
})
