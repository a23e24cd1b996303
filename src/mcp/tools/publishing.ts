import Type from 'typebox'
import {
  bodyProblem,
  entryAt,
  LIMITS,
  PostSet,
  type PostSet as PostSetShape,
  PostSetUpdate,
  PostsOfSet,
  RetriedPostSet,
} from '#contract'
import { getPostSet, retryPostSet, updatePostSet } from '#operations'
import { bodyOf, type KeyOf, NOTHING_SAVED, type Tool, type ToolAnswer, type ToolCall, writingTool } from '../tool.ts'
import { id, version } from './writing.ts'

const schedules = ({ rights }: KeyOf) => rights.includes('post-sets:write') && rights.includes('post-sets:publish')
const asks = ({ rights, plan, agentKey }: KeyOf) =>
  plan.approvals &&
  agentKey?.asks === true &&
  rights.includes('post-sets:write') &&
  !rights.includes('post-sets:publish')

const ofPosts = (description: string) =>
  Type.Array(Type.String(), { minItems: LIMITS.postsPerSet.min, maxItems: LIMITS.postsPerSet.max, description })
const whole = { id, version, postIds: ofPosts('Of all its posts, as you have read them.') }
const { scheduledAt } = PostSetUpdate.properties

export const PUBLISHING: readonly Tool[] = [
  writingTool({
    name: 'schedule_post_set',
    title: 'Schedule a post set',
    description:
      'Schedules a draft: it is published in public at its time, at once when that has passed. Do it only when a person has asked for it. Read the set with get_post_set right before.',
    notFound: 'post-set:not_found',
    offered: schedules,
    own: whole,
    passed: { scheduledAt },
    hints: { destructiveHint: true, idempotentHint: true, openWorldHint: true },
    output: PostSet,
    run: (call) => changeAsRead(call, { status: 'SCHEDULED' }),
  }),
  writingTool({
    name: 'ask_to_schedule',
    title: 'Ask a person to schedule',
    description:
      'Asks the reviewers of the brand to approve and schedule a draft at its time: this key may not schedule by itself. It stays a draft until one of them does.',
    notFound: 'post-set:not_found',
    offered: asks,
    own: whole,
    passed: { scheduledAt },
    hints: { idempotentHint: true },
    output: PostSet,
    run: (call) => changeAsRead(call, { approval: 'PENDING' }),
  }),
  writingTool({
    name: 'unschedule_post_set',
    title: 'Unschedule a post set',
    description: 'Makes a draft of a scheduled post set: it is not published before it is scheduled again.',
    notFound: 'post-set:not_found',
    offered: ({ rights }) => rights.includes('post-sets:write'),
    own: { id },
    hints: { destructiveHint: true, idempotentHint: true },
    output: PostSet,
    run: async ({ deps, caller, args }) => {
      const request = { body: bodyOf(PostSetUpdate, { status: 'DRAFT' }), query: NOTHING_SAVED, seen: null }
      return { answer: await updatePostSet(deps, caller, args.id, request) }
    },
  }),
  writingTool({
    name: 'retry_post',
    title: 'Retry failed posts',
    description:
      'Sends posts of a published set again that have failed, in public and at once. What is live, or may be, is never sent again.',
    notFound: 'post-set:not_found',
    offered: schedules,
    own: { id, version, postIds: ofPosts('Of the posts to send again.') },
    hints: { destructiveHint: true, openWorldHint: true },
    output: RetriedPostSet,
    run: async ({ deps, caller, args: { id: postSetId, version: seen, postIds } }) => ({
      answer: await retryPostSet(deps, caller, postSetId, bodyOf(PostsOfSet, { postIds }), [seen]),
    }),
  }),
]

/** Changes a set of which the agent names the version and all posts, so that it knows what it decides about. */
async function changeAsRead(
  { deps, caller, args }: ToolCall<{ id: string; version: number; postIds: string[] } & Record<string, unknown>>,
  change: object,
): Promise<ToolAnswer> {
  const { id: postSetId, version: seen, postIds, ...more } = args
  const set = await getPostSet(deps, caller, postSetId)
  // Of another version the operation says so.
  if (set.version === seen) requirePosts(set, postIds)
  const request = { body: bodyOf(PostSetUpdate, { ...more, ...change }), query: NOTHING_SAVED, seen: [seen] }
  return { answer: await updatePostSet(deps, caller, postSetId, request) }
}

function requirePosts({ posts }: PostSetShape, postIds: readonly string[]): void {
  const named = new Set(postIds.map((each) => each.toLowerCase()))
  if (named.size === posts.length && posts.every((post) => named.has(post.id))) return
  const words = 'postIds must be the ids of all posts of the post set, and of no others.'
  throw bodyProblem([entryAt(['postIds'], 'request:invalid_body', words)])
}
