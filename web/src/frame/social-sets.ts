import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import type { SocialSet } from '#contract'
import { call } from '../api/client.ts'
import { readEveryPage } from '../api/every-page.ts'
import { queryKeys } from '../api/query-keys.ts'

/** All social sets that the member sees, with their connected accounts. */
export const socialSetsQuery = queryOptions({
  queryKey: queryKeys.socialSets.list({ all: true }),
  queryFn: ({ signal }) => readEveryPage((query) => call('GET /social-sets', { query, signal })),
  staleTime: 60_000,
})

const STORED_AS = 'almanac.social-set'
const listeners = new Set<() => void>()
let chosen = readChosen()

/** Remembers which social set is looked at, for the next page that names none. */
export function chooseSocialSet(id: string): void {
  chosen = id
  try {
    localStorage.setItem(STORED_AS, id)
  } catch {
    // Without storage it is remembered until the page is left.
  }
  for (const listener of listeners) listener()
}

/**
 * The social set that is looked at: that of the address (`?set=`), else the one looked at last, else the first.
 * `missing`: the address names one that is not there for this member.
 */
export function useSocialSet(): { socialSet: SocialSet | undefined; missing: boolean; sets: SocialSet[] | undefined } {
  const named = useSearch({
    strict: false,
    select: (search): string | undefined => ('set' in search ? search.set : undefined),
  })
  const last = useSyncExternalStore(subscribe, () => chosen)
  const { data: sets } = useQuery(socialSetsQuery)
  if (!sets) return { socialSet: undefined, missing: false, sets }
  if (named !== undefined) {
    const socialSet = sets.find(({ id }) => id === named)
    return { socialSet, missing: !socialSet, sets }
  }
  return { socialSet: sets.find(({ id }) => id === last) ?? sets[0], missing: false, sets }
}

/** Whether an account of the set has to be connected again. */
export function needsReconnecting({ accounts }: Pick<SocialSet, 'accounts'>): boolean {
  return accounts.some(({ status }) => status === 'RECONNECT_REQUIRED')
}

function readChosen(): string | null {
  try {
    return localStorage.getItem(STORED_AS)
  } catch {
    return null
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
