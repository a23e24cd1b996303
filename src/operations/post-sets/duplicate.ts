import { type PostSet, PostSetDuplicate } from '#contract'
import { isId, newId, type PostContent } from '#domain'
import { addHistory, findPostSet, insertPostSet, markLabels, writePosts } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { checkScheduledAt, readScheduledAt, readShape, refuseBody, refuseQuery } from '../read-body.ts'
import { postSetAnswer } from './answer.ts'
import { countPostSets, requirePlan, requireRoomInMonth } from './check-plan.ts'
import { holdFacts, plannedPosts, requireValidPosts } from './check-posts.ts'
import type { PostSetDeps } from './deps.ts'
import { postSetNotFound } from './get.ts'

/**
 * Makes a draft of a post set's posts, media and labels, at the time of the original or at another one, whatever became of
 * the original. It has ids of its own and neither a lock nor an approval nor results, and it is in no series. It counts
 * in the month like any new set.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `post-set:not_found`, `request:invalid_query`,
 *   `request:invalid_body`, what the plan does not include, `post-set:monthly_posts_exceeded`, `post-set:invalid_posts`
 */
export async function duplicatePostSet(
  deps: PostSetDeps,
  caller: Caller,
  id: string,
  { body, query }: { body: unknown; query: string },
): Promise<PostSet> {
  requireRight(caller, 'post-sets:write')
  const original = isId(id) ? await findPostSet(deps.db, caller, id) : null
  if (!original) throw postSetNotFound()
  refuseQuery(query)
  const { scheduledAt: text = null } = readShape(PostSetDuplicate, body ?? {})
  const { timezone, socialSetId } = original
  refuseBody(checkScheduledAt(body, timezone))
  const scheduledAt = text === null ? original.scheduledAt : readScheduledAt(text, timezone)
  const posts: PostContent[] = original.posts.map((post) => ({
    ...post,
    id: newId(),
    media: post.media.map((item) => ({ ...item, id: newId() })),
  }))

  const { accountId, actor } = caller
  const copyId = newId()
  const row = await deps.db.transaction().execute(async (trx) => {
    const facts = await holdFacts(trx, socialSetId, posts, new Map())
    requirePlan(caller.plan, { approval: false, repeat: false, posts: plannedPosts(posts, facts) })
    await requireRoomInMonth(trx, caller, 1)
    await requireValidPosts(trx, deps.networks, { socialSetId, posts, facts }, { scheduled: false })
    const copy = { id: copyId, accountId, socialSetId, scheduledAt, status: 'DRAFT', approval: 'NONE' } as const
    await insertPostSet(trx, { ...copy, startsSeries: null, posts })
    await writePosts(trx, { id: copyId, socialSetId }, posts, new Set(posts.map((post) => post.id)))
    if (original.labelsId.length > 0) await markLabels(trx, copyId, { added: original.labelsId, removed: [] })
    const accountTypes = posts.map(({ accountType }) => accountType)
    const { status, approval } = copy
    const changes = { status, scheduledAt: scheduledAt.toISOString(), approval, accountTypes, copyOf: original.id }
    await addHistory(trx, [{ accountId, postSetId: copyId, actor, action: 'created', changes }])
    const made = await findPostSet(trx, caller, copyId)
    await countPostSets(trx, caller, 1)
    return made
  })
  if (!row) throw new Error('A post set that was just made is not there.')
  return postSetAnswer(row, deps.urls, new Date())
}
