import type { AskedBody, Outcome, PostSet, PostSetDuplicate } from '#contract'
import { isId, newId, outcomeOf, type PostContent } from '#domain'
import { fieldsToCopy } from '#networks'
import {
  addHistory,
  createPostSetRow,
  type DatabaseTransaction,
  findPostSet,
  holdLabels,
  holdTimezoneOf,
  markLabels,
  noteCopyOfFailures,
  type PostSetRow,
} from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import { checkScheduledAt, goodTime } from '../read-body.ts'
import { refused } from '../refused.ts'
import { countPostSets, requirePlan, requireRoom } from './check-plan.ts'
import { holdFacts, plannedPosts, requireValidPosts } from './check-posts.ts'
import { requirePostSet } from './get.ts'
import { postSetAnswer } from './serialize.ts'

/**
 * Creates a draft with a post set's posts, media and labels, at the time of the original or another one, in any
 * state of the original; with `only: 'failed'`, only of posts that failed or were not finished in an inbox. It has
 * new ids, no lock, approval or results, and belongs to no series. It counts toward the month like any new set.
 * Options that a network requires people to choose for each post are not copied.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `post-set:not_found`, `request:invalid_query`,
 *   `request:invalid_body`, `request:refused` when nothing failed, what the plan does not include,
 *   `post-set:monthly_posts_exceeded`, `api-key:budget_exceeded`, `post-set:invalid_posts`
 */
export async function duplicatePostSet(
  deps: PostSetDeps,
  caller: Caller,
  id: string,
  body: AskedBody<PostSetDuplicate>,
): Promise<PostSet> {
  requireRight(caller, 'post-sets:write')
  const row = await deps.db.transaction().execute(async (trx) => {
    // What the timezone of the calendar is, and when the original is, is read while neither changes over to another one.
    if (isId(id)) await holdTimezoneOf(trx, { table: 'post_sets', id })
    const original = await requirePostSet(trx, caller, id)
    const wanted = readWanted(body, original)
    const made = await writeCopy(trx, deps, caller, { original, ...wanted })
    if (made && wanted.ofFailed) await noteCopyOfFailures(trx, { of: original.id, copyId: made.id })
    await countPostSets(trx, caller, 1)
    return made
  })
  if (!row) throw new Error('A post set that was just made is not there.')
  return postSetAnswer(row, deps.urls, new Date())
}

const NOT_LIVE: readonly Outcome[] = ['FAILED', 'INBOX_ENDED']

/** When the copy is to be, and of which posts it is. */
function readWanted(
  body: AskedBody<PostSetDuplicate>,
  { timezone, scheduledAt, posts }: PostSetRow,
): Copy & { ofFailed: boolean } {
  const { scheduledAt: text = null, only = null } = body.read((raw) => checkScheduledAt(raw.scheduledAt, timezone))
  const time = text === null ? scheduledAt : goodTime(text, timezone)
  if (only === null) return { scheduledAt: time, from: posts, ofFailed: false }
  const failed = posts.filter(({ result }) => result && NOT_LIVE.includes(outcomeOf(result)))
  if (failed.length === 0) throw refused('why:nothing_failed')
  return { scheduledAt: time, from: failed, ofFailed: true }
}

interface Copy {
  scheduledAt: Date
  from: PostSetRow['posts']
}

async function writeCopy(
  trx: DatabaseTransaction,
  { networks }: PostSetDeps,
  caller: Caller,
  { original, scheduledAt, from }: { original: PostSetRow } & Copy,
): Promise<PostSetRow | null> {
  const { accountId, actor } = caller
  const { socialSetId, labelsId } = original
  const id = newId()
  const copied = <T>(item: T) => ({ ...item, id: newId() })
  const posts: PostContent[] = from.map((post) => ({
    ...post,
    id: newId(),
    fields: fieldsToCopy(networks, post),
    media: post.media.map(copied),
    thread: post.thread.map((part) => ({ ...copied(part), media: part.media.map(copied) })),
  }))
  const facts = await holdFacts(trx, socialSetId, posts, new Map())
  requirePlan(caller.plan, { approval: false, repeat: false, posts: plannedPosts(posts, facts) })
  await requireRoom(trx, caller, 1)
  await requireValidPosts(trx, networks, { socialSetId, posts, facts }, { scheduled: false })
  const copy = { id, accountId, socialSetId, scheduledAt, status: 'DRAFT', approval: 'NONE' } as const
  // Its history is reported behind the labels, of the version to which they bring it.
  const { timezone } = original
  await createPostSetRow(
    trx,
    { ...copy, startsSeries: null, externalId: null, posts },
    { timezone, actor, event: null, count: 0 },
  )
  // A label that was removed meanwhile stays away.
  const labels = await holdLabels(trx, accountId, labelsId)
  if (labels.length > 0) await markLabels(trx, id, { added: labels.map((label) => label.id), removed: [] })
  const accountTypes = posts.map(({ accountType }) => accountType)
  const { status, approval } = copy
  const changes = { status, scheduledAt: scheduledAt.toISOString(), approval, accountTypes, copyOf: original.id }
  await addHistory(trx, [{ accountId, postSetId: id, actor, action: 'created', changes }])
  return findPostSet(trx, caller, id)
}
