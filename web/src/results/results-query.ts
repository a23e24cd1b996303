import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { AccountType, ResultGroup, ResultItem, ResultPage } from '#contract'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

export interface ResultFilters {
  /** Null: all brands that the member sees. */
  brand: string | null
  /** Scheduled in so many last days; null: whenever. */
  days: number | null
  network: AccountType | null
}

/** What is under way in another brand than the one that is looked at sends no events. */
const UNDER_WAY_MS = 15_000

/** One group, newest first, page after page; all that is shown is read again together. */
export function useResultGroup(group: ResultGroup, { brand, days, network }: ResultFilters) {
  return useInfiniteQuery({
    queryKey: queryKeys.results.list({ group, brand, days, network }),
    queryFn: ({ pageParam, signal }) =>
      call('GET /results', {
        query: {
          group,
          socialSetId: brand,
          days,
          'filters[accountTypes][]': network ? [network] : null,
          cursor: pageParam,
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ groups: [page] }) => page?.next ?? null,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      group === 'not-confirmed' && data?.pages[0]?.groups[0]?.data.length ? UNDER_WAY_MS : false,
  })
}

export type GroupQuery = ReturnType<typeof useResultGroup>

/** All that is read of a group so far. */
export function itemsOf({ data }: GroupQuery): ResultItem[] {
  return data?.pages.flatMap(({ groups }) => groups[0]?.data ?? []) ?? []
}

/** How many there are in all: "38", or "10,000+" of more than are counted; null until it is known. */
export function totalOf({ data }: GroupQuery): string | null {
  const first: ResultPage | undefined = data?.pages[0]?.groups[0]
  if (!first || first.total === null) return null
  const total = first.total.toLocaleString()
  return first.totalIsExact ? total : `${total}+`
}
