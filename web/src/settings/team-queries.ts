import { queryOptions } from '@tanstack/react-query'
import type { RolesTable, SocialSet, Team } from '#contract'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { listOf } from '../design/words.ts'
import { daysAgo } from '../time/relative.ts'

/** The people of the account, and those who are invited. */
export const teamQuery = queryOptions({
  queryKey: queryKeys.members.list(),
  queryFn: ({ signal }) => api.get<Team>('/members', { signal }),
})

/** What each role may do, in words. */
export const rolesQuery = queryOptions({
  queryKey: [...queryKeys.members.all, 'roles'],
  queryFn: ({ signal }) => api.get<RolesTable>('/roles', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** After somebody came, went or became something else. */
export async function teamChanged(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: teamQuery.queryKey })
}

/** "All social sets", or the names of some. */
export function accessWords(socialSetIds: readonly string[] | null, sets: readonly SocialSet[]): string {
  if (socialSetIds === null) return 'All social sets'
  const names = sets.filter(({ id }) => socialSetIds.includes(id)).map(({ name }) => name)
  return names.length === 0 ? 'No social set' : listOf(names)
}

const DAY_MS = 86_400_000

/** "Today", "Yesterday", "12 days ago", by the days of a zone; "Never" for null. */
export function lastSeenWords(at: string | null, zone: string): string {
  // Only open sessions tell of it.
  if (at === null) return 'Not signed in now'
  const words = daysAgo(at, zone, Date.now())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** "in 6 days", "today". */
export function expiryWords(at: string, now = Date.now()): string {
  const days = Math.ceil((Date.parse(at) - now) / DAY_MS)
  return days <= 1 ? 'within a day' : `in ${days} days`
}
