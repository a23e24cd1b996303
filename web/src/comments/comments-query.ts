import { queryOptions } from '@tanstack/react-query'
import type { Comment } from '#contract'
import { change } from '../api/change.ts'
import { type Body, call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** Events are of the brand that is looked at: a thread of another one is asked for. */
const OTHER_BRANDS_MS = 60_000

/** The thread of a post, oldest first, and who may be mentioned in it. */
export const threadQuery = (postSetId: string) =>
  queryOptions({
    queryKey: queryKeys.comments.one(postSetId),
    queryFn: ({ signal }) => call('GET /post-sets/:id/comments', { params: { id: postSetId }, signal }),
    refetchInterval: OTHER_BRANDS_MS,
  })

/** What is changed about a thread, each with the thread read again. */
export const changeThread = (postSetId: string) => ({
  write: (body: Body<'POST /post-sets/:id/comments'>) =>
    change('POST /post-sets/:id/comments', { params: { id: postSetId }, body }),
  edit: ({ id }: Comment, body: Body<'PATCH /comments/:id'>) => change('PATCH /comments/:id', { params: { id }, body }),
  remove: ({ id }: Comment) => change('DELETE /comments/:id', { params: { id } }),
  resolve: ({ id }: Comment, resolved: boolean) =>
    change('PUT /comments/:id/resolved', { params: { id }, body: { resolved } }),
})
