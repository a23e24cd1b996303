import {
  type Decision,
  type Delivery,
  type DeliveryEvent,
  type DeliveryState,
  isLeftUnsure,
  isPost,
  next,
  type Pause,
  posted,
  type RefusedStep,
  stateOf,
  taskOf,
} from '#domain'
import {
  changeDelivery,
  type DeliveryEnd,
  databaseFault,
  growThread,
  type HeldDelivery,
  isTaken,
  LeaseLostError,
  lockSetOf,
  releaseDelivery,
  releaseUnproven,
  releaseUnsent,
  requireReconnect,
  wasCrowded,
} from '#persistence'
import { pauseOthers } from './ends.ts'
import { reportChange, reportEnd } from './observer.ts'
import { storedParts } from './parts.ts'
import { brokenRulesOf, perform } from './perform.ts'
import { beginTurn, openRun, refreshRunToken, stepUnderLease, storeUnstored, storing, written } from './run.ts'
import { readToken } from './token-refresher.ts'
import type { Run, Turn, TurnDeps } from './turn.ts'

/**
 * Works on a delivery that was taken until it is done, has to wait, belongs to another worker, or `stopping` says so. What to do and what
 * it leads to is decided by the machine (`domain/delivery/`); this does it and stores it. What is thrown here leaves the
 * delivery to the next turn: its lease runs out by itself.
 */
export async function deliver(
  deps: TurnDeps,
  held: HeldDelivery,
  { takenAt, ...lease }: { owner: string; ms: number; takenAt: number },
  stop: { stopping(state: DeliveryState): boolean; hardStop: AbortSignal },
): Promise<void> {
  const { id: deliveryId } = held
  try {
    await deps.signals('lease-taken', deliveryId)
    const turn = beginTurn(deps, held, { lease, takenAt, hardStop: stop.hardStop })
    await orFreed(turn, async () => {
      const run = await openRunOrCount(turn)
      if (run) await work(run, stop.stopping)
    })
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error
    deps.log.warn({ delivery: deliveryId }, 'A delivery went to another worker')
  } finally {
    await deps.signals('turn-over', deliveryId)
  }
}

/** A fault that lasts is not met in a circle. */
const INTERRUPTED_MS = 2_000

/**
 * What the database interrupts before the fence is free for another turn soon, if it takes that much; else when the lease
 * ends.
 */
async function orFreed(turn: Turn, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (databaseFault(error) !== null) {
      const notAfter = turn.deps.databaseClock.notAfter()
      await releaseUnsent(turn.deps.db, turn.row.id, turn.lease.owner, { againInMs: INTERRUPTED_MS, notAfter })
        .then(() => leaveTurn(turn))
        .catch(() => {})
    }
    throw error
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
    if (await settleOrLookAgain(run, decision)) return
  }
  await giveBack(run)
}

/** Without an outcome: another worker takes it up at once, where nothing holds it. */
async function giveBack(turn: Turn): Promise<void> {
  await storeUnstored(turn)
  await releaseDelivery(turn.deps.db, turn.row.id, turn.lease.owner, stateOf(turn.delivery, turn.policy))
  leaveTurn(turn)
}

