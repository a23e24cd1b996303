import type { Reason } from '#contract'
import {
  type At,
  certain,
  type Decision,
  endPart,
  FRESH,
  fail,
  lastAsk,
  lastStart,
  notNow,
  open,
  partOf,
  type RefusedStep,
  retried,
  type Step,
  tryAgain,
  unsure,
  waitIn,
  withPause,
  wordsOf,
} from './decisions.ts'
import { type Delivery, isPost } from './delivery.ts'
import { isTooLate, lookAgain, lookBehindDelay, withoutMissedTime } from './looks.ts'
import type { Accepted, FindOutcome, PartPrepareOutcome, Published, PublishOutcome, Retry } from './outcomes.ts'
import type { DeliveryPolicy } from './policy.ts'
import {
  connectAgainMessage,
  crowdedMessage,
  lateMessage,
  ownErrorMessage,
  takenMessage,
  waitedMessage,
} from './results.ts'

/** What happened to a delivery. `refreshable`: a refresh of the credentials may still help in this turn. */
export type DeliveryEvent =
  | { kind: 'prepared'; outcome: PartPrepareOutcome; refreshable: boolean }
  /** The fence of the visible call is committed. */
  | { kind: 'fenced' }
  | { kind: 'sent'; outcome: PublishOutcome; refreshable: boolean }
  | { kind: 'confirmed'; outcome: PublishOutcome; refreshable: boolean }
  | {
      kind: 'looked-up'
      outcome: FindOutcome
      refreshable: boolean
      /**
       * The least time between the end of the last call and the look, even if clocks were changed meanwhile; less than 0 while the call may
       * still go on.
       */
      sinceCallMs: number
      /** The most time since its fence; null: no one knows. */
      sinceFenceMs: number | null
    }
  /** How the demand for a refresh went. */
  | { kind: 'refreshed'; of: RefusedStep }
  /** `countsAsAttempt` is false when it was not even tried: another process refreshes. */
  | { kind: 'refresh-failed'; of: RefusedStep; countsAsAttempt: boolean; message: string }
  | { kind: 'refresh-dead'; of: RefusedStep; message: string }
  /** How the demand to close the connection went: `renewed` when it was connected again meanwhile. */
  | { kind: 'connection-closed'; of: RefusedStep }
  | { kind: 'connection-renewed'; of: RefusedStep }
  /** The id that the network has named is the result of another delivery: which of the two it is has to be looked up. */
  | { kind: 'taken' }
  /** A fence without an outcome was taken over. */
  | { kind: 'interrupted' }
  /** `stopped`: nothing was sent meanwhile; `crowded`: other posts were. */
  | { kind: 'late'; why: 'stopped' | 'crowded' }
  /** The end of attempts has passed. */
  | { kind: 'over' }
  /** The rules are broken right before sending. */
  | { kind: 'rules-broken'; reason: Reason; message: string }
  /** There is no connection to send or to ask with. */
  | { kind: 'unconnected' }
  /** An error of ours, in beginning a turn or in a step. */
  | { kind: 'own-error' }
  /** A hold came before the fence. */
  | { kind: 'held' }
  /** The network has asked to wait with all posts of the identity or of the app. */
  | { kind: 'paused'; until: Date; message: string }

/** What is to be done now: a step, with the delivery as it is taken into it, or an event that needs no step. */
type Task =
  | { kind: 'step'; step: Step; delivery: Delivery }
  | { kind: 'event'; event: DeliveryEvent }
  /** Too late for what no network has seen; the caller finds out why and reports `late`. */
  | { kind: 'late' }

const isBeforeFence = ({ stage }: Delivery) => stage === 'PREPARING' || stage === 'READY'

