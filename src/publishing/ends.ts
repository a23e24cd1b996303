import type { PostResult } from '#contract'
import type { Pause } from '#domain'
import {
  addDeliveryNews,
  addInboxNews,
  type Database,
  type DeliveryEnd,
  type DeliveryRow,
  type Finished,
  finishDeliveries,
  type HistoryEntry,
  markPublished,
  pause,
} from '#persistence'
import { newsKindOf } from './results.ts'

export const publisherActor = { type: 'PUBLISHER', id: null, name: 'Publisher' } as const

/** A delivery that has come to its end, and what a network asked for with it. */
export interface Ending {
  delivery: DeliveryRow
  owner: string
  end: DeliveryEnd
  pause?: Pause | undefined
  /** What the clock of its times says. */
  at: Date
  /** How late it is at the most by that clock. */
  notAfter: Date | undefined
}

/**
 * The results of deliveries, their history, alerts, waits that others share, and perhaps the ends of their sets: in the caller's
 * transaction. Answers those that are done, by their ids; of the others nothing has changed.
 */
export async function endDeliveries(trx: Database, endings: readonly Ending[]): Promise<ReadonlyMap<string, Finished>> {
  const finished = await finishDeliveries(trx, endings)
  const done = endings.flatMap((ending) => {
    const about = finished.get(ending.delivery.id)
    return about ? [{ ...ending, about }] : []
  })
  for (const { delivery, pause: asked, at } of done) if (asked) await pauseOthers(trx, delivery, asked, at)
  // Of a set's deliveries that end at once, the last one publishes it.
  const sets = new Map(done.map(({ delivery, about }) => [delivery.post_set_id, about.accountId]))
  const over = [...sets].map(([postSetId, accountId]) => publishedEntry(accountId, postSetId))
  await markPublished(trx, [...sets.keys()], [...done.map(postEntry), ...over], endings[0]?.notAfter)
  for (const kind of new Set(done.map(({ end }) => newsKindOf(end)))) {
    if (!kind) continue
    const ids = done.filter(({ end }) => newsKindOf(end) === kind).map(({ delivery }) => delivery.id)
    await addDeliveryNews(trx, kind, ids)
  }
  const inboxed = done.filter(({ end: { result } }) => actionOf(result) === 'post delivered')
  await addInboxNews(
    trx,
    'IN_INBOX',
    inboxed.map(({ delivery }) => delivery.id),
  )
  return finished
}

/** Together with what led to it: none of those that share the wait goes on between the two. */
export async function pauseOthers(
  trx: Database,
  { connection_id: connectionId, lane }: DeliveryRow,
  asked: Pause,
  at: Date,
) {
  if (connectionId !== null && lane !== null) await pause(trx, { connectionId, lane }, asked, at)
}

const postEntry = ({
  delivery,
  end: { result },
  about: { accountId },
}: Ending & { about: Finished }): HistoryEntry => ({
  ...{ accountId, postSetId: delivery.post_set_id, actor: publisherActor },
  action: actionOf(result),
  changes: { postId: delivery.post_id, accountType: delivery.account_type, result },
})

/** What history says of a result. */
const actionOf = ({ status, delivery }: PostResult) => {
  if (status === 'FAILED') return 'post failed'
  return delivery === 'INBOX' ? 'post delivered' : 'post published'
}

/** That a set is over, for `markPublished`. */
export const publishedEntry = (accountId: string, postSetId: string): HistoryEntry => ({
  ...{ accountId, postSetId, actor: publisherActor, action: 'published' },
  changes: { status: { from: 'PUBLISHING', to: 'PUBLISHED' } },
})
