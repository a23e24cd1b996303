import type { PostResult, Reason } from '#contract'
import {
  type Decision,
  type DeliveryEvent,
  type DeliveryPolicy,
  type DeliverySettings,
  deliveryDefaults,
  deliveryPolicy,
  type EndedPart,
  isPost,
  type Live,
  type Delivery as MachineDelivery,
  type Step as MachineStep,
  mayBeLiveMessage,
  next,
  type RefusedStep,
  taskOf,
} from '#domain'
import { rulesOfPart } from '../kit/parts.ts'
import { type Delivery, openDelivery, ProcessDied, type Trouble, type World } from './delivery.ts'
import type { Sample } from './harness.ts'

/** How a post, or its follow-up, came out. */
export type Ending =
  | {
      kind: 'made'
      providerId: string | null
      permalink: string | null
      thread?: readonly Partial<Live>[]
      inbox?: string
    }
  | { kind: 'failed'; reason: Reason; message: string }
  /** It may be live, and no look can tell. */
  | { kind: 'unknown'; message: string }

export interface Delivered {
  post: Ending
  /** Null when none was wanted, or the post did not come so far. */
  followUp: Ending | null
  /** What the machine made of it all. */
  result: PostResult
  log: Delivery['log']
  died: boolean
  /** What is live of it, the post first: a thread that ended early goes on behind these. */
  live: readonly EndedPart[]
}

/** Pauses are short, so that tokens of simulators outlive all posts of a file. */
const SHORT: DeliverySettings = {
  ...deliveryDefaults,
  retryPausesMs: [5_000],
  lookupsMs: [1_000, 5_000, 15_000, 30_000, 45_000, 60_000],
  followUpLookupsMs: [1_000, 5_000, 15_000, 30_000],
}

/** A network that is asked in a circle is found out by this. */
const MAX_TURNS = 2_000

/**
 * Delivers a post by the machine that the engine runs (`domain/delivery/`): what it asks for is done here, against the
 * network of the suite, and pauses are jumped over.
 *
 * @param live what is live of a thread that ended early: it goes on behind that, as another delivery
 */
export async function deliver(
  world: World,
  sample: Sample,
  trouble: Trouble = {},
  live: readonly EndedPart[] = [],
): Promise<Delivered> {
  const delivery = await openDelivery(world, sample, trouble)
  const { manifest } = world.network
  const parts = delivery.parts().map(rulesOfPart)
  const policy = deliveryPolicy(SHORT, { listingDelayMs: manifest.listingDelayMs, parts })
  const { result, ended } = await drive(world, delivery, policy, live)
  return {
    post: endingOf(result),
    followUp: parts.length === 0 ? null : followUpEnding(result),
    result,
    log: delivery.log,
    died: delivery.died,
    live: ended.filter(({ outcome }) => outcome === 'live'),
  }
}

interface Driven {
  result: PostResult
  /** What came of each part; none of a post that failed. */
  ended: readonly EndedPart[]
}

