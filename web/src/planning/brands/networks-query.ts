import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

/** What every account type takes. It changes with the version of Almanac only. */
export const networksQuery = queryOptions({
  queryKey: queryKeys.networks,
  queryFn: async ({ signal }) => (await call('GET /networks', { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
})
