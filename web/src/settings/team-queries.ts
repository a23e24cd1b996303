import { plural, t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
import type { SocialSet } from '#contract'
import { DAY_MS } from '#contract/durations'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { listOf } from '../design/words.ts'
import { wordsOfCode } from '../language/server-words.ts'
import { daysAgo } from '../time/relative.ts'

/** The people of the account, and those who are invited. */
export const teamQuery = queryOptions({
  queryKey: queryKeys.members.list(),
  queryFn: ({ signal }) => call('GET /members', { signal }),
})

/** What each role may do, in words. */
export const rolesQuery = queryOptions({
  queryKey: queryKeys.roles,
  queryFn: ({ signal }) => call('GET /roles', { signal }),
  select: ({ roles, rights }) => ({
    roles: roles.map((each) => ({
      ...each,
      title: wordsOfCode(`role:${each.role}`, each.title),
      description: wordsOfCode(`role:${each.role}:description`, each.description),
    })),
    rights: rights.map((each) => ({ ...each, title: wordsOfCode(`right:${each.right}`, each.title) })),
  }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** "All brands", or the names of some. */
export function accessWords(socialSetIds: readonly string[] | null, sets: readonly SocialSet[]): string {
  if (socialSetIds === null) return t`All brands`
  const names = sets.filter(({ id }) => socialSetIds.includes(id)).map(({ name }) => name)
  return names.length === 0 ? t`No brand` : listOf(names)
}

/** "Today", "Yesterday", "12 days ago", by the days of a zone; "Never" for null. */
export function lastSeenWords(at: string | null, zone: string): string {
  // Only open sessions hear of it.
  if (at === null) return t`Not signed in`
  const words = daysAgo(at, zone, Date.now())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** "The link expires in 6 days." */
export function expiryWords(at: string, now = Date.now()): string {
  const days = Math.ceil((Date.parse(at) - now) / DAY_MS)
  return days <= 1
    ? t`The link expires within a day.`
    : plural(days, { one: 'The link expires in # day.', other: 'The link expires in # days.' })
}
