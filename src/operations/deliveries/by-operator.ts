import { type PostResult, ProblemError } from '#contract'
import { DELIVERY_STATES, failed, followUpWarning, isBehindPost, isId, posted } from '#domain'
import {
  type Actor,
  addDeliveryNews,
  type Database,
  endDeliveries,
  findDelivery,
  findDeliveryOfPost,
  type HistoryEntry,
  isBeforeFence,
  isBegun,
  type ListedDelivery,
  type LockedDelivery,
  listOpenDeliveries,
  liveParts,
  lockDelivery,
  markPublished,
  moveUp,
  type ShownDelivery,
  titleOfPart,
  wakeDelivery,
} from '#persistence'
import { publishedEntry, publisherDefaults } from '#publishing'
import { reasonProblem } from '../holds/place.ts'
import { accountOrRefusal, Refusal } from '../refusal.ts'
import { retryHeld } from '../results/retry.ts'

const MOST_LISTED = 1_000
const OPEN_STATES = DELIVERY_STATES.filter((state) => state !== 'DONE')

/**
 * Open deliveries, longest due first.
 *
 * @throws Refusal
 */
export async function listDeliveriesForOperator(
  { db }: { db: Database },
  input: { accountId: string | null; state: string | null; limit: string | null },
): Promise<{ total: number; deliveries: ListedDelivery[] }> {
  const { accountId } = input
  if (accountId !== null) await accountOrRefusal(db, accountId)
  const state = OPEN_STATES.find((known) => known === input.state?.toUpperCase()) ?? null
  if (input.state !== null && state === null) {
    throw new Refusal(`--state is one of ${OPEN_STATES.join(', ')}, not ${input.state}.`)
  }
  const limit = Number(input.limit ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LISTED) {
    throw new Refusal(`--limit is a number from 1 to ${MOST_LISTED}, not ${input.limit}.`)
  }
  return listOpenDeliveries(db, { accountId, state, limit })
}

/**
 * A delivery, open or done, without secrets.
 *
 * @throws Refusal
 */
export async function showDelivery({ db }: { db: Database }, id: string): Promise<ShownDelivery> {
  const found = isId(id) ? await findDelivery(db, id) : null
  if (!found) throw noDelivery(id)
  return found
}

/**
 * Makes a sleeping delivery due now; a worker takes it within a second. For a failed one, sends its post again as a
 * member would, if it is certain that nothing of it is live: as another delivery, which is returned.
 *
 * @throws Refusal
 */
export async function retryDelivery({ db }: { db: Database }, id: string, actor: Actor): Promise<ShownDelivery> {
  const before = await showDelivery({ db }, id)
  if (before.state === 'DONE') return sendAgain(db, before, actor)
  if (await wakeDelivery(db, id)) return showDelivery({ db }, id)
  throw new Refusal(whyNoRetry(before))
}

/** The last delivery of its post alone can be behind what is sent again. */
async function sendAgain(db: Database, { id, postId, postSetId }: ShownDelivery, actor: Actor): Promise<ShownDelivery> {
  const again = await db
    .transaction()
    .execute(async (trx) => {
      const delivery = await lockDelivery(trx, id)
      if (!delivery) throw noDelivery(id)
      const { set_account_id: accountId, set_social_set_id: socialSetId } = delivery
      await retryHeld(trx, { id: postSetId, accountId, socialSetId }, { postIds: [postId], actor })
      return findDeliveryOfPost(trx, { postId, retry: delivery.retry + 1 })
    })
    .catch((error: unknown) => {
      if (!(error instanceof ProblemError)) throw error
      throw new Refusal(`The delivery ${id} is done. ${error.message} almanac deliveries show ${id} has its result.`)
    })
  if (again === null) throw new Refusal(`The post of the delivery ${id} has already been sent again.`)
  return showDelivery({ db }, again)
}

function whyNoRetry({ id, worker, held }: ShownDelivery): string {
  if (worker) return `A worker has it in hand right now. Look again with almanac deliveries show ${id}.`
  if (held) return 'It is due already, and waits until publishing is resumed: almanac holds lists what is stopped.'
  return 'It is due already, and waits for its turn.'
}

interface EndedDelivery {
  id: string
  postSetId: string
  result: PostResult
  setPublished: boolean
}

/**
 * Ends a stuck delivery: as failed, or as posted with a warning if only parts after the post are left. Result,
 * history, alert and, if it was the last, the end of its set are one transaction. A worker that is processing it
 * finds it changed, and stops.
 *
 * @throws Refusal also for one that may be live, unless `mayBeLive` accepts that
 */
export async function endDelivery(
  { db }: { db: Database },
  input: { id: string; reason: string; mayBeLive: boolean },
  actor: Actor,
): Promise<EndedDelivery> {
  const { id, reason, mayBeLive } = input
  const problem = reasonProblem(reason)
  if (problem !== null) throw new Refusal(problem)
  return db.transaction().execute(async (trx) => {
    const delivery = isId(id) ? await lockDelivery(trx, id) : null
    if (!delivery) throw noDelivery(id)
    if (delivery.state === 'DONE') {
      throw new Refusal(`The delivery ${id} is done. almanac deliveries show ${id} has its result.`)
    }
    if (!mayBeLive && !isBeforeFence(delivery.state)) throw new Refusal(whyItMayBeLive(delivery))
    const result = resultOf(delivery, reason)
    await endDeliveries(trx, [id], { result, mayBeLive: result.status === 'FAILED' && isBegun(delivery.state) })
    if (delivery.connection_id !== null) await moveUp(trx, [delivery.connection_id], publisherDefaults)
    const { post_set_id: postSetId, set_account_id: accountId } = delivery
    const history = [postEntry(delivery, result, actor), publishedEntry(accountId, postSetId)]
    const setPublished = (await markPublished(trx, [postSetId], history)).length > 0
    if (result.status === 'FAILED') {
      await addDeliveryNews(trx, isBegun(delivery.state) ? 'POST_UNKNOWN' : 'POST_FAILED', [id])
    }
    return { id, postSetId, result, setPublished }
  })
}

function whyItMayBeLive(delivery: LockedDelivery): string {
  const { state, worker } = delivery
  const what = isBehindPost(state) ? `Its ${titleOfPart(delivery)} may be live` : 'It may be live'
  const why = worker ? 'a worker is sending it right now or asks for it' : 'the network did not report the outcome'
  return `${what}: ${why}. Wait for the outcome, or look at the account and end it all the same with --may-be-live.`
}

function resultOf(delivery: LockedDelivery, reason: string): PostResult {
  const { state, warnings } = delivery
  if (isBehindPost(state)) {
    const warning = followUpWarning(titleOfPart(delivery), `The operator ended it (${reason}).`)
    return posted(liveParts(delivery), [...warnings, warning])
  }
  if (!isBegun(state)) {
    const words = `The operator ended it before it was sent (${reason}). Try again what failed to make a draft of it.`
    return failed('UNKNOWN', words)
  }
  const words = `The operator ended it before the network reported the outcome (${reason}).`
  return failed('UNKNOWN', `${words} It may be live: look at the account before you try again.`)
}

function postEntry(
  { post_set_id: postSetId, post_id: postId, account_type: accountType, set_account_id: accountId }: LockedDelivery,
  result: PostResult,
  actor: Actor,
): HistoryEntry {
  const action = result.status === 'POSTED' ? 'post published' : 'post failed'
  return { accountId, postSetId, actor, action, changes: { postId, accountType, result } }
}

const noDelivery = (id: string) =>
  new Refusal(`There is no delivery ${id}. almanac deliveries list shows the open ones.`)
