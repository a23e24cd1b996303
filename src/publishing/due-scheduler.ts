import { ACCOUNT_TYPES, type PostResult } from '#contract'
import { failed, lateMessage } from '#domain'
import {
  addDeliveryNews,
  claimDuePostSets,
  type Database,
  type DatabaseTransaction,
  type DueSets,
  databaseFault,
  findDuePostSets,
  type HandedOver,
  type HistoryEntry,
  insertDeliveries,
  markPublished,
  moveUp,
  type NewDelivery,
} from '#persistence'
import type { DatabaseClock } from './database-clock.ts'
import { publishedEntry, publisherActor } from './ends.ts'
import { type Observed, report, reportEnd } from './observer.ts'
import type { PublisherSettings } from './settings.ts'
import type { Taker } from './taker.ts'

/** What a claim needs of who takes deliveries. */
type HandsOver = Pick<Taker, 'newLease' | 'reserve' | 'free' | 'workOn'>

type ClaimSettings = Pick<PublisherSettings, 'lateLimitMs' | 'giveUpAfterMs' | 'perConnection' | 'claimedPerConnection'>

const BATCH = 100
type Kind = Pick<DueSets, 'late' | 'besideFull'>
const ON_TIME: Kind = { late: false, besideFull: false }
/** Those on time first, and each time those of brands without a full connection. */
const KINDS: readonly Kind[] = [
  ON_TIME,
  { late: false, besideFull: true },
  { late: true, besideFull: false },
  { late: true, besideFull: true },
]
/** Late sets that go beside full connections are looked for among all late ones of their brands. When that takes longer than this, */
const QUICK_MS = 200
/** they are looked for again after so many times as long. */
const SPARED_FOR = 20
/** While late ones are claimed, those on time are looked for as often. */
const ON_TIME_EVERY_MS = 250
/** A set whose claim failed is tried again after this. */
const TROUBLED_MS = 60_000

interface Claims {
  /**
   * Claims what is due, in batches of their own transactions; `onBatch` hears of each, and whether something of it waits to be taken.
   * Those on time come first; the rest is claimed by a whole look only. Ends between two batches when the signal aborts.
   */
  claim(options: { whole: boolean; signal: AbortSignal; onBatch: OnBatch }): Promise<Claimed>
}

type OnBatch = (batch: { waits: boolean }) => void

interface Claimed {
  sets: number
  /** Not all of it was handed over to this worker. */
  waits: boolean
  /**
   * When the next set is due that was not at the first claim, by `performance.now()`: what becomes due meanwhile is not passed
   * over. Null: there is none. Undefined when nothing was claimed: then it was not read.
   */
  nextAt?: number | null | undefined
}

const NOTHING: Claimed = { sets: 0, waits: false }

const both = (one: Claimed, next: Claimed): Claimed => ({
  sets: one.sets + next.sets,
  waits: one.waits || next.waits,
  nextAt: one.nextAt === undefined ? next.nextAt : one.nextAt,
})

export function createClaims(
  db: Database,
  settings: ClaimSettings,
  clock: Pick<DatabaseClock, 'notAfter'>,
  onError: (error: unknown, postSetId: string) => void,
  worker: Observed & { taker: HandsOver },
): Claims {
  /** Sets whose claim fails, and until when they are left out: one of them must not stop the rest. */
  const troubled = new Map<string, number>()
  /** Until when a look that takes long is left out. */
  let sparedUntil = 0
  /** When those on time were looked for last. */
  let onTimeAt = Number.NEGATIVE_INFINITY

  async function claimKind(kind: Kind, signal: AbortSignal, onBatch: OnBatch): Promise<Claimed> {
    const spared = kind.late && kind.besideFull
    if (spared && performance.now() < sparedUntil) return NOTHING
    if (kind === ON_TIME) onTimeAt = performance.now()
    let claimed = NOTHING
    let tookMs = 0
    for (let last = BATCH; last === BATCH && !signal.aborted; ) {
      const startedAt = performance.now()
      const batch = await claimBatch(due(kind, { newestFirst: false }))
      tookMs = performance.now() - startedAt
      claimed = both(claimed, batch)
      last = batch.sets
      onBatch(batch)
      // The oldest first; a pile of them keeps nothing back that is due now and goes to other connections.
      if (last < BATCH) continue
      const others = kind.late ? await claimOnTime(signal, onBatch) : await claimBatch(due(kind, { newestFirst: true }))
      claimed = both(claimed, others)
      if (others.sets > 0) onBatch(others)
    }
    // The last batch has passed over all that may not be claimed.
    if (spared && tookMs > QUICK_MS) sparedUntil = performance.now() + tookMs * SPARED_FOR
    return claimed
  }

  /** Between two batches of late ones, now and then. */
  async function claimOnTime(signal: AbortSignal, onBatch: OnBatch): Promise<Claimed> {
    if (performance.now() - onTimeAt < ON_TIME_EVERY_MS) return NOTHING
    return claimKind(ON_TIME, signal, onBatch)
  }

  function due(kind: Kind, { newestFirst }: Pick<DueSets, 'newestFirst'>): DueSets {
    for (const [id, until] of troubled) if (until < performance.now()) troubled.delete(id)
    const { claimedPerConnection: perConnection } = settings
    const notAfter = clock.notAfter()
    return { ...kind, newestFirst, limit: BATCH, perConnection, except: [...troubled.keys()], notAfter }
  }

  async function claimBatch(due: DueSets): Promise<Claimed> {
    try {
      return await claimSets(db, due, settings, worker)
    } catch (error) {
      if (databaseFault(error)) throw error
      return claimOneByOne(due)
    }
  }

  async function claimOneByOne(due: DueSets): Promise<Claimed> {
    const ids = await findDuePostSets(db, due)
    for (const only of ids) {
      try {
        await claimSets(db, { ...due, only }, settings, worker)
      } catch (error) {
        if (databaseFault(error)) throw error
        troubled.set(only, performance.now() + TROUBLED_MS)
        onError(error, only)
      }
    }
    return { sets: ids.length, waits: true }
  }

  return {
    async claim({ whole, signal, onBatch }) {
      let claimed = NOTHING
      const wants = whole ? KINDS : [ON_TIME]
      for (const kind of wants) {
        const one = await claimKind(kind, signal, onBatch)
        claimed = both(claimed, one)
        // What is on time and was behind them.
        if (kind.late && one.sets > 0) claimed = both(claimed, await claimKind(ON_TIME, signal, onBatch))
      }
      return claimed
    },
  }
}

