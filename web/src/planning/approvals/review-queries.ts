// What is known of a review: the rule of the brand, who has approved, and what changed since a version that was seen.
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { TextsOf } from '../posts/changed-post.tsx'

/** Events are of the brand that is looked at: what happens in the others is asked for. */
export const OTHER_BRANDS_MS = 60_000

/** Whom the posts of a brand need an approval of. */
export const approvalRuleQuery = (socialSetId: string) =>
  queryOptions({
    queryKey: [...queryKeys.socialSets.one(socialSetId), 'approval-rule'],
    queryFn: ({ signal }) => call('GET /social-sets/:id/approval-rule', { params: { id: socialSetId }, signal }),
    staleTime: 60_000,
  })

/** A post as those see it who review it. */
export const reviewQuery = (postSetId: string) =>
  queryOptions({
    queryKey: [...queryKeys.postSets.one(postSetId), 'review'],
    queryFn: ({ signal }) => call('GET /post-sets/:id/review', { params: { id: postSetId }, signal }),
    refetchInterval: OTHER_BRANDS_MS,
  })

/** What is different between a version of a post that was seen and the version that it has now. */
export const changesQuery = (postSetId: string, since: number, version: number) =>
  queryOptions({
    queryKey: [...queryKeys.postSets.one(postSetId), 'changes', since, version],
    queryFn: ({ signal }) =>
      call('GET /post-sets/:id/changes', { params: { id: postSetId }, query: { since }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

interface TextsWanted {
  postSetId: string
  postId: string
  since: number
  version: number
}

/** The same of one post, in full. */
export const textsSinceQuery = ({ postSetId, postId, since, version }: TextsWanted): TextsOf => ({
  queryKey: [...queryKeys.postSets.one(postSetId), 'changes', since, version, postId],
  read: async (signal) => {
    const params = { id: postSetId, postId }
    return (await call('GET /post-sets/:id/changes/:postId', { params, query: { since }, signal })).fields
  },
})