/** What a turn at a delivery begins or goes on with. `nextAt` has come. */
export function taskOf(delivery: Delivery, policy: DeliveryPolicy, now: Date): Task {
  const event = (of: DeliveryEvent): Task => ({ kind: 'event', event: of })
  const step = (of: Step): Task => ({ kind: 'step', step: of, delivery })
  if (isBeforeFence(delivery)) {
    if (delivery.connection !== 'open') return event({ kind: 'unconnected' })
    if (isTooLate(delivery, policy, now)) return { kind: 'late' }
    if (now > lastStart({ delivery, policy })) return event({ kind: 'over' })
    if (delivery.pause && isPaused(delivery, now)) return event({ kind: 'paused', ...delivery.pause })
    return step(delivery.stage === 'PREPARING' ? 'prepare' : 'send')
  }
  if (delivery.stage === 'SENDING') return event({ kind: 'interrupted' })
  if (delivery.connection === 'gone') return event({ kind: 'unconnected' })
  if (delivery.stage === 'CONFIRMING') return step('confirm')
  if (delivery.stage === 'REPEATING') return step('send')
  return { kind: 'step', step: 'find', delivery: withoutMissedTime(delivery, now) }
}

/** The state machine of a delivery. Pure: what it asks for, the caller does. */
export function next(delivery: Delivery, event: DeliveryEvent, policy: DeliveryPolicy, now: Date): Decision {
  const at = { delivery, policy, now }
  switch (event.kind) {
    case 'prepared':
      return withPause(at, event.outcome, afterPrepare(at, event.outcome, event.refreshable))
    case 'fenced':
      return open(at, {
        ...FRESH,
        stage: 'SENDING',
        // What the call comes to says nothing of the one that it repeats.
        unknownSince: delivery.stage === 'REPEATING' ? delivery.unknownSince : null,
        fencedAt: now,
        firstFencedAt: delivery.firstFencedAt ?? now,
      })
    case 'sent':
      return withPause(at, event.outcome, afterCall(at, 'send', event.outcome, event.refreshable))
    case 'confirmed':
      return withPause(at, event.outcome, afterCall(at, 'confirm', event.outcome, event.refreshable))
    case 'looked-up':
      return afterLook(at, event)
    case 'refreshed':
    case 'connection-renewed':
      return sameAgain(at, event.of.step)
    case 'refresh-failed': {
      const { of, countsAsAttempt, message } = event
      if (of.step === 'find') return lookAgain(at, message, { answered: countsAsAttempt })
      return withoutToken(at, of, message, () => again(at, { ...retried(of.step, message), countsAsAttempt }))
    }
    case 'refresh-dead':
      return withoutToken(at, event.of, event.message, () => fail(at, 'ACCOUNT_CONNECTION_EXPIRED', event.message))
    case 'connection-closed':
      return fail(at, 'ACCOUNT_CONNECTION_EXPIRED', event.of.reconnect.message)
    case 'taken':
      return lookUp(at, takenMessage)
    case 'interrupted':
      return open(at, {
        ...FRESH,
        ...{ stage: 'LOOKING_UP', unknownSince: delivery.unknownSince ?? now, message: 'Sending was interrupted.' },
      })
    case 'late':
      return fail(at, 'UNKNOWN', event.why === 'stopped' ? lateMessage : crowdedMessage)
    case 'over':
      return afterItsTime(at)
    case 'rules-broken':
      return fail(at, event.reason, event.message)
    case 'unconnected':
      if (!isBeforeFence(delivery)) return unsure(at, delivery.message ?? 'The connection was removed.')
      return fail(
        at,
        'ACCOUNT_CONNECTION_EXPIRED',
        isPost(delivery) ? connectAgainMessage : 'The connection was removed.',
      )
    case 'own-error':
      return afterOwnError(at)
    case 'held':
      // Who knows whether the call may still be repeated after the release: what can be learnt meanwhile is learnt.
      if (delivery.stage === 'REPEATING') return lookAgain(at, delivery.message ?? 'Publishing was stopped.')
      return { kind: 'wait-for-release' }
    case 'paused':
      return waitIn(at, delivery.stage === 'READY' ? 'READY' : 'PREPARING', event.until, { message: event.message })
  }
}

