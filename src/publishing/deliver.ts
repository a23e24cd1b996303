import type { PostResult } from '#contract'
import { type Decision, type Delivery, type DeliveryEvent, next, type RefusedStep, stateOf, taskOf } from '#domain'
import {
  addDeliveryAlerts,
  addHistory,
  changeDelivery,
  type DeliveryState,
  databaseFault,
  finishDelivery,
  finishedBetween,
  type HeldDelivery,
  type HistoryEntry,
  moveUp,
  releaseDelivery,
  requireReconnect,
} from '#persistence'
import { reportChange, reportEnd } from './observer.ts'
import { brokenRulesOf, perform } from './perform.ts'
import { alertKindOf } from './results.ts'
import {
  beginTurn,
  type DeliverDeps,
  LeaseLostError,
  openRun,
  type Run,
  refreshRunToken,
  storing,
  type Turn,
  underLease,
  written,
} from './run.ts'
import { readToken } from './token-refresher.ts'

export const publisherActor = { type: 'PUBLISHER', id: null, name: 'Publisher' } as const

/**
 * Works on a delivery that was taken until it is done, has to wait, belongs to another worker, or `stopping` says so. What to do and what
 * it leads to is decided by the machine (`domain/delivery/`); this does it and stores it. What is thrown here leaves the
 * delivery to the next turn: its lease runs out by itself.
 */
export async function deliver(
  deps: DeliverDeps,
  held: HeldDelivery,
  { takenAt, ...lease }: { owner: string; ms: number; takenAt: number },
  stop: { stopping(state: DeliveryState): boolean; hardStop: AbortSignal },
): Promise<void> {
  const { id: deliveryId } = held
  try {
    await deps.signals('lease-taken', deliveryId)
    const turn = beginTurn(deps, held, { lease, takenAt, hardStop: stop.hardStop })
    const run = await openRunOrCount(turn)
    if (run) await work(run, stop.stopping)
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error
    deps.log.warn({ delivery: deliveryId }, 'A delivery went to another worker')
  } finally {
    await deps.signals('turn-over', deliveryId)
  }
}

/** What cannot be begun counts as an attempt, so that it ends in words. Null then: the turn is over. */
async function openRunOrCount(turn: Turn): Promise<Run | null> {
  try {
    return await openRun(turn)
  } catch (error) {
    const event = ownError(turn, error)
    const decision = next(turn.delivery, event, turn.policy, turn.now())
    await settle(turn, decision, { release: true })
    return null
  }
}

async function work(run: Run, stopping: (state: DeliveryState) => boolean): Promise<void> {
  while (!stopping(run.row.state)) {
    const decision = await decide(run)
    await run.deps.signals('outcome-known', run.row.id)
    if (await settle(run, decision)) return
  }
  await giveBack(run)
}

/** Without an outcome: another worker takes it up at once, where nothing holds it. */
async function giveBack(turn: Turn): Promise<void> {
  await releaseDelivery(turn.deps.db, turn.row.id, turn.lease.owner, stateOf(turn.delivery))
  await moveUpNext(turn)
}

/** The connection has room for its next delivery. Should this fail, the next look makes up for it. */
async function moveUpNext({ deps, row }: Turn): Promise<void> {
  await moveUp(deps.db, row.connection_id === null ? [] : [row.connection_id], deps.settings)
}

/** One step, or what needs none, and what it leads to. */
async function decide(run: Run): Promise<Decision> {
  let decision = decided(run, await nextEvent(run))
  while (decision.kind === 'refresh' || decision.kind === 'close-connection') {
    const { kind, of } = decision
    decision = decided(
      run,
      await orOwnError(run, () => (kind === 'refresh' ? refresh(run, of) : closeConnection(run, of))),
    )
  }
  return decision
}

const decided = (run: Run, event: DeliveryEvent) => next(run.delivery, event, run.policy, run.now())

async function nextEvent(run: Run): Promise<DeliveryEvent> {
  const task = taskOf(run.delivery, run.policy, run.now())
  if (task.kind === 'late') return { kind: 'late', why: await whyLate(run) }
  const { network } = run
  const rules = run.delivery.stage === 'PREPARING' ? brokenRulesOf(run) : null
  if (task.kind === 'event') return (task.event.kind === 'unconnected' && rules) || task.event
  if (rules) return rules
  if (!network) return { kind: 'unconnected' }
  run.delivery = task.delivery
  return orOwnError(run, () => perform(run, network, task.step))
}

/** An error of ours is an event like others. */
async function orOwnError(run: Run, act: () => Promise<DeliveryEvent>): Promise<DeliveryEvent> {
  try {
    return await act()
  } catch (error) {
    return ownError(run, error)
  }
}

