import { useQueries } from '@tanstack/react-query'
import type { PostSet } from '#contract'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { RANGE_MS, rangesOf } from './ranges.ts'

/** What is farther apart is shown without its author. */
const MOST_REQUESTS = 6

/** Who wrote drafts, by id: their cards say so. Empty until they have come. */
export function useAuthors(socialSetId: string | null, drafts: readonly PostSet[]): ReadonlyMap<string, string> {
  const starts = rangesOf(drafts.map(({ scheduledAt }) => Date.parse(scheduledAt))).slice(0, MOST_REQUESTS)
  return useQueries({
    queries: starts.map((start) => ({
      queryKey: [...queryKeys.calendar.all, 'authors of drafts', socialSetId, start],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call('GET /calendar', {
          query: {
            socialSetId,
            from: new Date(start).toISOString(),
            to: new Date(start + RANGE_MS).toISOString(),
            'filters[status][]': ['DRAFT'],
          },
          signal,
        }),
      staleTime: 60_000,
    })),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => data?.cards.map(({ id, author }) => [id, author.name] as const) ?? [])),
  })
}