/** The connection has room for its next delivery, which moves up before anything is taken again. */
function leaveTurn({ deps, row }: Turn): void {
  if (row.connection_id !== null) deps.freed.add(row.connection_id)
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
  const rules = run.delivery.stage === 'PREPARING' && isPost(run.delivery) ? brokenRulesOf(run) : null
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
async function whyLate({ deps, row }: Run): Promise<'stopped' | 'crowded'> {
  if (row.connection_id === null) return 'stopped'
  const rules = { lateLimitMs: deps.settings.lateLimitMs, notAfter: deps.databaseClock.notAfter() }
  return (await wasCrowded(deps.db, row.connection_id, rules)) ? 'crowded' : 'stopped'
}

async function refresh(run: Run, of: RefusedStep): Promise<DeliveryEvent> {
  // It may wait for another process, and for the network: longer than a lease.
  const refreshed = await stepUnderLease(run, () => refreshRunToken(run))
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

/** Stores a decision. When the id that it names is another delivery's, which of the two it is has to be looked up. */
async function settleOrLookAgain(run: Run, decision: Decision): Promise<boolean> {
  try {
    return await settle(run, decision)
  } catch (error) {
    if (!isTaken(error)) throw error
    run.deps.log.warn({ delivery: run.row.id }, 'The network named a post that is the result of another delivery')
    run.providerId = null
    return settle(run, decided(run, { kind: 'taken' }))
  }
}

/** Stores a decision. True when the turn is over. */
async function settle(turn: Turn, decision: Decision, options = { release: false }): Promise<boolean> {
  const { deps, row } = turn
  switch (decision.kind) {
    case 'result':
      await finish(turn, endOf(turn, decision), decision.pause)
      return true
    case 'open': {
      const release = options.release || decision.delivery.nextAt > turn.now()
      if (!release && isReadyAtOnce(turn.delivery, decision.delivery)) {
        turn.delivery = decision.delivery
        return false
      }
      const startedAt = performance.now()
      const changed = await storing(turn, () => change(turn, decision, { release }))
      if (!changed) throw await unproven(turn)
      reportChange(deps, row, changed)
      if (release) {
        leaveTurn(turn)
        deps.goesOn(decision.delivery.nextAt.getTime() - turn.now().getTime())
      } else {
        // What the network asks to wait for is known to the next step, too.
        turn.delivery = decision.delivery
        written(turn, changed, startedAt)
      }
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

function endOf(turn: Turn, { result, mayBeLive, parts, inbox }: Extract<Decision, { kind: 'result' }>): DeliveryEnd {
  return {
    result,
    mayBeLive: mayBeLive ?? false,
    waitsForCover: turn.waitsForCover && result.providerId !== undefined,
    inbox,
    looksForPart: isLeftUnsure(parts?.at(-1)) && turn.delivery.connection === 'open',
    ...(parts ? { parts: storedParts(turn, parts, { isOver: true }) } : {}),
  }
}

/** Fences move a few seconds after a clock was set back. */
const MOVED_MS = 5_000

/** Another worker has it, or the clock was set back under a look: then it is looked again once its fence has moved. */
async function unproven(turn: Turn): Promise<LeaseLostError> {
  const { db, databaseClock } = turn.deps
  const again = { againInMs: MOVED_MS, notAfter: databaseClock.notAfter() }
  await releaseUnproven(db, turn.row.id, turn.lease.owner, again).catch(() => {})
  leaveTurn(turn)
  return new LeaseLostError('The lease was lost.')
}

/** Together with a wait that others share: none of them goes on between the two. So is the mark of a call that is unsure now. */
async function change(turn: Turn, decision: Opened, { release }: { release: boolean }) {
  const { deps, row, lease, unstored, providerId } = turn
  const at = turn.now()
  const { delivery, pause: asked } = decision
  const state = stateOf(delivery, turn.policy)
  const parts = delivery.ended.length > turn.delivery.ended.length ? storedParts(turn, delivery.ended) : null
  const options = { state, parts, release, handles: unstored, providerId, at }
  const isUnsure = delivery.stage === 'LOOKING_UP' && state !== row.state
  const grown = parts && row.continues !== null ? threadOf(delivery) : null
  if (!asked && !isUnsure && !grown) return changeDelivery(deps.db, row, lease, delivery, options)
  return deps.db.transaction().execute(async (trx) => {
    // The sets before their deliveries, as everywhere.
    if (grown) await lockSetOf(trx, row)
    const changed = await changeDelivery(trx, row, lease, delivery, options)
    if (changed && grown) await growThread(trx, row, grown)
    if (changed && asked) await pauseOthers(trx, row, asked, at)
    // Together with the doubt: who looks it up counts from its end.
    if (changed && isUnsure) await deps.calls.mark(trx, row)
    return changed
  })
}

/** What a thread that goes on has by now, for its result; null: nothing yet. */
function threadOf({ ended: [post, ...others] }: Delivery) {
  return (post && posted([post, ...others]).thread) ?? null
}

type Opened = Extract<Decision, { kind: 'open' }>

/**
 * The fence stores this with the state that it leads to. A kill in between costs a preparation or a look, which are safe to repeat.
 */
const isReadyAtOnce = (before: Delivery, after: Delivery) =>
  after.stage === 'REPEATING' ||
  (before.stage === 'PREPARING' &&
    after.stage === 'READY' &&
    before.attempts === after.attempts &&
    // Of another part it says how the one before ended, which no fence stores.
    before.ended.length === after.ended.length)

async function finish(turn: Turn, end: DeliveryEnd, asked?: Pause): Promise<void> {
  const { deps, row, lease } = turn
  const { result } = end
  await deps.signals('before-finish', row.id)
  const done = await storing(turn, () => {
    const notAfter = deps.databaseClock.notAfter()
    return deps.together.end({ delivery: row, owner: lease.owner, end, pause: asked, at: turn.now(), notAfter })
  })
  if (!done) throw await unproven(turn)
  if (done.leavesWaiting) leaveTurn(turn)
  reportEnd(deps, row.account_type, end)
  deps.log.info(
    { delivery: row.id, accountType: row.account_type, status: result.status, reason: result.reason },
    'A post is done',
  )
  await deps.signals('finished', row.id)
}
