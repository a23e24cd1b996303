import type { PostResult } from '#contract'
import {
  addDeliveryAlerts,
  addHistory,
  changeDelivery,
  type DeliveryRow,
  type DeliveryState,
  finishDelivery,
  type HeldDelivery,
  type HistoryEntry,
  moveUp,
  releaseDelivery,
} from '#persistence'
import { askLater as askForFollowUp, end, findFollowUp, sendFollowUp, takeOverFollowUp } from './follow-up-steps.ts'
import { askLater, finish as finishWith, followUpWarning, type Move, tryAgain } from './moves.ts'
import { reportChange, reportEnd } from './observer.ts'
import { brokenRulesOf, confirm, find, prepare, publish, takeOver } from './post-steps.ts'
import { alertKindOf, failed, mayBeLiveMessage } from './results.ts'
import { type DeliverDeps, HeldError, LeaseLostError, type Run, startRun } from './run.ts'

export const publisherActor = { type: 'PUBLISHER', id: null, name: 'Publisher' } as const

/**
 * Works on a delivery that was taken until it is done, has to wait, belongs to somebody else, or `stopping` says so.
 * Whatever is thrown here leaves the delivery to the next turn: its lease runs out by itself.
 */
export async function deliver(
  deps: DeliverDeps,
  held: HeldDelivery,
  lease: { owner: string; ms: number },
  stop: { stopping(state: DeliveryState): boolean; hardStop: AbortSignal },
): Promise<void> {
  const { id: deliveryId } = held
  try {
    await deps.signals('lease-taken', deliveryId)
    const run = await startRun(deps, held, lease, stop.hardStop)
    await turn(run, stop.stopping)
  } catch (error) {
    if (error instanceof LeaseLostError) {
      deps.log.warn({ delivery: deliveryId }, 'A delivery went to another worker')
      return
    }
    if (error instanceof HeldError) return giveBack(deps, held, lease)
    throw error
  } finally {
    await deps.signals('turn-over', deliveryId)
  }
}

async function turn(run: Run, stopping: (state: DeliveryState) => boolean): Promise<void> {
  const { deps, lease } = run
  while (!stopping(run.row.state)) {
    const move = await nextMove(run)
    await deps.signals('outcome-known', run.row.id)
    if (move.kind === 'finish') return finish(run, move.result)
    const wait = move.change.nextAt !== null && move.change.nextAt > run.now()
    const row = await changeDelivery(deps.db, run.row.id, lease, move.change, { release: wait })
    if (!row) throw new LeaseLostError('The lease was lost.')
    reportChange(deps, run.row, row)
    if (wait) return moveUpNext(deps, row)
    run.row = row
  }
  await giveBack(deps, run.row, lease)
}

/** Without an outcome: another worker takes it up at once, where nothing holds it. */
async function giveBack(deps: DeliverDeps, row: DeliveryRow, lease: { owner: string }): Promise<void> {
  await releaseDelivery(deps.db, row.id, lease.owner)
  await moveUpNext(deps, row)
}

/** The connection has room for its next delivery. Should this fail, the next look makes up for it. */
async function moveUpNext(deps: DeliverDeps, { connection_id: connectionId }: DeliveryRow): Promise<void> {
  await moveUp(deps.db, connectionId === null ? [] : [connectionId], deps.settings)
}

/** One step of the state machine of the README. */
async function nextMove(run: Run): Promise<Move> {
  const { row, network } = run
  if (row.state === 'PREPARING') {
    const broken = brokenRulesOf(run)
    if (broken) return broken
  }
  if (!network || !run.content.connection || !run.token) {
    if (row.state.startsWith('FOLLOW_UP'))
      return end(run, followUpWarning('first comment', 'The connection was removed.'))
    if (row.state !== 'PREPARING' && row.state !== 'READY') return finishWith(failed('UNKNOWN', mayBeLiveMessage))
    return finishWith(
      failed('ACCOUNT_CONNECTION_EXPIRED', 'The connection has to be renewed: connect the account again.'),
    )
  }
  try {
    switch (row.state) {
      case 'PREPARING':
        return await prepare(run, network)
      case 'READY':
        return await publish(run, network)
      case 'SENDING':
        return takeOver(run)
      case 'CONFIRMING':
        return await confirm(run, network)
      case 'LOOKING_UP':
        return await find(run, network)
      case 'FOLLOW_UP':
      case 'FOLLOW_UP_SENDING':
      case 'FOLLOW_UP_LOOKING_UP': {
        const followUp = network.connector.followUp
        if (!followUp) throw new Error('A delivery waits for a follow-up that its network does not have.')
        if (row.state === 'FOLLOW_UP') return await sendFollowUp(run, network, followUp)
        if (row.state === 'FOLLOW_UP_SENDING') return takeOverFollowUp(run)
        return await findFollowUp(run, network, followUp)
      }
      case 'DONE':
        throw new Error('A delivery that is done was taken up again.')
    }
  } catch (error) {
    return afterError(run, error)
  }
}

/** An error of ours. Nothing was sent in the steps that end here: `visibleCall` answers for what it sends. */
function afterError(run: Run, error: unknown): Move {
  if (error instanceof LeaseLostError || error instanceof HeldError) throw error
  run.deps.log.error(
    { delivery: run.row.id, state: run.row.state, error },
    'A step of a delivery failed by an error of ours',
  )
  const message = 'Something went wrong in Almanac; its log says what.'
  const followUp = run.network?.connector.followUp
  switch (run.row.state) {
    case 'CONFIRMING':
    case 'LOOKING_UP':
      return askLater(run, message)
    case 'FOLLOW_UP':
    case 'FOLLOW_UP_SENDING':
    case 'FOLLOW_UP_LOOKING_UP':
      return followUp ? askForFollowUp(run, followUp, message) : end(run, followUpWarning('first comment', message))
    default: {
      const from = run.row.state === 'PREPARING' ? 'prepare' : 'publish'
      return tryAgain(run, { kind: 'retry', notBefore: null, from, countsAsAttempt: true, message })
    }
  }
}

/** The result, the history, an alert and perhaps the end of the set: one transaction. */
async function finish(run: Run, result: PostResult): Promise<void> {
  const { deps, row, content, lease } = run
  await deps.signals('before-finish', row.id)
  await deps.db.transaction().execute(async (trx) => {
    const finished = await finishDelivery(trx, row, lease.owner, result)
    if (!finished) throw new LeaseLostError('The lease was lost.')
    if (row.connection_id !== null) await moveUp(trx, [row.connection_id], deps.settings)
    const about = { accountId: finished.accountId, postSetId: row.post_set_id, actor: publisherActor }
    const action = result.status === 'POSTED' ? 'post published' : 'post failed'
    const entries: HistoryEntry[] = [
      { ...about, action, changes: { postId: content.post.id, accountType: row.account_type, result } },
    ]
    if (finished.setPublished)
      entries.push({ ...about, action: 'published', changes: { status: { from: 'PUBLISHING', to: 'PUBLISHED' } } })
    await addHistory(trx, entries)
    const alert = alertKindOf(result)
    if (alert) await addDeliveryAlerts(trx, alert, [row.id])
  })
  reportEnd(deps, row.account_type, result)
  deps.log.info(
    { delivery: row.id, accountType: row.account_type, status: result.status, reason: result.reason },
    'A post is done',
  )
  await deps.signals('finished', row.id)
}
