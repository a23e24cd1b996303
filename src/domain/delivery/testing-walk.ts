import type { PostResult } from '#contract'
import { HOUR_MS, MINUTE_MS } from '#contract/durations'
import {
  type Decision,
  type Delivery,
  type DeliveryEvent,
  type DeliveryPolicy,
  type EndedPart,
  type FindOutcome,
  next,
  numberOf,
  type PrepareOutcome,
  type PublishOutcome,
  type Retry,
  type Step,
  taskOf,
  type Warning,
} from './index.ts'
import { createLateCall, createMarks, type HeldCall, type MarkFault } from './testing-marks.ts'
import { refuseWrongCall } from './testing-parts.ts'
import { freshDelivery, type Stubborn, stubbornly } from './testing-stubborn.ts'

export interface Walk {
  result: PostResult
  mayBeLive: boolean
  /** What is said of each part, where there were several. */
  parts: readonly EndedPart[]
  /** Whether the network holds each part in the end, and for how many calls it was asked of each. */
  live: boolean[]
  callsOf: number[]
  calls: number
  takeovers: number
  startedAt: Date
  endedAt: Date
}

/** More than any delivery takes: one that is asked about every second until it is given up. */
const MOST_TURNS = 200_000

const LEASE_MS = 40_000

/** What a network has of one part. */
interface Held extends HeldCall {
  /** The network has said that it would know a call for the one before, if it leaves now. */
  repeatable: boolean
  calls: number
}

/**
 * Drives the machine against a network that answers, and workers that die or are paused, as the choices say. A worker that is
 * paused comes back with what it knew, when another has gone on.
 *
 * @throws Error for a visible call without proof that the one before had no effect, and for a delivery that does not end
 */
