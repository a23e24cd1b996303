import {
  type AskedBody,
  type LateChoice,
  MAY_HAVE_GONE_OUT_LABEL,
  type PostResult,
  type ReleaseBody,
  type ReleasedHold,
} from '#contract'
import { failed, MAY_HAVE_GONE_OUT } from '#domain'
import {
  type Actor,
  addDeliveryNews,
  addHistoryToEach,
  countLateSets,
  type Database,
  type DatabaseTransaction,
  endDeliveries,
  endHold,
  type HoldRow,
  holdShown,
  labelNamed,
  lockHold,
  lockWaitingSets,
  markPublished,
  parkPostSets,
  putLabel,
  readWaitingSets,
  requestAgain,
  unclaimPostSets,
  type WaitingSet,
  wakeDeliveries,
} from '#persistence'
import { publishedEntry, publisherDefaults } from '#publishing'
import { type Caller, requireRight } from '../caller.ts'
import { endFollowUps } from '../held-start/end-follow-ups.ts'
import { refusal } from '../refusal.ts'
import { holdNotFound, requireHold } from './list.ts'
import { requireWholeAccount } from './place.ts'

/**
 * Resumes publishing, and publishes late sets now or turns them into drafts. What another hold also covers is left
 * to the release of that one. Sets that may have gone out already are published only with their number confirmed,
 * and parked with a label.
 *
 * @throws ProblemError `auth:insufficient_role`, `hold:not_found`, `request:invalid_query`, `request:invalid_body`,
 *   `request:refused` for the hold of the account and a member who sees some of its social sets only
 * @throws Refusal when another number of post sets may have gone out already
 */
export async function releaseHold(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  body: AskedBody<ReleaseBody>,
): Promise<ReleasedHold> {
  requireRight(caller, 'post-sets:publish')
  const hold = await requireHold(db, caller, id)
  if (hold.scope === 'ACCOUNT') requireWholeAccount(caller)
  const released = await release(db, hold, body.read(), caller.actor)
  if (!released) throw holdNotFound()
  return released
}

/** What happens to what is late, and how many of that the caller knows may have gone out already. */
interface Release {
  late: LateChoice
  mayHaveGoneOut?: number
}

/**
 * Releases a hold, in its own transaction. Null if another caller has already done so.
 *
 * @throws Refusal when what may have gone out already is to be published, and is not of the number that was confirmed
 */
export function release(
  db: Database,
  hold: HoldRow,
  { late, mayHaveGoneOut: confirmed = 0 }: Release,
  actor: Actor,
): Promise<ReleasedHold | null> {
  return db.transaction().execute(async (trx) => {
    // Before the rows of holds and sets: a member who makes a label has the account's lock, and then waits for those.
    const parks = late === 'PARK' && (await countLateSets(trx, hold)).mayHaveGoneOut > 0
    const label = parks ? await labelNamed(trx, hold.accountId, MAY_HAVE_GONE_OUT_LABEL) : null
    if (!(await lockHold(trx, hold))) return null
    const locked = await lockWaitingSets(trx, hold, { followUps: late === 'PARK' })
    const sets = await readWaitingSets(trx, hold, locked)
    const done = await (late === 'PUBLISH'
      ? publishLate(trx, { hold, sets, actor, confirmed })
      : parkLate(trx, { hold, sets, actor, label, locked }))
    await wakeDeliveries(trx, hold, publisherDefaults.giveUpAfterMs)
    await endHold(trx, hold.id, actor, late)
    return done
  })
}

const idsOf = (sets: readonly WaitingSet[]) => sets.map(({ id }) => id)

interface Late {
  hold: HoldRow
  sets: readonly WaitingSet[]
  actor: Actor
}

async function publishLate(
  trx: DatabaseTransaction,
  { hold, sets, actor, confirmed }: Late & { confirmed: number },
): Promise<ReleasedHold> {
  const doubted = sets.filter(({ mayHaveGoneOut }) => mayHaveGoneOut).length
  if (doubted > 0 && doubted !== confirmed) throw askedAgain(doubted)
  await requestAgain(trx, idsOf(sets.filter(({ scheduled }) => scheduled)))
  const about = { accountId: hold.accountId, actor, action: 'released', changes: { held: holdShown(hold) } } as const
  await addHistoryToEach(trx, idsOf(sets), about)
  return { publishing: sets.length, parked: 0, failed: 0 }
}

const askedAgain = (count: number) =>
  count === 1 ? refusal('why:one_may_have_gone_out') : refusal('why:some_may_have_gone_out', { count: String(count) })

/**
 * @param parking.label of drafts that may have gone out already; null: none of them has
 * @param parking.locked the sets whose rows are locked
 */
async function parkLate(
  trx: DatabaseTransaction,
  { label, locked, ...late }: Late & { label: string | null; locked: readonly string[] },
): Promise<ReleasedHold> {
  const { hold, sets, actor } = late
  const scheduled = sets.filter((set) => set.scheduled)
  const claimed = sets.filter((set) => !set.scheduled && set.untouched)
  const begun = sets.filter((set) => !set.scheduled && !set.untouched)
  await parkPostSets(trx, idsOf(scheduled))
  await unclaimPostSets(trx, idsOf(claimed))
  const drafts = [...scheduled, ...claimed]
  if (label !== null) await putLabel(trx, label, idsOf(drafts.filter(({ mayHaveGoneOut }) => mayHaveGoneOut)))
  const about = { accountId: hold.accountId, actor, action: 'moved to drafts' } as const
  const held = holdShown(hold)
  for (const [group, from] of [[scheduled, 'SCHEDULED'] as const, [claimed, 'PUBLISHING'] as const]) {
    await addHistoryToEach(trx, idsOf(group), { ...about, changes: { status: { from, to: 'DRAFT' }, held } })
  }
  for (const mayBeLive of [false, true]) {
    const ending = { ...late, sets: begun.filter(({ mayHaveGoneOut }) => mayHaveGoneOut === mayBeLive) }
    if (ending.sets.length > 0) await endPosts(trx, ending, { mayBeLive })
  }
  await endFollowUps(trx, hold, { locked, actor })
  return { publishing: 0, parked: drafts.length, failed: begun.reduce((sum, { posts }) => sum + posts.length, 0) }
}

/**
 * A set of which something was sent is never a draft again: its posts that waited end, and can be tried again alone unless they may
 * be live.
 */
async function endPosts(
  trx: DatabaseTransaction,
  { hold: { accountId, reason }, sets, actor }: Late,
  { mayBeLive }: { mayBeLive: boolean },
): Promise<void> {
  const result: PostResult = failed('UNKNOWN', mayBeLive ? MAY_HAVE_GONE_OUT : notSent(reason))
  const posts = sets.flatMap((set) => set.posts.map((post) => ({ ...post, postSetId: set.id })))
  const ids = posts.map(({ deliveryId }) => deliveryId)
  await endDeliveries(trx, ids, { result, mayBeLive })
  await addDeliveryNews(trx, mayBeLive ? 'POST_UNKNOWN' : 'POST_FAILED', ids)
  await markPublished(trx, idsOf(sets), [
    ...posts.map(({ postSetId, postId, accountType }) => {
      return { accountId, postSetId, actor, action: 'post failed', changes: { postId, accountType, result } } as const
    }),
    ...sets.map(({ id }) => publishedEntry(accountId, id)),
  ])
}

const notSent = (reason: string) =>
  `Publishing was stopped when it was due (${reason}), and it was not sent when publishing was resumed. Try again what failed to make a draft of it.`
