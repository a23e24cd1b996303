import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLocation, useSearch } from '@tanstack/react-router'
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
const ALL_STORED_AS = 'almanac.all-brands'
/** Screens that are over all brands where the address names none, and those that are of one brand, always. */
const OVER_ALL = ['/scheduling/', '/drafts']
const OF_ONE = ['/media', '/connections', '/settings/calendars']
const listeners = new Set<() => void>()
let chosen = read(STORED_AS)
let all = chosen === null || read(ALL_STORED_AS) !== null

/** Remembers which social set is looked at, for the next page that names none. */
export function chooseSocialSet(id: string): void {
  chosen = id
  all = false
  remember()
}

/** The same of all of them together. */
export function chooseAllBrands(): void {
  all = true
  remember()
}

function remember(): void {
  try {
    if (chosen !== null) localStorage.setItem(STORED_AS, chosen)
    if (all) localStorage.setItem(ALL_STORED_AS, 'yes')
    else localStorage.removeItem(ALL_STORED_AS)
  } catch {
    // Without storage it is remembered until the page is left.
  }
  for (const listener of listeners) listener()
}

/** Whether all brands are looked at together: on screens that can be over all, where the address names none. */
export function useAllBrands(): boolean {
  const { pathname } = useLocation()
  const named = useSearch({ strict: false, select: (search) => 'set' in search && search.set !== undefined })
  const last = useSyncExternalStore(subscribe, () => all)
  const { data: sets } = useQuery(socialSetsQuery)
  const below = (paths: readonly string[]) => paths.some((path) => pathname.startsWith(path))
  if (!sets || sets.length < 2 || below(OF_ONE)) return false
  return below(OVER_ALL) ? !named : last
}

/** What names, in an address, the brand that is looked at: nothing where that is all of them, or there is one alone. */
export function useBrandSearch(): { set?: string } {
  const { socialSet, sets } = useSocialSet()
  const everything = useAllBrands()
  const last = useSyncExternalStore(subscribe, () => all)
  return !socialSet || everything || last || sets?.length === 1 ? {} : { set: socialSet.id }
}

/** The same for who comes without a screen, by what was looked at last. */
export function lastBrandSearch(sets: readonly SocialSet[]): { set?: string } {
  const set = all || sets.length < 2 ? undefined : sets.find(({ id }) => id === chosen)?.id
  return set === undefined ? {} : { set }
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

function read(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
