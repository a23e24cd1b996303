import { type LateChoice, MAY_HAVE_GONE_OUT_LABEL, type ResumedStart } from '#contract'
import { failed, HELD_START_BY, MAY_HAVE_GONE_OUT } from '#domain'
import {
  type Actor,
  accountsOf,
  addDeliveryNews,
  addHistory,
  closeReopened,
  type Database,
  type DatabaseTransaction,
  type DueWhileHeld,
  describeDue,
  dropDueSends,
  endDeliveries,
  endHeldStart,
  type HeldStart,
  type HistoryEntry,
  labelNamed,
  listWaitingSets,
  lockHeldStart,
  lockWaitingSets,
  markPublished,
  parkPostSets,
  putLabel,
  type Reopened,
  readHeldStart,
  readReopened,
  readWaitingSets,
  requestAgain,
  type WaitingSet,
  wakeDeliveries,
} from '#persistence'
import { publishedEntry, publisherDefaults } from '#publishing'
import { Refusal } from '../refusal.ts'
import { endFollowUps } from './end-follow-ups.ts'

/** What was due while the start was held, the oldest first, and how much of it there is. */
interface DueThen {
  /** What a restore may have opened again; null where nothing was restored. */
  reopened: Reopened | null
  since: Date
  lastRanAt: Date | null
  total: number
  sets: DueWhileHeld[]
}

const NOT_HELD = 'The start is not held: Almanac works.'
const MOST_LISTED = 100

/**
 * What a resume decides about.
 *
 * @throws Refusal when no start is held
 */
export async function readDueWhileHeld({ db }: { db: Database }): Promise<DueThen> {
  const held = await readHeldStart(db)
  if (!held) throw new Refusal(NOT_HELD)
  const ids = await listWaitingSets(db, null)
  const { since, lastRanAt } = held
  const reopened = await readReopened(db)
  return { reopened, since, lastRanAt, total: ids.length, sets: await describeDue(db, ids, { limit: MOST_LISTED }) }
}

/**
 * Resumes a held start, in one transaction. What came due meanwhile becomes drafts with a label, or is published:
 * then `postSets` is the number that the person confirmed. `close` ends keys and links that a restore may have
 * reopened. Holds of accounts, social sets and connections stay.
 *
 * @throws Refusal when no start is held, or another number of post sets is due now
 */
export function resumeStart(
  { db }: { db: Database },
  { late, postSets }: { late: LateChoice; postSets: number | null },
  actor: Actor,
  close: { keys: boolean; links: boolean } = { keys: false, links: false },
): Promise<ResumedStart & { closed: { keys: number; links: number; webhooks: number } }> {
  return db.transaction().execute(async (trx) => {
    const held = await readHeldStart(trx)
    if (!held || !(await lockHeldStart(trx, held.id))) throw new Refusal(NOT_HELD)
    // Before the sets' rows: a member who makes a label has the account's lock, and then waits for those.
    const labels = late === 'PARK' ? await labelsFor(trx) : new Map<string, string>()
    const locked = await lockWaitingSets(trx, null, { followUps: late === 'PARK' })
    const sets = await readWaitingSets(trx, null, locked)
    const done = await (late === 'PUBLISH'
      ? publishDue(trx, sets, postSets)
      : parkDue(trx, { held, sets, locked, labels, actor }))
    await wakeDeliveries(trx, null, publisherDefaults.giveUpAfterMs)
    const closed = await closeReopened(trx, close, actor.name)
    await endHeldStart(trx, held.id, actor.name, late)
    return { ...done, closed }
  })
}

async function labelsFor(trx: DatabaseTransaction): Promise<Map<string, string>> {
  const labels = new Map<string, string>()
  for (const account of await accountsOf(trx, await listWaitingSets(trx, null))) {
    labels.set(account, await labelNamed(trx, account, MAY_HAVE_GONE_OUT_LABEL))
  }
  return labels
}

async function publishDue(
  trx: DatabaseTransaction,
  sets: readonly WaitingSet[],
  postSets: number | null,
): Promise<ResumedStart> {
  if (postSets !== sets.length) throw new Refusal(askedAgain(sets.length))
  await requestAgain(trx, idsOf(sets.filter(({ scheduled }) => scheduled)))
  return { publishing: sets.length, parked: 0, failed: 0 }
}

const askedAgain = (count: number) =>
  `${count === 1 ? '1 post set was' : `${count} post sets were`} due and may have gone out already. To publish ${count === 1 ? 'it' : 'them'} now all the same, confirm that number.`

interface Parking {
  held: HeldStart
  sets: readonly WaitingSet[]
  /** Sets whose rows are locked. */
  locked: readonly string[]
  /** By account. */
  labels: ReadonlyMap<string, string>
  actor: Actor
}

async function parkDue(trx: DatabaseTransaction, parking: Parking): Promise<ResumedStart> {
  const { sets, labels } = parking
  // The first of an account that came due behind the look at the labels was not due while the start was held: it goes out.
  const scheduled = sets.filter((set) => set.scheduled && labels.has(set.accountId))
  await parkScheduled(trx, scheduled, parking)
  const posts = await endPosts(
    trx,
    sets.filter((set) => !set.scheduled),
    parking.actor,
  )
  await endFollowUps(trx, null, parking)
  await dropDueSends(trx)
  return { publishing: 0, parked: scheduled.length, failed: posts }
}

async function parkScheduled(
  trx: DatabaseTransaction,
  sets: readonly WaitingSet[],
  { held: { since }, labels, actor }: Parking,
): Promise<void> {
  await parkPostSets(trx, idsOf(sets))
  for (const [account, label] of labels) {
    await putLabel(trx, label, idsOf(sets.filter(({ accountId }) => accountId === account)))
  }
  const held = { since: since.toISOString(), by: HELD_START_BY, reason: MAY_HAVE_GONE_OUT }
  await addHistory(
    trx,
    sets.map(({ id, accountId }): HistoryEntry => {
      const changes = { status: { from: 'SCHEDULED', to: 'DRAFT' }, held } as const
      return { accountId, postSetId: id, actor, action: 'moved to drafts', changes }
    }),
  )
}

/** Posts of claimed sets that no network has seen from here. The other installation may have sent them. */
async function endPosts(trx: DatabaseTransaction, sets: readonly WaitingSet[], actor: Actor): Promise<number> {
  const result = failed('UNKNOWN', MAY_HAVE_GONE_OUT)
  const posts = sets.flatMap(({ id, accountId, posts }) => posts.map((post) => ({ ...post, accountId, postSetId: id })))
  const ids = posts.map(({ deliveryId }) => deliveryId)
  await endDeliveries(trx, ids, { result, mayBeLive: true })
  await addDeliveryNews(trx, 'POST_UNKNOWN', ids)
  await markPublished(trx, idsOf(sets), [
    ...posts.map(({ accountId, postSetId, postId, accountType }): HistoryEntry => {
      return { accountId, postSetId, actor, action: 'post failed', changes: { postId, accountType, result } }
    }),
    ...sets.map(({ id, accountId }) => publishedEntry(accountId, id)),
  ])
  return ids.length
}

const idsOf = (sets: readonly WaitingSet[]) => sets.map(({ id }) => id)
