import type { QueryKey } from '@tanstack/react-query'
import type { CalendarFeedAnswer } from '#contract'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** The calendar address of a brand or of a shared calendar: how it is read, issued (again) and closed. */
export interface FeedSource {
  query: { queryKey: QueryKey; queryFn: (context: { signal: AbortSignal }) => Promise<CalendarFeedAnswer> }
  /** Answers the new address, which is answered once; the one before ends. */
  issue: () => Promise<string>
  close: () => Promise<void>
}

export const brandFeed = (id: string): FeedSource => {
  const queryKey = queryKeys.calendarFeeds.one(`brand ${id}`)
  return {
    query: {
      queryKey,
      queryFn: ({ signal }) => call('GET /social-sets/:id/calendar-feed', { params: { id }, signal }),
    },
    async issue() {
      const { feed, url } = await call('PUT /social-sets/:id/calendar-feed', { params: { id } })
      queryClient.setQueryData(queryKey, { feed })
      return url
    },
    async close() {
      await call('DELETE /social-sets/:id/calendar-feed', { params: { id } })
      queryClient.setQueryData(queryKey, { feed: null })
    },
  }
}

export const sharedFeed = (id: string): FeedSource => {
  const queryKey = queryKeys.calendarFeeds.one(`shared ${id}`)
  return {
    query: {
      queryKey,
      queryFn: ({ signal }) => call('GET /shared-calendars/:id/calendar-feed', { params: { id }, signal }),
    },
    async issue() {
      const { feed, url } = await call('PUT /shared-calendars/:id/calendar-feed', { params: { id } })
      queryClient.setQueryData(queryKey, { feed })
      return url
    },
    async close() {
      await call('DELETE /shared-calendars/:id/calendar-feed', { params: { id } })
      queryClient.setQueryData(queryKey, { feed: null })
    },
  }
}
