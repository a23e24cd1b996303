import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** Events are of the brand that is looked at: failures of the others are asked for. */
const OTHER_BRANDS_MS = 60_000

/** How many posts failed that the member has not seen, by brand. */
const unseenQuery = queryOptions({
  queryKey: queryKeys.unseenFailures,
  queryFn: ({ signal }) => call('GET /results/unseen', { signal }),
  refetchInterval: OTHER_BRANDS_MS,
})

/** How many failed posts the member has not seen, of all brands. */
export function useUnseen(): number {
  return useQuery(unseenQuery).data?.total ?? 0
}

/** The same of one brand. */
export function useUnseenOf(socialSetId: string): number {
  const { data } = useQuery(unseenQuery)
  return data?.data.find((brand) => brand.socialSetId === socialSetId)?.unseen ?? 0
}

/** What failed up to an instant, of all brands or of one, has been seen by the member. */
export async function markSeen(until: string, socialSetId: string | null = null): Promise<void> {
  const left = await call('PUT /results/seen', { body: { until, socialSetId } })
  await queryClient.cancelQueries({ queryKey: unseenQuery.queryKey })
  queryClient.setQueryData(unseenQuery.queryKey, left)
}
