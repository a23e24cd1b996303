import { useInfiniteQuery } from '@tanstack/react-query'
import type { ApprovalItem, ApprovalTab } from '#contract'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { OTHER_BRANDS_MS } from '../planning/approvals/review-queries.ts'

/** What is in the address. */
export interface ApprovalsSearch {
  tab?: string
  /** Id of a brand; absent: all that the member sees. */
  brand?: string
  /** Id of the post that is looked at. */
  post?: string
}

export const TABS = ['waiting', 'requested', 'decided'] as const satisfies readonly ApprovalTab[]

export function readTab({ tab }: ApprovalsSearch): ApprovalTab {
  return TABS.find((name) => name === tab) ?? 'waiting'
}

/** A tab, page after page; all that is shown is read again together. `brand` null: all. */
export function useApprovals(tab: ApprovalTab, brand: string | null) {
  return useInfiniteQuery({
    queryKey: queryKeys.approvals.list({ tab, brand }),
    queryFn: ({ pageParam, signal }) =>
      call('GET /approvals', { query: { tab, socialSetId: brand, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: OTHER_BRANDS_MS,
  })
}

export function itemsOf({ data }: Pick<ReturnType<typeof useApprovals>, 'data'>): ApprovalItem[] {
  return data?.pages.flatMap((page) => page.data) ?? []
}
