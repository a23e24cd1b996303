import { type LateChoice, type PostResult, ReleaseBody, type ReleasedHold } from '#contract'
import {
  type Actor,
  addDeliveryNews,
  addHistoryToEach,
  type Database,
  type DatabaseTransaction,
  endDeliveries,
  endHold,
  type HoldRow,
  holdShown,
  lockHold,
  lockWaitingSets,
  markPublished,
  parkPostSets,
  readWaitingSets,
  requestAgain,
  unclaimPostSets,
  type WaitingSet,
  wakeDeliveries,
} from '#persistence'
import { publishedEntry, publisherDefaults } from '#publishing'
import { type Caller, requireRight } from '../caller.ts'
import { readShape, refuseQuery } from '../read-body.ts'
import { holdNotFound, requireHold } from './list.ts'
import { requireWholeAccount } from './place.ts'

/**
 * Lets publishing go on, and publishes what is late now or makes drafts of it. What another hold covers besides is left to
 * the release of that one.
 *
 * @throws ProblemError `auth:insufficient_role`, `hold:not_found`, `request:invalid_query`, `request:invalid_body`,
 *   `request:refused` for the hold of the account and a member who sees some of its social sets only
 */
export async function releaseHold(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  { body, query }: { body: unknown; query: string },
): Promise<ReleasedHold> {
  requireRight(caller, 'post-sets:publish')
  const hold = await requireHold(db, caller, id)
  if (hold.scope === 'ACCOUNT') requireWholeAccount(caller)
  refuseQuery(query)
  const { late } = readShape(ReleaseBody, body)
  const released = await release(db, hold, late, caller.actor)
  if (!released) throw holdNotFound()
  return released
}

/** Releases it, in a transaction of its own. Null when another caller has done so. */
export function release(db: Database, hold: HoldRow, late: LateChoice, actor: Actor): Promise<ReleasedHold | null> {
  return db.transaction().execute(async (trx) => {
    if (!(await lockHold(trx, hold))) return null
    const ids = await lockWaitingSets(trx, hold)
    const sets = await readWaitingSets(trx, hold, ids)
    const done = await (late === 'PUBLISH' ? publishLate : parkLate)(trx, hold, sets, actor)
    await wakeDeliveries(trx, hold, publisherDefaults.giveUpAfterMs)
    await endHold(trx, hold.id, actor, late)
    return done
  })
}

const idsOf = (sets: readonly WaitingSet[]) => sets.map(({ id }) => id)

async function publishLate(
  trx: DatabaseTransaction,
  hold: HoldRow,
  sets: readonly WaitingSet[],
  actor: Actor,
): Promise<ReleasedHold> {
  await requestAgain(trx, idsOf(sets.filter(({ scheduled }) => scheduled)))
  const about = { accountId: hold.accountId, actor, action: 'released', changes: { held: holdShown(hold) } } as const
  await addHistoryToEach(trx, idsOf(sets), about)
  return { publishing: sets.length, parked: 0, failed: 0 }
}

async function parkLate(
  trx: DatabaseTransaction,
  hold: HoldRow,
  sets: readonly WaitingSet[],
  actor: Actor,
): Promise<ReleasedHold> {
  const scheduled = sets.filter((set) => set.scheduled)
  const claimed = sets.filter((set) => !set.scheduled && set.untouched)
  const begun = sets.filter((set) => !set.scheduled && !set.untouched)
  await parkPostSets(trx, idsOf(scheduled))
  await unclaimPostSets(trx, idsOf(claimed))
  const about = { accountId: hold.accountId, actor, action: 'moved to drafts' } as const
  const held = holdShown(hold)
  for (const [group, from] of [[scheduled, 'SCHEDULED'] as const, [claimed, 'PUBLISHING'] as const]) {
    await addHistoryToEach(trx, idsOf(group), { ...about, changes: { status: { from, to: 'DRAFT' }, held } })
  }
  await endPosts(trx, hold, begun, actor)
  const failed = begun.reduce((sum, { posts }) => sum + posts.length, 0)
  return { publishing: 0, parked: scheduled.length + claimed.length, failed }
}

/** A set of which something was sent is never a draft again: its posts that waited end, and can be tried again alone. */
async function endPosts(
  trx: DatabaseTransaction,
  { accountId, reason }: HoldRow,
  sets: readonly WaitingSet[],
  actor: Actor,
): Promise<void> {
  const result: PostResult = {
    status: 'FAILED',
    reason: 'UNKNOWN',
    message: `Publishing was stopped when it was due (${reason}), and it was not sent when publishing was resumed. Try again what failed to make a draft of it.`,
  }
  const posts = sets.flatMap((set) => set.posts.map((post) => ({ ...post, postSetId: set.id })))
  const ids = posts.map(({ deliveryId }) => deliveryId)
  await endDeliveries(trx, ids, { result, mayBeLive: false })
  await addDeliveryNews(trx, 'POST_FAILED', ids)
  await markPublished(trx, idsOf(sets), [
    ...posts.map(({ postSetId, postId, accountType }) => {
      return { accountId, postSetId, actor, action: 'post failed', changes: { postId, accountType, result } } as const
    }),
    ...sets.map(({ id }) => publishedEntry(accountId, id)),
  ])
}
