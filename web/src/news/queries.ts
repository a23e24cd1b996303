import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { readAgain } from '../api/change.ts'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'

const unreadQuery = queryOptions({
  queryKey: [...queryKeys.news.all, 'unread'],
  queryFn: ({ signal }) => call('GET /news/unread', { signal }),
})

/** What happened, newest first, page after page; all that is shown is read again together. */
export const newsQuery = infiniteQueryOptions({
  queryKey: queryKeys.news.list(),
  queryFn: ({ pageParam, signal }) => call('GET /news', { query: { cursor: pageParam }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
})

/** How many news the member has not read, of all brands. */
export function useUnreadNews(): number {
  return useQuery(unreadQuery).data?.unread ?? 0
}

/** One of the news has been read. */
export async function markRead(id: string): Promise<void> {
  showUnread(await call('PUT /news/:id/read', { params: { id } }))
  void readAgain('PUT /news/:id/read')
}

/** Everything up to an instant has been read. */
export async function markAllRead(until: string): Promise<void> {
  showUnread(await call('PUT /news/read', { body: { until } }))
  void readAgain('PUT /news/read')
}

function showUnread(left: { unread: number }): void {
  queryClient.setQueryData(unreadQuery.queryKey, left)
}