/** Of a claim of more posts nothing is handed over: then all wait in their lanes, so that accounts take turns. */
const MOST_HANDED = 10

/** One batch: the sets, their deliveries and the history, in one transaction. */
async function claimSets(
  db: Database,
  due: DueSets,
  settings: ClaimSettings,
  worker: Observed & { taker: HandsOver },
): Promise<Claimed> {
  const offers = createOffers(worker.taker)
  try {
    const { sets, inserted, notSent, nextAt } = await db
      .transaction()
      .execute((trx) => claimInto(trx, due, { ...settings, offers }))
    if (sets > 0) report(worker, { kind: 'claimed', sets })
    for (const { accountType } of notSent) reportEnd(worker, accountType, { result: missed, mayBeLive: false })
    offers.begin(inserted)
    return { sets, waits: inserted.some(({ held }) => held === null), nextAt }
  } finally {
    offers.freeRest()
  }
}

/** The slots that are kept for posts while they are claimed. */
function createOffers(taker: HandsOver) {
  const lease = taker.newLease()
  const kept = new Map<string, { lane: string; accountId: string }>()
  return {
    /** Keeps slots for posts that are on time. Null: there are none, or too many at once. */
    of(sets: Awaited<ReturnType<typeof claimDuePostSets>>): Omit<HandedOver, 'perConnection'> | null {
      const posts = sets.flatMap((set) => (set.late || set.overdue ? [] : set.posts.map((post) => ({ ...post, set }))))
      if (posts.length > MOST_HANDED) return null
      const connections = new Set<string>()
      for (const { id, accountType, connectionId, set } of posts) {
        const { network: lane } = ACCOUNT_TYPES[accountType]
        if (connectionId === null || connections.has(connectionId) || !taker.reserve(lane, set.accountId)) continue
        connections.add(connectionId)
        kept.set(id, { lane, accountId: set.accountId })
      }
      return kept.size === 0 ? null : { posts: new Set(kept.keys()), lease }
    },
    /** Once the claim is committed. */
    begin(inserted: readonly NewDelivery[]): void {
      for (const { held } of inserted) {
        if (held === null) continue
        kept.delete(held.post_id)
        void taker.workOn(held, lease)
      }
    },
    freeRest(): void {
      for (const { lane, accountId } of kept.values()) taker.free(lane, accountId)
      kept.clear()
    },
  }
}

const missed: PostResult = failed('UNKNOWN', lateMessage)

async function claimInto(
  trx: DatabaseTransaction,
  due: DueSets,
  settings: ClaimSettings & { offers: ReturnType<typeof createOffers> },
): Promise<Pick<Claimed, 'sets' | 'nextAt'> & Record<'inserted' | 'notSent', readonly NewDelivery[]>> {
  const sets = await claimDuePostSets(trx, due, settings)
  const [first] = sets
  if (!first) return { sets: 0, inserted: [], notSent: [] }
  const nextAt = first.nextInMs === null ? null : performance.now() + first.nextInMs
  const offered = settings.offers.of(sets)
  const inserted = await insertDeliveries(trx, sets, {
    ...{ giveUpAfterMs: settings.giveUpAfterMs, missed, notAfter: due.notAfter },
    handOver: offered && { ...offered, perConnection: settings.perConnection },
    history: sets.map((set) => ({
      ...{ accountId: set.accountId, postSetId: set.id, actor: publisherActor, action: 'publishing' },
      changes: { status: { from: 'SCHEDULED', to: 'PUBLISHING' } },
    })),
  })
  const late = new Set(sets.filter((set) => set.late).map(({ id }) => id))
  const notSent = inserted.filter(({ postSetId }) => late.has(postSetId))
  const toSend = inserted.filter(({ postSetId }) => !late.has(postSetId))
  // Late sets are over; so is a set that has no posts to send.
  const open = new Set(toSend.map(({ postSetId }) => postSetId))
  const over = new Map(sets.filter(({ id }) => !open.has(id)).map(({ id, accountId }) => [id, accountId]))
  await markPublished(
    trx,
    [...over.keys()],
    [
      ...notSent.map(
        ({ postSetId, accountType }): HistoryEntry => ({
          ...{ accountId: over.get(postSetId) ?? '', postSetId, actor: publisherActor, action: 'post failed' },
          changes: { accountType, result: missed },
        }),
      ),
      ...[...over].map(([id, accountId]) => publishedEntry(accountId, id)),
    ],
    due.notAfter,
  )
  await addDeliveryNews(
    trx,
    'POST_FAILED',
    notSent.map((delivery) => delivery.id),
  )
  const waiting = toSend.filter(({ held }) => held === null)
  const connections = new Set(waiting.flatMap(({ connectionId }) => connectionId ?? []))
  if (waiting.length > 0) await moveUp(trx, [...connections], { ...settings, notAfter: due.notAfter })
  return { sets: sets.length, inserted, notSent, nextAt }
}