/** @throws the error again when the delivery, or the database while the post has time, is out of reach */
function ownError({ deps, row, now }: Turn, error: unknown): DeliveryEvent {
  if (error instanceof LeaseLostError) throw error
  if (databaseFault(error) !== null && now() <= row.gives_up_at) throw error
  deps.log.error({ delivery: row.id, state: row.state, error }, 'A delivery failed by an error of ours')
  return { kind: 'own-error' }
}

/** Posts of the same account that went out in the hours before: then this one waited behind others. */
async function whyLate({ deps, row, now }: Run): Promise<'stopped' | 'crowded'> {
  if (row.connection_id === null) return 'stopped'
  const ago = (part: number) => new Date(now().getTime() - deps.settings.lateLimitMs * part)
  return (await finishedBetween(deps.db, row.connection_id, ago(0.75), ago(0.25))) ? 'crowded' : 'stopped'
}

async function refresh(run: Run, of: RefusedStep): Promise<DeliveryEvent> {
  // It may wait for another process, and for the network: longer than a lease.
  const refreshed = await underLease(run, () => refreshRunToken(run))
  switch (refreshed.kind) {
    case 'token':
      return { kind: 'refreshed', of }
    case 'failed':
      return { ...refreshed, kind: 'refresh-failed', of }
    case 'dead':
      return { kind: 'refresh-dead', of, message: refreshed.message }
  }
}

/** The credentials are dead for certain: people are asked to connect the account again, unless they have done so. */
async function closeConnection(run: Run, of: RefusedStep): Promise<DeliveryEvent> {
  const { deps, content, token } = run
  const { identityId } = content.connection ?? {}
  if (!identityId) return { kind: 'connection-closed', of }
  const seen = token?.refreshedAt ?? null
  const marked = await storing(run, () => requireReconnect(deps.db, identityId, of.reconnect.message, { seen }))
  if (marked) return { kind: 'connection-closed', of }
  run.token = await readToken(deps, identityId)
  return { kind: 'connection-renewed', of }
}

/** Stores a decision. True when the turn is over. */
async function settle(turn: Turn, decision: Decision, options = { release: false }): Promise<boolean> {
  const { deps, row, lease } = turn
  switch (decision.kind) {
    case 'result':
      await finish(turn, decision.result)
      return true
    case 'open': {
      const release = options.release || decision.delivery.nextAt > turn.now()
      if (!release && isReadyAtOnce(turn.delivery, decision.delivery)) {
        turn.delivery = decision.delivery
        return false
      }
      const startedAt = performance.now()
      const changed = await storing(turn, () => changeDelivery(deps.db, row.id, lease, decision.delivery, { release }))
      if (!changed) throw new LeaseLostError('The lease was lost.')
      reportChange(deps, row, changed)
      if (release) await moveUpNext(turn)
      else written(turn, changed, startedAt)
      return release
    }
    case 'wait-for-release':
      await giveBack(turn)
      return true
    case 'refresh':
    case 'close-connection':
      throw new Error('A demand was to be stored.')
  }
}

/** The fence stores this with the state that it leads to. A kill in between costs a preparation, which is safe to repeat. */
const isReadyAtOnce = (before: Delivery, after: Delivery) =>
  before.stage === 'PREPARING' && after.stage === 'READY' && before.attempts === after.attempts

/** The result, the history, an alert and perhaps the end of the set: one transaction. */
async function finish(turn: Turn, result: PostResult): Promise<void> {
  const { deps, row, lease } = turn
  await deps.signals('before-finish', row.id)
  await storing(turn, () =>
    deps.db.transaction().execute(async (trx) => {
      const finished = await finishDelivery(trx, row, lease.owner, result)
      if (!finished) throw new LeaseLostError('The lease was lost.')
      if (row.connection_id !== null) await moveUp(trx, [row.connection_id], deps.settings)
      const about = { accountId: finished.accountId, postSetId: row.post_set_id, actor: publisherActor }
      const action = result.status === 'POSTED' ? 'post published' : 'post failed'
      const entries: HistoryEntry[] = [
        { ...about, action, changes: { postId: row.post_id, accountType: row.account_type, result } },
      ]
      if (finished.setPublished)
        entries.push({ ...about, action: 'published', changes: { status: { from: 'PUBLISHING', to: 'PUBLISHED' } } })
      await addHistory(trx, entries)
      const alert = alertKindOf(result)
      if (alert) await addDeliveryAlerts(trx, alert, [row.id])
    }),
  )
  reportEnd(deps, row.account_type, result)
  deps.log.info(
    { delivery: row.id, accountType: row.account_type, status: result.status, reason: result.reason },
    'A post is done',
  )
  await deps.signals('finished', row.id)
}
