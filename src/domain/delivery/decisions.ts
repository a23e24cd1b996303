import type { PostResult, Reason } from '#contract'
import { pauseAfter } from '../pauses.ts'
import type { Delivery } from './delivery.ts'
import type { PauseScope, Reconnect, Retry } from './outcomes.ts'
import type { DeliveryPolicy, PartPolicy } from './policy.ts'
import {
  failed,
  followUpWarning,
  type Live,
  mayBeLiveMessage,
  posted,
  usedUpMessage,
  waitedMessage,
} from './results.ts'

/** What a connector is asked for. `send` is the one visible call of a part. */
export type Step = 'prepare' | 'send' | 'confirm' | 'find'

/** A step whose credentials were refused. */
export interface RefusedStep {
  step: Step
  reconnect: Reconnect
}

/** What an event leads to. */
export type Decision =
  /** It stays open, changed. It may go on when `nextAt` has come. */
  | { kind: 'open'; delivery: Delivery; pause?: Pause }
  /** `mayBeLive`: it failed, and the network may have taken it all the same. */
  | { kind: 'result'; result: PostResult; pause?: Pause; mayBeLive?: true }
  /** Demands: the caller does them, and reports how that went as the next event. */
  | { kind: 'refresh'; of: RefusedStep }
  | { kind: 'close-connection'; of: RefusedStep }
  /** Nothing changes; the lease is given back until the release. */
  | { kind: 'wait-for-release' }

/** Others wait too: the network has said so. */
export interface Pause {
  scope: PauseScope
  until: Date
  message: string
}

/** A delivery at a moment, with what may be done with it. */
export interface At {
  delivery: Delivery
  policy: DeliveryPolicy
  now: Date
}

/** Stays open. Without `nextAt` it goes on at once. */
export function open({ delivery, now }: At, change: Partial<Delivery>): Decision {
  return { kind: 'open', delivery: { ...delivery, touched: true, nextAt: now, ...change } }
}

export function partOf({ policy, delivery }: At): PartPolicy {
  const part = policy.parts[delivery.part]
  if (!part) throw new Error(`A delivery is at part ${delivery.part}, which its policy does not know.`)
  return part
}

/**
 * The end of what is not there. Of the post this is the result; of what follows it, a warning. What waits to be repeated may be
 * there all the same, and ends so.
 */
export function fail(at: At, reason: Reason, message: string): Decision {
  return at.delivery.unknownSince === null ? end(at, reason, message) : unsure(at, message)
}

/** Nothing more can be learned of a part that may be live. */
export function unsure(at: At, message: string): Decision {
  if (at.delivery.part > 0) return end(at, 'UNKNOWN', `It may be there all the same: ${message}`)
  return { kind: 'result', result: failed('UNKNOWN', mayBeLiveMessage), mayBeLive: true }
}

function end(at: At, reason: Reason, message: string): Decision {
  const { delivery } = at
  if (delivery.part === 0 || !delivery.live) return { kind: 'result', result: failed(reason, message) }
  return postedWith(at, delivery.live, followUpWarning(partOf(at).title, message))
}

/** The post is live, with these warnings beside those that it has. */
export function postedWith({ delivery }: At, live: Live, ...warnings: Delivery['warnings']): Decision {
  return { kind: 'result', result: posted(live, [...delivery.warnings, ...warnings]) }
}

/** A retry that counts, when the policy says. */
export const retried = (step: Step, message: string): Retry => ({
  kind: 'retry',
  notBefore: null,
  from: step === 'prepare' ? 'prepare' : 'publish',
  countsAsAttempt: true,
  message,
})

/** The network has said that the part is not there: nothing is unknown any more. */
export const certain = (at: At): At => ({ ...at, delivery: { ...at.delivery, unknownSince: null } })

/** Nothing happened, or a repeat does no harm: again, at the network's time or by the policy. */
export function tryAgain(at: At, retry: Retry, usedUp: (last: string) => string = usedUpMessage): Decision {
  const { delivery, policy, now } = at
  const part = partOf(at)
  const attempts = delivery.attempts + (retry.countsAsAttempt ? 1 : 0)
  if (attempts >= part.maxAttempts) return fail(at, 'UNKNOWN', wordsOf(at, retry.message, usedUp))
  const stage = retry.from === 'prepare' && part.prepares ? 'PREPARING' : 'READY'
  const more = { attempts, message: retry.message }
  if (retry.notBefore !== null) return waitIn(at, stage, notNow(retry.notBefore, now), more)
  return waitIn(at, stage, new Date(now.getTime() + pauseAfter(policy.retryPausesMs, attempts)), more, usedUp)
}

/** Passes on a wait that the network asked for, even when it does not matter for this delivery. */
export function withPause({ now }: At, outcome: { kind: string } | Retry, decision: Decision): Decision {
  if (!('notBefore' in outcome) || outcome.notBefore === null || !outcome.scope) return decision
  if (decision.kind !== 'open' && decision.kind !== 'result') return decision
  const { scope, message, notBefore } = outcome
  return { ...decision, pause: { scope, until: notNow(notBefore, now), message } }
}

/** A network that asks to wait for no time at all is asked again after this. */
const SHORTEST_WAIT_MS = 1_000

/** A time that a network named, never now: nothing is asked in a circle. */
export const notNow = (until: Date, now: Date) => new Date(Math.max(until.getTime(), now.getTime() + SHORTEST_WAIT_MS))

/** Waits in a stage before the fence; ends when that is too late for the part. */
export function waitIn(
  at: At,
  stage: 'PREPARING' | 'READY',
  until: Date,
  more: Partial<Delivery> = {},
  words: (last: string) => string = waitedMessage,
): Decision {
  const { delivery, now } = at
  const { waitMs } = partOf(at)
  const last =
    waitMs === null ? delivery.givesUpAt : new Date(Math.min(delivery.givesUpAt.getTime(), now.getTime() + waitMs))
  if (until > last) return fail(at, 'UNKNOWN', wordsOf(at, more.message ?? delivery.message, words))
  return open(at, { ...more, stage, nextAt: until })
}

/** Of a follow-up the last message alone: the warning says the rest. */
export const wordsOf = ({ delivery }: At, last: string | null, words: (last: string) => string) =>
  delivery.part === 0 ? words(last ?? '') : (last ?? 'There was no time left for it.')