/** Its time was over before an attempt began. */
function afterItsTime(at: At): Decision {
  const { delivery, policy, now } = at
  const { pause } = delivery
  const waited = Math.max(delivery.nextAt.getTime(), pause?.until.getTime() ?? 0)
  const stopped = now.getTime() - waited > policy.lateLimitMs
  return fail(
    at,
    'UNKNOWN',
    wordsOf(at, delivery.message ?? pause?.message ?? null, stopped ? () => lateMessage : waitedMessage),
  )
}

function afterPrepare(at: At, outcome: PartPrepareOutcome, refreshable: boolean): Decision {
  switch (outcome.kind) {
    case 'ready':
      return open(at, { stage: 'READY' })
    case 'found':
      return afterPublished(at, outcome)
    case 'waiting':
      return waitIn(at, 'PREPARING', notNow(outcome.askAgainAt, at.now))
    case 'retry':
      return tryAgain(at, outcome)
    case 'refused':
      return fail(at, outcome.reason, outcome.message)
    case 'reconnect':
      return afterRefusal(at, { step: 'prepare', reconnect: outcome }, refreshable)
  }
}

/** What the visible call came to, by its own answer or by what the network says of it later. */
function afterCall(at: At, step: 'send' | 'confirm', outcome: PublishOutcome, refreshable: boolean): Decision {
  switch (outcome.kind) {
    case 'published':
      return afterPublished(at, outcome)
    case 'accepted':
      return afterAccepted(at, outcome, step)
    case 'retry':
      return again(step === 'confirm' ? certain(at) : at, outcome)
    case 'refused':
      return fail(step === 'confirm' || outcome.ofBoth ? certain(at) : at, outcome.reason, outcome.message)
    case 'reconnect':
      return afterRefusal(at, { step, reconnect: outcome }, refreshable)
    case 'unknown':
      return lookUp(at, outcome.message)
  }
}

function afterAccepted(at: At, { askAgainAt }: Accepted, step: 'send' | 'confirm' | 'find'): Decision {
  const { delivery, now } = at
  if (!partOf(at).confirms) return afterPublished(at, { providerId: null, permalink: null })
  const working = 'The network is still working on it.'
  if (step !== 'send' && delivery.connection !== 'open') return unsure(at, working)
  // After the call itself it is asked once at the least.
  if (step === 'send') return open(at, { stage: 'CONFIRMING', nextAt: askAgainAt })
  if (askAgainAt > lastAsk(at)) return lookAgain(at, working)
  const lookups = step === 'find' ? delivery.lookups + 1 : delivery.lookups
  return open(at, { stage: 'CONFIRMING', nextAt: notNow(askAgainAt, now), lookups, missedLooks: 0 })
}

/** The part is live: the next one comes, or the result. */
const afterPublished = (at: At, { warnings = [], ...live }: Omit<Published, 'kind'>): Decision => {
  const { providerId, permalink, thread, inbox } = live
  const more = { ...(thread ? { thread } : {}), ...(inbox === undefined ? {} : { inbox }) }
  return endPart(at, { providerId, permalink, ...more, outcome: 'live' }, ...warnings)
}

/** The network may have done it: it is looked up, nothing is sent. */
function lookUp(at: At, message: string): Decision {
  const { delivery, now } = at
  if (delivery.unknownSince !== null) return lookAgain(at, message)
  const [first = 0] = partOf(at).lookupsMs
  const nextAt = new Date(now.getTime() + first)
  return open(at, { stage: 'LOOKING_UP', nextAt, unknownSince: now, message })
}

type LookedUp = Extract<DeliveryEvent, { kind: 'looked-up' }>

