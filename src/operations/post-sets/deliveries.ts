import type { DeliveryStep, HoldShown, PostDeliveries, Why } from '#contract'
import { cardStateOf, type DeliveryState, outcomeOf } from '#domain'
import {
  areFailuresDone,
  type Database,
  type HoldsOfSet,
  isBeforeFence,
  listPostDeliveries,
  type PostDeliveryRow,
  readHoldsOfSet,
} from '#persistence'
import type { Caller } from '../caller.ts'
import { continueProblem } from '../results/possible.ts'
import { failureCause } from './failure-cause.ts'
import { requirePostSet } from './get.ts'
import { isUnderWay } from './under-way.ts'

/** The step that people see for each state. Parts that follow the post belong to confirming. */
export const STEPS = {
  PREPARING: 'preparing',
  READY: 'preparing',
  SENDING: 'sending',
  CONFIRMING: 'confirming',
  LOOKING_UP: 'looking-up',
  FOLLOW_UP: 'confirming',
  FOLLOW_UP_SENDING: 'confirming',
  FOLLOW_UP_LOOKING_UP: 'looking-up',
  PART_PREPARING: 'confirming',
  PART_READY: 'confirming',
  PART_SENDING: 'confirming',
  PART_CONFIRMING: 'confirming',
  PART_LOOKING_UP: 'looking-up',
  DONE: 'done',
} as const satisfies Record<DeliveryState, DeliveryStep>

/**
 * The progress of sending each post of a set, in the order of the set, and the state on the set's card.
 *
 * @throws ProblemError `post-set:not_found`
 */
export async function readDeliveries({ db }: { db: Database }, caller: Caller, id: string): Promise<PostDeliveries> {
  // Both are of one moment, so that no card is reported as publishing whose posts are all done.
  const [set, rows, holds, done] = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const found = await requirePostSet(trx, caller, id)
      const { accountId } = caller
      const holds = await readHoldsOfSet(trx, { accountId, socialSetId: found.socialSetId })
      return [found, await listPostDeliveries(trx, found.id), holds, await areFailuresDone(trx, found.id)] as const
    })
  const begins = set.status === 'SCHEDULED' ? set.scheduledAt : null
  const results = set.posts.map(({ result }) => result && outcomeOf(result))
  const holdOf = (row: PostDeliveryRow) => (set.status === 'DRAFT' ? null : holdOfPost(holds, row))
  const held = isHeldSet(rows.map((row) => ({ done: row.state === 'DONE', held: holdOf(row) !== null })))
  return {
    data: rows.map((row) =>
      deliveryAnswer(row, { begins, hold: holdOf(row), continuation: continueProblem(row, holds) }),
    ),
    state: cardStateOf({ ...set, results, held, retried: rows.some(({ state }) => isUnderWay(state)) }),
    done,
  }
}

/** The hold that keeps a post waiting: that of its whole set, or of its connection. Null if there is none. */
export function holdOfPost(
  holds: HoldsOfSet,
  { state, connectionId }: Pick<PostDeliveryRow, 'state' | 'connectionId'>,
): HoldShown | null {
  if (state !== null && !isBeforeFence(state)) return null
  return holds.whole ?? holds.connections.find(({ id }) => id === connectionId)?.hold ?? null
}

/** Whether a set is completely on hold: each of its unfinished posts waits for a release. */
export function isHeldSet(posts: readonly { done: boolean; held: boolean }[]): boolean {
  const open = posts.filter(({ done }) => !done)
  return open.length > 0 && open.every(({ held }) => held)
}

interface Around {
  begins: Date | null
  hold: HoldShown | null
  continuation: Why | null | undefined
}

function deliveryAnswer(row: PostDeliveryRow, { begins, hold, continuation }: Around): PostDeliveries['data'][number] {
  const { postId, accountType, connectionName, attempts, message, result } = row
  const state = row.state === null ? 'waiting' : STEPS[row.state]
  const next = row.state === null ? begins : row.nextAt
  return {
    postId,
    accountType,
    connectionName,
    // Prepared for a later turn, it waits; what the network may have seen is reported as it is.
    state: state === 'preparing' && (row.pausing || hold) ? 'waiting' : state,
    attempts,
    nextAt: state === 'done' || hold ? null : (next?.toISOString() ?? null),
    message,
    hold,
    result,
    cause: failureCause(row),
    continuation: continuation === undefined ? null : { possible: continuation === null, why: continuation },
    sentAt: row.sentAt?.toISOString() ?? null,
    confirmedAt: row.finishedAt?.toISOString() ?? null,
  }
}