async function drive(
  world: World,
  delivery: Delivery,
  policy: DeliveryPolicy,
  live: readonly EndedPart[],
): Promise<Driven> {
  const { clock } = world
  /** As the row holds it: a process that dies leaves it as it was. */
  let row = fresh(clock.now(), policy)
  if (live.length > 0) row = { ...row, ended: live, continuedAt: clock.now() }
  keepPost()
  let refreshed = false

  for (let turn = 0; turn < MAX_TURNS; turn++) {
    if (row.nextAt > clock.now()) {
      clock.jumpTo(row.nextAt)
      refreshed = false
    }
    const task = taskOf(row, policy, clock.now())
    if (task.kind === 'late') throw new Error('A delivery of the suite is late.')
    let taken = task.kind === 'step' ? task.delivery : row
    if (task.kind === 'step' && task.step === 'send') {
      if (row.firstFencedAt === null) delivery.clearFence()
      delivery.fence()
      row = taken = opened(next(taken, { kind: 'fenced' }, policy, clock.now()))
    }
    let decision: Decision
    try {
      decision = next(taken, task.kind === 'event' ? task.event : await perform(task.step), policy, clock.now())
    } catch (error) {
      if (!(error instanceof ProcessDied)) throw error
      refreshed = false
      continue
    }
    while (decision.kind === 'refresh' || decision.kind === 'close-connection') {
      const { kind, of } = decision
      const event: DeliveryEvent = kind === 'refresh' ? await refresh(of) : { kind: 'connection-closed', of }
      decision = next(taken, event, policy, clock.now())
    }
    if (decision.kind === 'result') return { result: decision.result, ended: decision.parts ?? [] }
    row = opened(decision)
    keepPost()
  }
  throw new Error(`The delivery went on for ${MAX_TURNS} turns.`)

  function keepPost(): void {
    const [post] = row.ended
    if (post) delivery.keep({ providerId: post.providerId, permalink: post.permalink })
  }

  async function perform(step: MachineStep): Promise<DeliveryEvent> {
    const { connect } = world.network
    const sinceCallMs = row.fencedAt ? clock.now().getTime() - row.fencedAt.getTime() : 0
    const call = { prepare: 'prepare', confirm: 'confirm', find: 'find', send: 'publish' } as const
    const partCall = { prepare: 'preparePart', confirm: 'confirmPart', find: 'findFollowUp', send: 'send' } as const
    const isAskedFor = live.length > 0 && row.ended.length === live.length && row.firstFencedAt === null
    const more = isAskedFor ? { continues: true as const } : {}
    const outcome = await delivery.call((isPost(row) ? call : partCall)[step], row.ended, more)
    const canRefresh = connect.canRefresh?.(world.backend.credentials) ?? true
    const refreshable = !refreshed && connect.refresh !== null && canRefresh
    const kind = { prepare: 'prepared', send: 'sent', confirm: 'confirmed', find: 'looked-up' } as const
    return { kind: kind[step], outcome, refreshable, sinceCallMs, sinceFenceMs: sinceCallMs } as DeliveryEvent
  }

  async function refresh(of: RefusedStep): Promise<DeliveryEvent> {
    const outcome = await delivery.refresh()
    if (outcome.kind === 'dead') return { kind: 'refresh-dead', of, message: outcome.message }
    if (outcome.kind === 'failed') {
      return { kind: 'refresh-failed', of, countsAsAttempt: true, message: outcome.message }
    }
    refreshed = true
    return { kind: 'refreshed', of }
  }
}

function opened(decision: Decision): MachineDelivery {
  if (decision.kind !== 'open') throw new Error(`The machine answered ${decision.kind}.`)
  return decision.delivery
}

const fresh = (now: Date, policy: DeliveryPolicy): MachineDelivery => ({
  stage: 'PREPARING',
  ended: [],
  attempts: 0,
  lookups: 0,
  missedLooks: 0,
  nextAt: now,
  givesUpAt: new Date(now.getTime() + policy.giveUpAfterMs),
  firstFencedAt: null,
  fencedAt: null,
  unknownSince: null,
  message: null,
  warnings: [],
  touched: false,
  pause: null,
  connection: 'open',
})

function endingOf(result: PostResult): Ending {
  const { status, message = '', reason = 'UNKNOWN' } = result
  if (status === 'POSTED') {
    const { providerId = null, permalink = null, thread, delivery } = result
    const more = { ...(thread ? { thread } : {}), ...(delivery ? { inbox: delivery } : {}) }
    return { kind: 'made', providerId, permalink, ...more }
  }
  return message === mayBeLiveMessage ? { kind: 'unknown', message } : { kind: 'failed', reason, message }
}

function followUpEnding({ status, warnings }: PostResult): Ending | null {
  if (status !== 'POSTED') return null
  const warning = warnings?.find(({ code }) => code === 'post:follow_up_failed')
  if (!warning) return { kind: 'made', providerId: null, permalink: null }
  const { message } = warning
  return message.includes('may be there')
    ? { kind: 'unknown', message }
    : { kind: 'failed', reason: 'UNKNOWN', message }
}
