// What a brand has for those who write: groups of hashtags, saved times and which of them are free.
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

/** The groups of hashtags of a brand, by name. */
export const hashtagGroupsQuery = (socialSetId: string) =>
  queryOptions({
    queryKey: queryKeys.hashtagGroups.one(socialSetId),
    queryFn: async ({ signal }) => (await call('GET /hashtag-groups', { query: { socialSetId }, signal })).data,
    staleTime: 60_000,
  })

/** The times of the week at which a brand posts, from Monday on. */
export const savedTimesQuery = (socialSetId: string) =>
  queryOptions({
    queryKey: [...queryKeys.socialSets.one(socialSetId), 'saved-times'],
    queryFn: async ({ signal }) =>
      (await call('GET /social-sets/:id/saved-times', { params: { id: socialSetId }, signal })).times,
    staleTime: 60_000,
  })

/** The saved times to come of all brands, between two instants at most a week apart, that no post of the brand has yet. */
export const allFreeSlotsQuery = (from: string, to: string) =>
  queryOptions({
    // Read again with the posts that take them.
    queryKey: queryKeys.postSets.list({ freeSlots: null, from, to }),
    queryFn: async ({ signal }) => (await call('GET /calendar/free-slots', { query: { from, to }, signal })).slots,
    staleTime: 60_000,
  })

/** The next saved times of a brand from an instant on that no post has yet. */
export const freeSlotsQuery = (socialSetId: string, from: string, limit: number) =>
  queryOptions({
    // Read again with the posts that take them.
    queryKey: queryKeys.postSets.list({ freeSlots: socialSetId, from, limit }),
    queryFn: async ({ signal }) =>
      (await call('GET /social-sets/:id/free-slots', { params: { id: socialSetId }, query: { from, limit }, signal }))
        .slots,
    staleTime: 60_000,
  })
