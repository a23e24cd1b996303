import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Approval, MediaType, PostSet } from '#contract'
import * as LIMITS from '#contract/limits'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

const SIZE = 50

interface DraftFilters {
  /** Null: of all brands that the member sees. */
  socialSetId: string | null
  /** Part of a caption; empty: every draft. */
  search: string
  label: string | null
  approval: Approval | null
  /** By the time that they have, or the newest first. */
  sort: 'time' | 'newest'
}

/** Drafts of a brand, page after page; all that is shown is read again together. */
export function useDrafts({ socialSetId, search, label, approval, sort }: DraftFilters) {
  return useInfiniteQuery({
    queryKey: queryKeys.postSets.list({ drafts: true, socialSetId, search, label, approval, sort }),
    queryFn: ({ pageParam, signal }) =>
      page({ socialSetId, sort }, pageParam, narrowing({ search, label, approval }), signal),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, totalPages } }) => (page < totalPages ? page + 1 : null),
    placeholderData: keepPreviousData,
  })
}

const narrowing = ({ search, label, approval }: Pick<DraftFilters, 'search' | 'label' | 'approval'>) => ({
  'filters[search]': search.length >= LIMITS.searchCodePoints ? search : null,
  'filters[labelsId][]': label === null ? null : [label],
  'filters[approval][]': approval === null ? null : [approval],
})

function page(
  { socialSetId, sort }: Pick<DraftFilters, 'socialSetId' | 'sort'>,
  number: number,
  filters: ReturnType<typeof narrowing>,
  signal: AbortSignal,
) {
  const query = { page: number, size: SIZE, ...filters }
  if (socialSetId === null) return call('GET /drafts', { query: { ...query, sort }, signal })
  const sorted = sort === 'newest' ? { 'sort[createdAt]': 'DESC' as const } : { 'sort[scheduledAt]': 'ASC' as const }
  return call('GET /post-sets', { query: { socialSetId, ...query, 'filters[status][]': ['DRAFT'], ...sorted }, signal })
}

/** The first picture of a draft, as the library has it, and of what it is; without one, of what its first file is. */
export function pictureOf({ posts }: PostSet): { thumbnailUrl: string | null; mediaType: MediaType | null } {
  const files = posts.flatMap(({ media }) => media)
  const shown = files.find(({ thumbnailUrl }) => thumbnailUrl) ?? files[0]
  return { thumbnailUrl: shown?.thumbnailUrl ?? null, mediaType: shown?.type ?? null }
}
