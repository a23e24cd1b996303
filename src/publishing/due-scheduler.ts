import type { PostResult } from '#contract'
import {
  addDeliveryAlerts,
  addHistory,
  type ClaimedPostSet,
  claimDuePostSets,
  type Database,
  type DatabaseTransaction,
  dueDeliveries,
  type HistoryEntry,
  insertDeliveries,
  markPublished,
} from '#persistence'
import { publisherActor } from './deliver.ts'
import { failed, lateMessage } from './results.ts'
import type { PublisherSettings } from './settings.ts'

/** Rings the bell for deliveries, in the caller's transaction. */
export type Ring = (trx: DatabaseTransaction, deliveryIds: readonly string[]) => Promise<void>

const BATCH = 100

/**
 * One look at the calendar: claims what is due and rings for it, in one transaction a batch; then rings for open
 * deliveries that wait for nobody. Returns how many sets were claimed.
 */
export async function lookAtCalendar(
  db: Database,
  ring: Ring,
  settings: Pick<PublisherSettings, 'lateLimitMs' | 'giveUpAfterMs' | 'leaseMs'>,
): Promise<number> {
  let claimed = 0
  for (let batch = BATCH; batch === BATCH; claimed += batch) {
    batch = await db.transaction().execute((trx) => claimBatch(trx, ring, settings))
  }
  await ringForDue(db, ring, settings, { begunOnly: false })
  return claimed
}

/** Rings for open deliveries that wait for nobody. */
export async function ringForDue(
  db: Database,
  ring: Ring,
  settings: Pick<PublisherSettings, 'leaseMs'>,
  { begunOnly }: { begunOnly: boolean },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const ids = await dueDeliveries(trx, { limit: 1_000, ringAgainAfterMs: settings.leaseMs, begunOnly })
    if (ids.length > 0) await ring(trx, ids)
  })
}

async function claimBatch(
  trx: DatabaseTransaction,
  ring: Ring,
  settings: Pick<PublisherSettings, 'lateLimitMs' | 'giveUpAfterMs'>,
): Promise<number> {
  const sets = await claimDuePostSets(trx, { limit: BATCH, lateLimitMs: settings.lateLimitMs })
  if (sets.length === 0) return 0
  const onTime = sets.filter((set) => !set.late)
  const late = sets.filter((set) => set.late)
  const ids = (list: readonly ClaimedPostSet[]) => list.map((set) => set.id)
  const deliveries = await insertDeliveries(trx, ids(onTime), { giveUpAfterMs: settings.giveUpAfterMs, result: null })
  const missed: PostResult = failed('UNKNOWN', lateMessage)
  const notSent = await insertDeliveries(trx, ids(late), { giveUpAfterMs: settings.giveUpAfterMs, result: missed })
  // Late sets are over; so is a set that has no posts to send.
  const over = new Set(await markPublished(trx, ids(sets)))
  const accounts = new Map(sets.map((set) => [set.id, set.accountId]))
  const about = (postSetId: string) => ({ accountId: accounts.get(postSetId) ?? '', postSetId, actor: publisherActor })
  await addHistory(trx, [
    ...sets.map(
      (set): HistoryEntry => ({
        ...about(set.id),
        action: 'publishing',
        changes: { status: { from: 'SCHEDULED', to: 'PUBLISHING' } },
      }),
    ),
    ...notSent.map(
      (delivery): HistoryEntry => ({
        ...about(delivery.postSetId),
        action: 'post failed',
        changes: { accountType: delivery.accountType, result: missed },
      }),
    ),
    ...[...over].map(
      (id): HistoryEntry => ({
        ...about(id),
        action: 'published',
        changes: { status: { from: 'PUBLISHING', to: 'PUBLISHED' } },
      }),
    ),
  ])
  await addDeliveryAlerts(
    trx,
    'POST_FAILED',
    notSent.map((delivery) => delivery.id),
  )
  if (deliveries.length > 0)
    await ring(
      trx,
      deliveries.map((delivery) => delivery.id),
    )
  return sets.length
}
