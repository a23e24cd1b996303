import type { PostSet } from '#contract'
import { newId } from '#domain'
import {
  addHistory,
  type DatabaseTransaction,
  findPostSet,
  insertPostSet,
  insertSeries,
  inTransaction,
  writePosts,
} from '#persistence'
import { type Caller, requireReviewRight, requireRight } from '../caller.ts'
import { bodyProblem, readPublishNow } from '../read-body.ts'
import { postSetAnswer } from './answer.ts'
import { countPostSets, requirePlan, requireRoomInMonth } from './check-plan.ts'
import { holdFacts, plannedPosts, requireValidPosts } from './check-posts.ts'
import type { PostSetDeps } from './deps.ts'
import { refuseAtOnce } from './publish-now.ts'
import { readCreate, type WantedPostSet, withTimesOf } from './read-create.ts'
import { repeatPostSet } from './repeat.ts'

/**
 * Puts a post set on the calendar, as a draft or scheduled; with a repeat rule a series of them, all or nothing. A time
 * in the past publishes at once. Answers the first set.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope`, `social-set:not_found`, `request:invalid_query`,
 *   `request:invalid_body` or `post-set:unknown_reference`, `auth:insufficient_scope` of publishing, what the plan does
 *   not include, `post-set:monthly_posts_exceeded`, `post-set:invalid_posts`, `post-set:publishes_at_once` for a member
 *   who has not said `?publishNow=true`
 */
export async function createPostSet(
  deps: PostSetDeps,
  caller: Caller,
  { body, query }: { body: unknown; query: string },
): Promise<PostSet> {
  requireRight(caller, 'post-sets:write')
  const read = await readCreate(deps.db, caller, body)
  const publishNow = readPublishNow(caller, query)
  if (!read.ok) throw bodyProblem(read.entries)
  const { status, approval, repeat, posts } = read.wanted
  if (status === 'SCHEDULED') requireRight(caller, 'post-sets:publish')
  requireReviewRight(caller, approval)
  const row = await inTransaction(deps.db, async (trx) => {
    const wanted = await withTimesOf(trx, caller, body, read.wanted)
    const { times } = wanted
    const facts = await holdFacts(trx, wanted.socialSet.id, posts, new Map())
    requirePlan(caller.plan, {
      approval: approval !== 'NONE',
      repeat: repeat !== null,
      posts: plannedPosts(posts, facts),
    })
    await requireRoomInMonth(trx, caller, times.length)
    const check = { socialSetId: wanted.socialSet.id, posts, facts }
    await requireValidPosts(trx, deps.networks, check, { scheduled: status === 'SCHEDULED' })
    if (!publishNow) await refuseAtOnce(trx, caller, { status, scheduledAt: times[0] })
    const made = await findPostSet(trx, caller, await write(trx, caller, wanted))
    await countPostSets(trx, caller, times.length)
    return made
  })
  if (!row) throw new Error('A post set that was just made is not there.')
  return postSetAnswer(row, deps.urls, new Date())
}

/** Writes the set and, with a repeat rule, the others of its series. Returns its id. */
async function write(trx: DatabaseTransaction, caller: Caller, wanted: WantedPostSet): Promise<string> {
  const { status, approval, repeat, posts, times } = wanted
  const { accountId, actor } = caller
  const socialSetId = wanted.socialSet.id
  const id = newId()
  const [scheduledAt, ...others] = times
  const startsSeries = repeat ? newId() : null
  if (repeat && startsSeries) await insertSeries(trx, { id: startsSeries, accountId, socialSetId, repeat })
  await insertPostSet(trx, { id, accountId, socialSetId, scheduledAt, status, approval, startsSeries, posts })
  await writePosts(trx, { id, socialSetId }, posts, new Set(posts.map((post) => post.id)))
  const accountTypes = posts.map(({ accountType }) => accountType)
  const changes = {
    status,
    scheduledAt: scheduledAt.toISOString(),
    approval,
    accountTypes,
    ...(repeat ? { seriesId: startsSeries, repeat } : {}),
  }
  await addHistory(trx, [{ accountId, postSetId: id, actor, action: 'created', changes }])
  if (startsSeries) await repeatPostSet(trx, caller, { id, seriesId: startsSeries, status, approval, posts }, others)
  return id
}
