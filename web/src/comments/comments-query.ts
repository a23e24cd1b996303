import { queryOptions } from '@tanstack/react-query'
import type { Comment } from '#contract'
import { type Body, call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
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
export const changeThread = (postSetId: string) => {
  const after = async <T>(request: Promise<T>): Promise<T> => {
    const answer = await request
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: queryKeys.comments.one(postSetId) }),
      queryClient.invalidateQueries({ queryKey: queryKeys.approvals.all }),
    ])
    return answer
  }
  return {
    write: (body: Body<'POST /post-sets/:id/comments'>) =>
      after(call('POST /post-sets/:id/comments', { params: { id: postSetId }, body })),
    edit: ({ id }: Comment, body: Body<'PATCH /comments/:id'>) =>
      after(call('PATCH /comments/:id', { params: { id }, body })),
    remove: ({ id }: Comment) => after(call('DELETE /comments/:id', { params: { id } })),
    resolve: ({ id }: Comment, resolved: boolean) =>
      after(call('PUT /comments/:id/resolved', { params: { id }, body: { resolved } })),
  }
}
