import { queryOptions } from '@tanstack/react-query'
import type { PostSet, PostSetValidation, Repeat } from '#contract'
import { type Body, call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import type { SaveOf } from './keeping/use-keeping.ts'

/** One post set. */
export const postSetQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.postSets.one(id),
    queryFn: ({ signal }) => call('GET /post-sets/:id', { params: { id }, signal }),
  })

const RUNNING_MS = 3_000

/** The result of each post of a set, asked again while it is publishing. */
export const deliveriesQuery = ({ id, status }: Pick<PostSet, 'id' | 'status'>) =>
  queryOptions({
    queryKey: [...queryKeys.postSets.one(id), 'deliveries'],
    queryFn: ({ signal }) => call('GET /post-sets/:id/deliveries', { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) =>
      status === 'PUBLISHING' || data?.state === 'publishing' ? RUNNING_MS : false,
  })

export type PostSetBody = PostSetWritten & { repeat?: Repeat }

type PostSetWritten = Omit<Body<'POST /post-sets'>, 'repeat'>

/** The server's own check of a set that is being written. */
export function validate(body: PostSetBody, signal: AbortSignal): Promise<PostSetValidation> {
  return call('POST /post-sets/validate', { body, signal })
}

/**
 * Makes a set, with which the text ends that was kept. One that would be published at once is refused, unless that is what is
 * wanted.
 */
export function createPostSet(body: PostSetBody, publishNow: boolean, of: SaveOf): Promise<PostSet> {
  return call('POST /post-sets', { body, query: { publishNow: publishNow || null, ...of } })
}

/** Changes a set of the version that was read; refused when there is a newer one. */
export function updatePostSet(
  { id, version }: PostSet,
  change: Partial<PostSetBody>,
  publishNow: boolean,
  of: SaveOf,
): Promise<PostSet> {
  const query = { publishNow: publishNow || null, ...of }
  return call('PATCH /post-sets/:id', { params: { id }, query, body: change, ifMatch: version })
}
