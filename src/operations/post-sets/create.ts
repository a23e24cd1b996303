import { checkPostSetCreate, type PostSet } from '#contract'
import { newId, planPosts } from '#domain'
import { addHistory, findPostSet, insertPostSet, writePosts } from '#persistence'
import { type Caller, requireScope } from '../caller.ts'
import { requireSocialSet } from '../social-sets/require.ts'
import { postSetAnswer } from './answer.ts'
import { requireValidPosts } from './check-posts.ts'
import type { PostSetDeps } from './deps.ts'
import { checkScheduledAt, rawField, readScheduledAt, refuseBody } from './read-body.ts'

/**
 * Puts a post set on the calendar, as a draft or scheduled. A time in the past publishes at once.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope`, `social-set:not_found`, `request:invalid_body` or
 *   `post-set:unknown_reference`, `auth:insufficient_scope` of publishing, `post-set:invalid_posts`
 */
export async function createPostSet(deps: PostSetDeps, caller: Caller, body: unknown): Promise<PostSet> {
  requireScope(caller, 'post-sets:write')
  const named = rawField(body, 'socialSetId')
  const socialSet = typeof named === 'string' ? await requireSocialSet(deps.db, caller, named) : null
  const timezone = socialSet?.timezone ?? 'UTC'

  const checked = checkPostSetCreate(body)
  const plan = checked.ok ? planPosts(checked.value.posts, [], newId) : null
  refuseBody([
    ...(checked.ok ? [] : checked.entries),
    ...checkScheduledAt(body, timezone),
    ...(plan && !plan.ok ? plan.entries : []),
  ])
  if (!socialSet || !checked.ok || !plan?.ok) throw new Error('A body that cannot be used was not refused.')
  const { status, approval } = checked.value
  if (status === 'SCHEDULED') requireScope(caller, 'post-sets:publish')

  const scheduledAt = readScheduledAt(checked.value.scheduledAt, timezone)
  const { posts } = plan
  const row = await deps.db.transaction().execute(async (trx) => {
    const scheduled = status === 'SCHEDULED'
    await requireValidPosts(trx, deps.networks, { socialSetId: socialSet.id, posts, knownFacts: new Map(), scheduled })
    const { accountId, actor } = caller
    const id = newId()
    await insertPostSet(trx, { id, accountId, socialSetId: socialSet.id, scheduledAt, status, approval })
    await writePosts(trx, id, posts, new Set(posts.map((post) => post.id)))
    const accountTypes = posts.map(({ accountType }) => accountType)
    const changes = { status, scheduledAt: scheduledAt.toISOString(), approval, accountTypes }
    await addHistory(trx, [{ accountId, postSetId: id, actor, action: 'created', changes }])
    return findPostSet(trx, caller, id)
  })
  if (!row) throw new Error('A post set that was just made is not there.')
  return postSetAnswer(row, deps.urls, new Date())
}
