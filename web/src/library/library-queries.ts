import { keepPreviousData, queryOptions, useInfiniteQuery } from '@tanstack/react-query'
import type {
  AccountType,
  LibraryFile,
  MediaShape,
  MediaShown,
  MediaSort,
  MediaType,
  MediaUpload,
  SocialSet,
} from '#contract'
import { hasCode } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** Which files are shown, and in what order. Null: no matter. */
export interface LibraryFilters {
  search: string
  type: MediaType | null
  shape: MediaShape | null
  shown: MediaShown | null
  month: 'THIS' | 'LAST' | null
  /** Id of a label. */
  label: string | null
  sort: MediaSort
}

export const NO_FILTERS: LibraryFilters = {
  search: '',
  type: null,
  shape: null,
  shown: null,
  month: null,
  label: null,
  sort: 'NEWEST',
}

/** How many filters beside the search narrow what is shown. */
export const numberOf = ({ type, shape, shown, month, label }: LibraryFilters) =>
  [type, shape, shown, month, label].filter((value) => value !== null).length

export function isNarrowed(filters: LibraryFilters): boolean {
  return filters.search.trim() !== '' || numberOf(filters) > 0
}

/**
 * Files of a brand, page after page.
 *
 * @param accountTypes each file says which of these do not take it
 */
export function useLibrary(socialSetId: string, filters: LibraryFilters, accountTypes: readonly AccountType[]) {
  const { search, type, shape, shown, month, label, sort } = filters
  return useInfiniteQuery({
    queryKey: queryKeys.media.list({ browse: true, socialSetId, ...filters, accountTypes }),
    queryFn: ({ pageParam, signal }) =>
      call('GET /media-library/browse', {
        query: {
          socialSetId,
          search: search.trim() || null,
          type,
          shape,
          shown,
          month,
          labelId: label,
          sort,
          'accountTypes[]': accountTypes.length === 0 ? null : [...accountTypes],
          cursor: pageParam,
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
}

type LibraryQuery = ReturnType<typeof useLibrary>

export const filesOfQuery = ({ data }: LibraryQuery): LibraryFile[] => data?.pages.flatMap((page) => page.data) ?? []

/** The posts that have a file: another answer when posts change, not when files do. */
export const usesQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.postSets.list({ withFile: id }),
    queryFn: ({ signal }) => call('GET /media-library/:id/uses', { params: { id }, signal }),
  })

/** Where pictures of the pages of a document are. */
export const pagesQuery = (id: string) =>
  queryOptions({
    queryKey: [...queryKeys.media.one(id), 'pages'],
    queryFn: async ({ signal }) =>
      (await call('GET /media-library/:id/pages', { params: { id }, signal })).data.map(({ url }) => url),
  })

/** Ids of the labels of a file. */
export const labelsOfQuery = (id: string) =>
  queryOptions({
    queryKey: [...queryKeys.media.one(id), 'labels'],
    queryFn: async ({ signal }) => (await call('GET /media-library/:id/labels', { params: { id }, signal })).labelsId,
  })

/** One file of the library. */
export const mediaItemQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.media.one(id),
    queryFn: ({ signal }) => call('GET /media-library/:id', { params: { id }, signal }),
  })

const UPLOADS_MS = 5_000

/** Uploads of a social set whose bytes have not all arrived. */
export const unfinishedQuery = (socialSetId: string) =>
  queryOptions({
    queryKey: queryKeys.uploads.list({ socialSetId }),
    queryFn: async ({ signal }) => (await call('GET /media-upload', { query: { socialSetId }, signal })).data,
    // No event says that bytes have come.
    refetchInterval: UPLOADS_MS,
  })

/** Ends an upload. One that has arrived or ended meanwhile is not there any more, which is what was wanted. */
export async function endUpload(id: string): Promise<void> {
  try {
    await call('DELETE /media-upload/:id', { params: { id } })
  } catch (error) {
    if (!hasCode(error, 'media-upload:not_found')) throw error
  }
}

export function importMedia(socialSet: SocialSet, url: string): Promise<MediaUpload> {
  return call('POST /media-upload', { body: { socialSetId: socialSet.id, url } })
}

/** An import, asked again every second until it has ended. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.media.one(`import ${id}`),
    queryFn: ({ signal }) => call('GET /media-upload/:id', { params: { id }, signal }),
    refetchInterval: ({ state }) => (isOver(state.data) || state.error ? false : 1_000),
  })

export function isOver(upload: MediaUpload | undefined): boolean {
  return upload?.status === 'READY' || upload?.status === 'FAILED'
}
