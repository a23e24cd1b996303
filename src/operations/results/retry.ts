import {
  type AccountType,
  type AskedBody,
  given,
  type PostSetsRetried,
  type PostSetsRetry,
  type PostsOfSet,
  ProblemError,
  type RetriedPostSet,
  type Why,
  why,
} from '#contract'
import { isId } from '#domain'
import {
  type Actor,
  addHistory,
  type Database,
  type DatabaseTransaction,
  type HoldsOfSet,
  insertContinuations,
  insertRetries,
  inTransaction,
  moveUp,
  type ResultPostRow,
  type ResultRow,
  raiseVersions,
  readHoldsOfSet,
  readResults,
  shareConnections,
} from '#persistence'
import { publisherDefaults } from '#publishing'
import type { Seen } from '../asked.ts'
import { type Caller, requireRight } from '../caller.ts'
import { type ErrorLog, problemOfOne } from '../one-of-many.ts'
import { holdPostSet, requireVersion } from '../post-sets/guards.ts'
import { refusedAs } from '../refused.ts'
import { continueProblem, isGoingOn, retryProblem } from './possible.ts'

/** A set whose row the caller holds. */
interface HeldSet {
  id: string
  accountId: string
  socialSetId: string
}

/**
 * Sends the failed posts of a set again, now, and continues threads that ended early; for the named posts, or for
 * all. Posts that are or may be live are never sent again. The set keeps its status, and each post its last result
 * until there is another one.
 *
 * @param seen null: the version does not matter
 * @throws ProblemError in this order: `auth:insufficient_role`, `post-set:not_found`, `post-set:version_conflict`,
 *   `request:invalid_query`, `request:invalid_body`, `request:refused` when nothing of it can be sent again
 */
export async function retryPostSet(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  body: AskedBody<PostsOfSet>,
  seen: Seen = null,
): Promise<RetriedPostSet> {
  requireRight(caller, 'post-sets:publish')
  return inTransaction(db, async (trx) => {
    const set = await holdPostSet(trx, caller, id)
    requireVersion(set, seen)
    const { postIds = null } = body.read()
    return retryHeld(trx, set, { postIds, actor: caller.actor })
  })
}

/**
 * The same for up to 100 post sets, each in its own transaction and checked as if it were alone.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `request:invalid_query`, `request:invalid_body`
 */
export async function retryPostSets(
  deps: { db: Database; log: ErrorLog },
  caller: Caller,
  body: AskedBody<PostSetsRetry>,
): Promise<PostSetsRetried> {
  requireRight(caller, 'post-sets:publish')
  const { ids } = body.read()
  const answer: PostSetsRetried = { done: [], refused: [] }
  // Of one that is named twice, there is one answer.
  for (const id of new Set(ids.map((each) => each.toLowerCase()))) {
    try {
      answer.done.push(await retryPostSet(deps, caller, id, given({})))
    } catch (error) {
      const words = { about: { postSetId: id }, failed: 'A retry failed', advice: 'Look at the post again.' }
      const { code, message, why: reason } = problemOfOne(error, deps.log, words)
      answer.refused.push({ id, code, message, ...(reason ? { why: reason } : {}) })
    }
  }
  return answer
}

/**
 * The same for a set whose row is locked: of two concurrent requests, the second sees the result of the first.
 * Connections are share-locked until the end, so that posts through one that is closed meanwhile are refused here or
 * by their fence.
 *
 * @throws ProblemError `request:refused` when nothing of it can be sent again
 */
export async function retryHeld(
  trx: DatabaseTransaction,
  { id, accountId, socialSetId }: HeldSet,
  { postIds, actor }: { postIds: readonly string[] | null; actor: Actor },
): Promise<RetriedPostSet> {
  await shareConnections(trx, socialSetId)
  const set = await readHeld(trx, id)
  const holds = await readHoldsOfSet(trx, { accountId, socialSetId })
  const checked = asked(set, postIds).map((post) => ({ post, problem: problemOf(post, holds) }))
  const failed = checked.filter(({ post }) => postIds !== null || post.result?.status === 'FAILED' || post.thread)
  if (checked.every(({ problem }) => problem !== null))
    throw refusedAs(failed.find(({ problem }) => problem)?.problem ?? why('why:nothing_to_retry'))
  const begun = checked.flatMap(({ post, problem }) => {
    const { deliveryId, accountType, open, thread } = post
    if (problem !== null || isGoingOn(post) || deliveryId === null || !open) return []
    return [{ deliveryId, accountType, connectionId: open.id, thread }]
  })
  if (begun.length > 0) await begin(trx, { id, accountId }, begun, actor)
  return {
    id,
    socialSetId,
    version: set.version + (begun.length > 0 ? 1 : 0),
    retried: checked.flatMap(({ post: { postId, accountType }, problem }) =>
      problem === null ? [{ postId, accountType }] : [],
    ),
    left: failed.flatMap(({ post: { postId, accountType }, problem: why }) =>
      why === null ? [] : [{ postId, accountType, why }],
    ),
  }
}

/** Why nothing is done about a post now; null for what is sent again or goes on, also for what goes on already. */
function problemOf(post: ResultPostRow, holds: HoldsOfSet): Why | null {
  if (isGoingOn(post)) return null
  const ofThread = continueProblem(post, holds)
  return ofThread === undefined ? retryProblem(post, holds) : ofThread
}

type Begun = Parameters<typeof insertRetries>[1][number] & Pick<ResultPostRow, 'thread'>

/** Inserts what is sent again and what goes on, with its history. */
async function begin(
  trx: DatabaseTransaction,
  { id, accountId }: Pick<HeldSet, 'id' | 'accountId'>,
  begun: readonly Begun[],
  actor: Actor,
): Promise<void> {
  const continued = begun.flatMap(({ thread, ...each }) => (thread ? [{ ...each, thread }] : []))
  const retried = begun.filter(({ thread }) => !thread)
  if (retried.length > 0) await insertRetries(trx, retried, publisherDefaults)
  if (continued.length > 0) await insertContinuations(trx, continued, publisherDefaults)
  await moveUp(trx, [...new Set(begun.map(({ connectionId }) => connectionId))], publisherDefaults)
  await raiseVersions(trx, [id])
  const entry = (action: 'retried' | 'thread continued', of: readonly { accountType: AccountType }[]) => {
    const accountTypes = of.map(({ accountType }) => accountType)
    return of.length > 0 ? [{ accountId, postSetId: id, actor, action, changes: { accountTypes } }] : []
  }
  await addHistory(trx, [...entry('retried', retried), ...entry('thread continued', continued)])
}

async function readHeld(trx: DatabaseTransaction, id: string): Promise<ResultRow> {
  const [set] = await readResults(trx, [id], { captionCodePoints: 0 })
  if (!set) throw new Error('A post set whose row is held is not there.')
  return set
}

/**
 * The posts of a set that are named, or all.
 *
 * @throws ProblemError `request:refused` for an id that is not one of the set's
 */
export function asked({ posts }: ResultRow, postIds: readonly string[] | null): ResultPostRow[] {
  if (postIds === null) return posts
  return [...new Set(postIds)].map((id) => {
    const post = isId(id) ? posts.find(({ postId }) => postId === id.toLowerCase()) : undefined
    if (!post) throw new ProblemError('request:refused', `The post set has no post ${id}.`)
    return post
  })
}
