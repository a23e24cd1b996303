import { useQuery } from '@tanstack/react-query'
import type { ResultGroup, ResultItem, SocialSet } from '#contract'
import { isNetwork } from '../design/network-icon.tsx'
import { socialSetsQuery } from '../frame/social-sets.ts'
import type { ResultFilters } from './results-query.ts'

/** What is in the address. */
export interface ResultsSearch {
  /** Id of a brand. */
  brand?: string
  /** A number of days, or `all`. */
  days?: string
  net?: string
  /** One of `GROUPS`. */
  group?: string
}

/** As long as failures that have not been seen are counted. */
export const DEFAULT_DAYS = 30
export const DAYS = [7, 14, 30, 90] as const

export const GROUPS = [
  'needs-you',
  'not-confirmed',
  'inbox',
  'published',
  'done',
] as const satisfies readonly ResultGroup[]

export function readFilters({ brand, days, net }: ResultsSearch): ResultFilters {
  const number = Number(days)
  const known = (DAYS as readonly number[]).includes(number) ? number : DEFAULT_DAYS
  return {
    brand: brand ?? null,
    days: days === 'all' ? null : known,
    network: net !== undefined && isNetwork(net) ? net : null,
  }
}

/** The one group that is wanted; null for all. */
export function readGroup({ group }: ResultsSearch): ResultGroup | null {
  return GROUPS.find((name) => name === group) ?? null
}

/** The brands that the member sees. */
export function useBrands(): readonly SocialSet[] {
  return useQuery(socialSetsQuery).data ?? []
}

/** Which posts are chosen. */
export interface Selection {
  /** What is chosen by "all". */
  advised: readonly ResultItem[]
  selected: ReadonlySet<string>
  select: (ids: ReadonlySet<string>) => void
}
