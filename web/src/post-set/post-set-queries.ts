import { queryOptions } from '@tanstack/react-query'
import type {
  MediaLibraryItem,
  MediaUpload,
  NetworkDescription,
  PostDeliveries,
  PostSet,
  PostSetValidation,
  Repeat,
  SocialSet,
} from '#contract'
import { api, requestVersioned } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

interface Page<T> {
  data: T[]
  pagination: { page: number; size: number; total: number; totalPages: number; totalIsExact: boolean }
}

/** One post set. */
export const postSetQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.postSets.one(id),
    queryFn: ({ signal }) => api.get<PostSet>(`/post-sets/${encodeURIComponent(id)}`, { signal }),
  })

const RUNNING_MS = 3_000

/** What became of each post of a set, asked again while it is publishing. */
export const deliveriesQuery = ({ id, status }: Pick<PostSet, 'id' | 'status'>) =>
  queryOptions({
    queryKey: [...queryKeys.postSets.one(id), 'deliveries'],
    queryFn: ({ signal }) => api.get<PostDeliveries>(`/post-sets/${encodeURIComponent(id)}/deliveries`, { signal }),
    refetchInterval: ({ state: { data } }) =>
      status === 'PUBLISHING' || data?.state === 'publishing' ? RUNNING_MS : false,
  })

/** What every account type takes. It changes with the version of Almanac only. */
export const networksQuery = queryOptions({
  queryKey: queryKeys.networks,
  queryFn: async ({ signal }) => (await api.get<{ data: NetworkDescription[] }>('/networks', { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** A page of the media library of a social set, newest first. */
export const mediaQuery = (socialSetId: string, page: number) =>
  queryOptions({
    queryKey: queryKeys.media.list({ socialSetId, page }),
    queryFn: ({ signal }) =>
      api.get<Page<MediaLibraryItem>>('/media-library', { query: { socialSetId, page, size: 24 }, signal }),
  })

export type PostSetBody = Pick<PostSet, 'socialSetId' | 'scheduledAt' | 'approval'> & {
  status: 'DRAFT' | 'SCHEDULED'
  posts: object[]
  repeat?: Repeat
}

/** The server's own check of a set that is being written. */
export function validate(body: PostSetBody, signal: AbortSignal): Promise<PostSetValidation> {
  return api.post('/post-sets/validate', body, { signal })
}

/** Makes a set. One that would be published at once is refused, unless that is what is wanted. */
export function createPostSet(body: PostSetBody, publishNow: boolean): Promise<PostSet> {
  return api.post('/post-sets', body, queryOf(publishNow))
}

const queryOf = (publishNow: boolean) => (publishNow ? { query: { publishNow } } : {})

/** Changes a set of the version that was read; refused when there is a newer one. */
export async function updatePostSet(
  before: PostSet,
  change: Partial<PostSetBody>,
  publishNow: boolean,
): Promise<PostSet> {
  const { body } = await requestVersioned<PostSet>('PATCH', `/post-sets/${before.id}`, {
    ...queryOf(publishNow),
    body: change,
    ifMatch: `"${before.version}"`,
  })
  return body
}

export function importMedia(socialSet: SocialSet, url: string): Promise<MediaUpload> {
  return api.post('/media-upload', { socialSetId: socialSet.id, url })
}

/** An import, asked again every second until it has ended. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.media.one(`import ${id}`),
    queryFn: ({ signal }) => api.get<MediaUpload>(`/media-upload/${id}`, { signal }),
    refetchInterval: ({ state }) => (isOver(state.data) || state.error ? false : 1_000),
  })

export function isOver(upload: MediaUpload | undefined): boolean {
  return upload?.status === 'READY' || upload?.status === 'FAILED'
}