function afterLook(at: At, { outcome, refreshable, sinceCallMs, sinceFenceMs }: LookedUp): Decision {
  const { delivery, policy } = at
  // Until the call is over for certain, the network's word that it is not there, or at work, is of no worth.
  const mayGoOn = sinceCallMs < 0 && outcome.kind === 'accepted'
  if (mayGoOn) return lookBehindDelay(at, -sinceCallMs)
  switch (outcome.kind) {
    case 'found':
      return afterPublished(at, outcome)
    case 'accepted':
      return afterAccepted(at, outcome, 'find')
    case 'absent':
    case 'repeatable': {
      const proven = outcome.kind === 'absent' && outcome.byItself
      const earlyMs = (proven ? 0 : policy.listingDelayMs) - sinceCallMs
      if (earlyMs > 0) return lookBehindDelay(at, earlyMs)
      if (outcome.kind === 'repeatable') {
        // Its own time goes by the database's clock, which may have been set back.
        return sinceFenceMs !== null && sinceFenceMs < outcome.withinMs
          ? repeat(at, outcome.message)
          : lookAgain(at, outcome.message)
      }
      return tryAgain(certain(at), retried('prepare', delivery.message ?? 'The network did not take it.'))
    }
    case 'cannot-tell':
      return lookAgain(at, outcome.message, { answered: !outcome.unanswered })
    case 'reconnect':
      return afterRefusal(at, { step: 'find', reconnect: outcome }, refreshable)
  }
}

/** The same call at once, which the next turn may be too late for; else the next look tells more. */
function repeat(at: At, message: string): Decision {
  const { delivery, now } = at
  const attempts = delivery.attempts + 1
  const mayBeSent = delivery.connection === 'open' && now <= lastStart(at) && !isPaused(delivery, now)
  if (!mayBeSent || attempts >= partOf(at).maxAttempts) return lookAgain(at, message)
  return open(at, { stage: 'REPEATING', nextAt: now, attempts, message })
}

const isPaused = ({ pause }: Delivery, now: Date) => pause !== null && pause.until > now

/** Nothing is sent again of what may be live, whatever the last call came to: it is looked up. */
function again(at: At, retry: Retry): Decision {
  return at.delivery.unknownSince === null ? tryAgain(at, retry) : lookAgain(at, retry.message)
}

/**
 * The credentials were not accepted: one refresh, then the same step again; else the connection is dead. To a read that
 * says nothing, and in the visible step it may have come after the call.
 */
function afterRefusal(at: At, of: RefusedStep, refreshable: boolean): Decision {
  const { step, reconnect } = of
  if (step === 'send' && reconnect.byRead) return lookUp(at, reconnect.message)
  if (reconnect.mayRefresh && refreshable) return { kind: 'refresh', of }
  return withoutToken(at, of, reconnect.message, () => {
    if (reconnect.byRead) return again(at, retried(step, reconnect.message))
    return { kind: 'close-connection', of }
  })
}

/** The step cannot be made with these credentials. What the network may have done is looked up with any credentials. */
function withoutToken(at: At, { step, reconnect }: RefusedStep, message: string, otherwise: () => Decision): Decision {
  if (step === 'confirm') return lookUp(at, reconnect.message)
  if (step === 'find') return lookAgain(at, message)
  return otherwise()
}

function sameAgain(at: At, step: Step): Decision {
  if (step === 'send' && at.delivery.unknownSince !== null) return open(at, { stage: 'LOOKING_UP', nextAt: at.now })
  const stages = { prepare: 'PREPARING', send: 'READY', confirm: 'CONFIRMING', find: 'LOOKING_UP' } as const
  return open(at, { stage: stages[step] })
}

/** Before the fence nothing has happened for certain; behind it nothing is certain. */
function afterOwnError(at: At): Decision {
  const { stage } = at.delivery
  if (stage === 'PREPARING') return tryAgain(at, retried('prepare', ownErrorMessage), () => ownErrorMessage)
  if (stage === 'READY') return tryAgain(at, retried('send', ownErrorMessage), () => ownErrorMessage)
  if (stage === 'SENDING') return lookUp(at, ownErrorMessage)
  return lookAgain(at, ownErrorMessage)
}