export function walk(
  policy: DeliveryPolicy,
  drawn: readonly number[],
  options: {
    outages: boolean
    warnings: readonly Warning[]
    stubborn?: Stubborn
    /** So many parts go well at once, before anything happens. */
    well?: number
    /** The network lists nothing, and knows a call that is made again. */
    repeats?: boolean
    markFault?: MarkFault
    note?: (delivery: Delivery) => void
  },
): Walk {
  let index = 0
  /** A number below `count`; the choices repeat, moved on by each round. No count that is asked for has a factor of eleven. */
  const pick = (count: number) => {
    const round = Math.floor(index / drawn.length)
    const value = drawn[index % drawn.length] ?? 0
    index += 1
    return (value + round * 11) % count
  }
  const one = <T>(...values: [T, ...T[]]): T => values[pick(values.length)] ?? values[0]
  const startedAt = Date.UTC(2026, 10, 22, 12)
  let time = startedAt
  const now = () => new Date(time)
  const after = (ms: number) => new Date(time + ms)
  const sinceFence = ({ fencedAt }: Delivery) => time - (fencedAt?.getTime() ?? time)
  const parts: Held[] = policy.parts.map(() => ({
    live: false,
    shownAt: 0,
    unproven: false,
    repeatable: false,
    calls: 0,
    calledAt: 0,
  }))
  const marks = createMarks({ time: () => time, pick, leaseMs: LEASE_MS, fault: options.markFault })
  const lateCall = createLateCall<Held>({ pick, leaseMs: LEASE_MS, listingDelayMs: policy.listingDelayMs })
  /** Notes the end of the call, by its maker. */
  let called: (() => void) | null = null
  let calls = 0
  let takeovers = 0
  let releases = 0

  /** The row: who writes must have read the present version. */
  let row: { version: number; delivery: Delivery } = {
    version: 0,
    delivery: freshDelivery(now(), policy, options.warnings),
  }
  /** The last answer proves that the part is not there; worth something once it is stored. */
  let proves = false
  /** It allows the same call again, in this turn. */
  let allowsRepeat = false
  /** What a paused worker still wants to write. */
  let late: { version: number; delivery: Delivery } | null = null

  function store(version: number, delivery: Delivery): boolean {
    if (row.version !== version) return false
    row = { version: version + 1, delivery }
    options.note?.(delivery)
    return true
  }

  const partAt = (part: number): Held => {
    const found = parts[part]
    if (!found) throw new Error(`There is no part ${part}.`)
    return found
  }
  const retry = (): Retry => ({
    kind: 'retry',
    notBefore: one(null, after(0), after(60_000), after(7_200_000)),
    from: one('prepare', 'publish'),
    countsAsAttempt: pick(3) > 0,
    message: 'Not now.',
  })
  const reconnect = (byRead: boolean) =>
    ({ kind: 'reconnect', mayRefresh: pick(2) === 0, message: 'Not you.', ...(byRead ? { byRead } : {}) }) as const
  const refused = { kind: 'refused', reason: 'UNKNOWN', message: 'No.' } as const
  /** Whose id is needed may have none that could be learned. */
  const isNamed = (number: number) => policy.parts[number + 1]?.needs !== 'previous' || pick(8) > 0
  const published = (of: Delivery) =>
    ({ kind: 'published', providerId: isNamed(numberOf(of)) ? `p${numberOf(of)}` : null, permalink: null }) as const
  const unknown = { kind: 'unknown', message: 'No answer.' } as const
  const isDoubtful = (outcome: PublishOutcome) =>
    outcome.kind === 'unknown' || (outcome.kind === 'reconnect' && 'byRead' in outcome)
  const accepted = () => ({ kind: 'accepted', askAgainAt: after(one(0, 5_000, 120_000)) }) as const

  function prepare(): PrepareOutcome {
    const kind = pick(12)
    if (kind === 0) return { kind: 'waiting', askAgainAt: after(one(0, 10_000, HOUR_MS)) }
    if (kind === 1) return retry()
    if (kind === 2) return reconnect(pick(2) === 0)
    if (kind === 3 && pick(4) === 0) return refused
    return { kind: 'ready' }
  }

  /** The visible call: what it does, and what is heard of it. */
  function send(delivery: Delivery): PublishOutcome {
    const number = numberOf(delivery)
    const part = partAt(number)
    if (delivery.stage !== 'SENDING') throw new Error('A visible call was made without a fence.')
    refuseWrongCall(policy, delivery, { time, parts })
    if (part.repeatable) return repeat(part, delivery)
    if (part.live || part.unproven) throw new Error(`Part ${number} was sent again without proof.`)
    calls += 1
    part.calls += 1
    part.unproven = true
    part.calledAt = time
    if (pick(3) > 0) {
      part.live = true
      part.shownAt = time + one(0, policy.listingDelayMs / 2, policy.listingDelayMs - 1)
      return one<PublishOutcome>(published(delivery), unknown, unknown, accepted(), reconnect(true))
    }
    const outcome = one<PublishOutcome>(retry(), reconnect(false), unknown, reconnect(true), accepted(), refused)
    // Of a follow-up the network's word is enough: what it accepts is there.
    if (outcome.kind === 'accepted' && !policy.parts[number]?.confirms) part.live = true
    proves = outcome.kind === 'retry' || outcome.kind === 'refused' || (outcome.kind === 'reconnect' && !outcome.byRead)
    return outcome
  }

  /** The same call again: there is one part afterwards, whichever call made it. What is no success proves nothing. */
  function repeat(part: Held, delivery: Delivery): PublishOutcome {
    calls += 1
    part.calls += 1
    part.repeatable = false
    part.calledAt = time
    const outcome = one<PublishOutcome>(
      published(delivery),
      accepted(),
      unknown,
      reconnect(true),
      reconnect(false),
      retry(),
      refused,
    )
    part.live ||= outcome.kind === 'published' || outcome.kind === 'accepted' || (isDoubtful(outcome) && pick(3) > 0)
    return outcome
  }

  function confirm(delivery: Delivery): PublishOutcome {
    const part = partAt(numberOf(delivery))
    const doubtful = [unknown, reconnect(true), accepted()] as const
    if (part.live) return one<PublishOutcome>(published(delivery), published(delivery), ...doubtful)
    const outcome = one<PublishOutcome>(retry(), refused, ...doubtful)
    proves = outcome.kind === 'retry' || outcome.kind === 'refused'
    return outcome
  }

  function find(delivery: Delivery): FindOutcome {
    const part = partAt(numberOf(delivery))
    const withinMs = one(policy.listingDelayMs, MINUTE_MS, HOUR_MS)
    const doubtful = [
      { kind: 'cannot-tell', message: 'No list.' },
      { kind: 'cannot-tell', message: 'No answer.', unanswered: true },
      reconnect(true),
    ] as const
    const isSilent = !lateCall.isDue() && time >= part.calledAt + policy.listingDelayMs
    if (options.repeats) {
      const outcome = one<FindOutcome>({ kind: 'repeatable', withinMs, message: 'Nothing is listed.' }, ...doubtful)
      allowsRepeat = outcome.kind === 'repeatable' && isSilent && sinceFence(delivery) < withinMs
      return outcome
    }
    if (part.live && time >= part.shownAt) {
      const found = { ...published(delivery), kind: 'found' } as const
      return one<FindOutcome>(found, accepted(), ...doubtful)
    }
    const outcome = one<FindOutcome>({ kind: 'absent' }, ...doubtful)
    proves = outcome.kind === 'absent' && isSilent
    return outcome
  }

  function eventOf(step: Step, delivery: Delivery): DeliveryEvent {
    const refreshable = pick(2) === 0
    const stubborn = stubbornAt(delivery)
    if (stubborn) {
      const around = { retry: retry(), after, providerId: `p${numberOf(delivery)}` }
      return stubbornEvent(step, delivery, stubbornly(stubborn, step, around))
    }
    switch (step) {
      case 'prepare':
        if (pick(25) === 0) return { kind: 'rules-broken', reason: 'UNKNOWN', message: 'Broken.' }
        return pick(20) === 0 ? { kind: 'own-error' } : { kind: 'prepared', outcome: prepare(), refreshable }
      case 'send': {
        const outcome = send(delivery)
        if (pick(15) > 0) return { kind: 'sent', outcome, refreshable }
        // The answer is lost.
        proves = false
        return { kind: 'own-error' }
      }
      case 'confirm':
        return pick(20) === 0 ? { kind: 'own-error' } : { kind: 'confirmed', outcome: confirm(delivery), refreshable }
      case 'find':
        return pick(20) === 0 ? { kind: 'own-error' } : lookedUp(delivery, refreshable)
    }
  }

  function lookedUp(delivery: Delivery, refreshable: boolean): DeliveryEvent {
    const fence = delivery.fencedAt?.getTime() ?? 0
    const times = marks.look(fence, time - fence + one(0, 0, -HOUR_MS, HOUR_MS))
    return { kind: 'looked-up', outcome: find(delivery), refreshable, ...times }
  }

  function stubbornEvent(step: Step, delivery: Delivery, outcome: PrepareOutcome | PublishOutcome | FindOutcome) {
    const sinceCallMs = options.stubborn === 'absent at once' ? 0 : sinceFence(delivery)
    const event = { outcome, refreshable: false, sinceCallMs, sinceFenceMs: sinceCallMs }
    const kinds = { prepare: 'prepared', send: 'sent', confirm: 'confirmed', find: 'looked-up' } as const
    if (step === 'send') {
      const part = partAt(numberOf(delivery))
      if (part.unproven) throw new Error(`Part ${numberOf(delivery)} was sent again without proof.`)
      refuseWrongCall(policy, delivery, { time, parts })
      calls += 1
      part.calls += 1
      part.unproven = true
      part.live = outcome.kind === 'accepted' || outcome.kind === 'published'
    }
    const silence = delivery.fencedAt !== null && time >= delivery.fencedAt.getTime() + policy.listingDelayMs
    proves = outcome.kind === 'retry' || (outcome.kind === 'absent' && silence)
    return { ...event, kind: kinds[step] } as DeliveryEvent
  }

  const ended = ({ result, mayBeLive, parts: said = [] }: Extract<Decision, { kind: 'result' }>): Walk => {
    calls += lateCall.make(Number.POSITIVE_INFINITY)
    return {
      ...{ result, mayBeLive: mayBeLive ?? false, parts: said, live: parts.map(({ live }) => live), calls, takeovers },
      ...{ callsOf: parts.map((part) => part.calls), startedAt: new Date(startedAt), endedAt: now() },
    }
  }

  /** Does what is demanded until there is something to store. */
  function decided(
    delivery: Delivery,
    event: DeliveryEvent,
  ): Exclude<Decision, { kind: 'refresh' | 'close-connection' }> {
    const decision = next(delivery, event, policy, now())
    if (decision.kind === 'refresh') {
      const { of } = decision
      const message = 'No token.'
      const outcome = one('refreshed', 'refresh-failed', 'refresh-dead')
      if (outcome === 'refreshed') return decided(delivery, { kind: outcome, of })
      if (outcome === 'refresh-dead') return decided(delivery, { kind: outcome, of, message })
      return decided(delivery, { kind: outcome, of, countsAsAttempt: pick(2) === 0, message })
    }
    if (decision.kind === 'close-connection') {
      return decided(delivery, { kind: one('connection-closed', 'connection-renewed'), of: decision.of })
    }
    return decision
  }

  /** What goes on in the same turn with a repeat, of which nothing is stored. */
  let inTurn: { version: number; delivery: Delivery } | null = null
  const stubbornAt = (delivery: Delivery) =>
    options.stubborn ?? (numberOf(delivery) < (options.well ?? 0) ? 'well' : undefined)
  const dies = () => stubbornAt(row.delivery) === undefined && pick(7) === 0

  for (let turn = 0; turn < MOST_TURNS; turn++) {
    if (late !== null && pick(2) === 0) {
      if (store(late.version, late.delivery)) throw new Error('A worker wrote although another had gone on.')
      late = null
    }
    const quiet = stubbornAt(row.delivery) !== undefined
    if (!inTurn) {
      if (time < row.delivery.nextAt.getTime()) time = row.delivery.nextAt.getTime()
      if (!quiet) time += one(0, 50, 2_000)
      if (options.outages && !quiet && pick(15) === 0) time += one(MINUTE_MS, 5 * HOUR_MS, 70 * HOUR_MS)
      if (!quiet && pick(40) === 0) row.delivery = { ...row.delivery, connection: one('open', 'closed', 'gone') }
    }
    calls += lateCall.make(time)
    if (!quiet && !inTurn) time += marks.passTurn(options.outages)
    const current: { version: number; delivery: Delivery } = inTurn ?? row
    const { version, delivery } = current
    const repeats = inTurn !== null
    inTurn = null
    if (!repeats) for (const part of parts) part.repeatable = false
    proves = false
    allowsRepeat = false
    const task = taskOf(delivery, policy, now())
    let event: DeliveryEvent
    let held = version
    let taken = delivery
    if (task.kind === 'late') event = { kind: 'late', why: one('stopped', 'crowded') }
    else if (task.kind === 'event') event = task.event
    else if (task.step === 'send') {
      taken = task.delivery
      if (taken.connection !== 'open') throw new Error('Something was sent with a connection that was taken away.')
      if (!quiet && releases < 2 && pick(20) === 0) {
        const stopped = next(taken, { kind: 'held' }, policy, now())
        releases += 1
        if (stopped.kind === 'wait-for-release' && !repeats) continue
        if (stopped.kind === 'result') return ended(stopped)
        if (!repeats || stopped.kind !== 'open' || !store(version, stopped.delivery))
          throw new Error('A hold was passed.')
        continue
      }
      // No two fences are of one moment.
      time += 1
      const fenced = next(taken, { kind: 'fenced' }, policy, now())
      if (fenced.kind !== 'open' || !store(version, fenced.delivery)) throw new Error('The fence was not set.')
      if (fenced.delivery.fencedAt?.getTime() !== time) throw new Error('The fence was not noted.')
      held = row.version
      taken = fenced.delivery
      called = marks.fence(time, options.repeats === true)
      if (dies()) {
        // It is gone, or stopped and makes its call later.
        if (!repeats && pick(2) === 0) lateCall.plan(partAt(numberOf(taken)), time)
        called = null
        takeovers += 1
        time += marks.takeOver(time)
        continue
      }
      event = eventOf('send', taken)
    } else {
      taken = task.delivery
      event = eventOf(task.step, taken)
    }
    if (!quiet) time += one(0, 300, 15_000)
    called?.()
    called = null
    if (dies()) {
      // Nothing was written. When it was only paused, it tries to, later.
      const paused = decided(taken, event)
      takeovers += 1
      time += taken.stage === 'SENDING' ? marks.takeOver(taken.fencedAt?.getTime() ?? 0) : LEASE_MS
      // The one that takes over has written its lease.
      row = { ...row, version: row.version + 1 }
      if (paused.kind === 'open') late = { version: held, delivery: paused.delivery }
      continue
    }
    const decision = decided(taken, event)
    if (decision.kind === 'result') return ended(decision)
    if (decision.kind === 'open' && decision.delivery.stage === 'REPEATING') {
      if (!allowsRepeat) throw new Error('What was not allowed is repeated.')
      partAt(numberOf(taken)).repeatable = true
      inTurn = { version: held, delivery: decision.delivery }
      continue
    }
    if (decision.kind !== 'open' || !store(held, decision.delivery)) throw new Error('What happened was not stored.')
    const { stage, fencedAt } = decision.delivery
    if (stage === 'LOOKING_UP' && taken.stage !== stage && taken.stage !== 'REPEATING')
      marks.unsure(fencedAt?.getTime() ?? 0)
    if (proves) partAt(numberOf(taken)).unproven = false
  }
  throw new Error(`The delivery is still open after ${MOST_TURNS} turns: ${JSON.stringify(row.delivery)}`)
}
