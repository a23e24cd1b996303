import type { PostResult, Reason } from '#contract'
import { pauseAfter } from '../pauses.ts'
import { type Delivery, type EndedPart, isPost } from './delivery.ts'
import type { PauseScope, Reconnect, Retry } from './outcomes.ts'
import type { DeliveryPolicy, PartPolicy } from './policy.ts'
import {
  failed,
  followUpWarning,
  mayBeLiveMessage,
  posted,
  stoppedMessage,
  unnamedMessage,
  usedUpMessage,
  type Warning,
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
  /**
   * `mayBeLive`: it failed, and the network may have taken it all the same. `parts`: what came of each, where there were several.
   * `inbox`: it waits in the account's inbox, under this id.
   */
  | {
      kind: 'result'
      result: PostResult
      pause?: Pause
      mayBeLive?: true
      parts?: readonly EndedPart[]
      inbox?: string
    }
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
  const number = delivery.ended.length
  const part = policy.parts[number]
  if (!part) throw new Error(`A delivery is at part ${number}, which its policy does not know.`)
  return part
}

/**
 * The end of what is not there. Of the post this is the result; of a part behind it, a warning. What waits to be repeated may be
 * there all the same, and ends so.
 */
export function fail(at: At, reason: Reason, message: string): Decision {
  return at.delivery.unknownSince === null ? end(at, reason, message) : unsure(at, message)
}

/** Nothing more can be learned of a part that may be live. */
export function unsure(at: At, message: string): Decision {
  if (isPost(at.delivery)) return { kind: 'result', result: failed('UNKNOWN', mayBeLiveMessage), mayBeLive: true }
  return endPart(at, { ...NAMELESS, outcome: 'unsure' }, missing(at, `It may be there all the same: ${message}`))
}

function end(at: At, reason: Reason, message: string): Decision {
  if (isPost(at.delivery)) return { kind: 'result', result: failed(reason, message) }
  return endPart(at, { ...NAMELESS, outcome: 'absent' }, missing(at, message))
}

const NAMELESS = { providerId: null, permalink: null } as const

/** The warning that the present part is missing. */
function missing(at: At, message: string): Warning {
  const { title, stopsRest } = partOf(at)
  const isLast = at.delivery.ended.length + 1 === at.policy.parts.length
  return followUpWarning(title, stopsRest && !isLast ? `${message} ${stoppedMessage}` : message)
}

/** What a part begins with. */
export const FRESH = { lookups: 0, missedLooks: 0, unknownSince: null } as const

/**
 * The present part has ended: the next one comes, or the result. The post is live, or this is not asked. What needs an id that is
 * not known is not made.
 */
export function endPart(at: At, came: Omit<EndedPart, 'endedAt'>, ...warnings: Warning[]): Decision {
  const { delivery, policy, now } = at
  const { ofThread, ofStories } = partOf(at)
  const of = { ...(ofThread ? { ofThread } : {}), ...(ofStories ? { ofStories } : {}) }
  const ended = [...delivery.ended, { ...came, ...of, endedAt: now }]
  const behind = { ...at, delivery: { ...delivery, ended, warnings: [...delivery.warnings, ...warnings] } }
  const stops = came.outcome !== 'live' && partOf(at).stopsRest
  const following = stops ? undefined : policy.parts[ended.length]
  if (!following) return ofPost(behind)
  const needed = following.needs === null ? null : following.needs === 'post' ? ended[0] : came
  if (needed?.providerId === null) return end(behind, 'UNKNOWN', unnamedMessage(following.needs === 'post'))
  const stage = following.prepares ? 'PREPARING' : 'READY'
  return open(behind, { ...FRESH, stage, attempts: 0, firstFencedAt: null, fencedAt: null, message: null })
}

function ofPost({ delivery: { ended, warnings } }: At): Decision {
  const [post, ...others] = ended
  if (!post) throw new Error('A delivery ended behind its post, of which nothing is known.')
  const result = posted([post, ...others], warnings)
  const inbox = post.inbox === undefined ? {} : { inbox: post.inbox }
  return { kind: 'result', result, ...(ended.length > 1 ? { parts: ended } : {}), ...inbox }
}

/** When the visible call of the present part begins at the latest. */
export function lastStart(at: Pick<At, 'delivery' | 'policy'>): Date {
  const part = at.policy.parts[at.delivery.ended.length]
  const before = at.delivery.ended.at(-1)
  const within = part?.startsWithinMs ?? null
  const begins = before && within !== null ? [countedFrom(at.delivery, before) + within] : []
  return new Date(Math.min(lastAsk(at).getTime(), ...begins))
}

/** Until when the present part is tried and asked about, as far as there are no looks. */
export function lastAsk({ delivery, policy }: Pick<At, 'delivery' | 'policy'>): Date {
  return new Date(Math.min(delivery.givesUpAt.getTime(), endOf({ delivery, policy })))
}

/** When the present part has ended at the latest, by its own rules. */
export function endOf({ delivery, policy }: Pick<At, 'delivery' | 'policy'>): number {
  const withinMs = policy.parts[delivery.ended.length]?.endsWithinMs ?? Number.POSITIVE_INFINITY
  return countedFrom(delivery, delivery.ended[0]) + withinMs
}

/** What is continued has its time from then on. */
const countedFrom = ({ continuedAt }: Delivery, part: EndedPart | undefined): number =>
  Math.max(part?.endedAt.getTime() ?? 0, continuedAt?.getTime() ?? 0)

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

/** Passes on a wait that the network asked for, even when it does not matter for this part: the next one waits, too. */
export function withPause({ now }: At, outcome: { kind: string } | Retry, decision: Decision): Decision {
  if (!('notBefore' in outcome) || outcome.notBefore === null || !outcome.scope) return decision
  if (decision.kind !== 'open' && decision.kind !== 'result') return decision
  const { scope, message, notBefore } = outcome
  const until = notNow(notBefore, now)
  const pause = { scope, until, message }
  if (decision.kind === 'result') return { ...decision, pause }
  const { delivery } = decision
  const isLonger = delivery.pause === null || delivery.pause.until < until
  return { ...decision, pause, delivery: isLonger ? { ...delivery, pause: { until, message } } : delivery }
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
  const last = new Date(Math.min(lastStart(at).getTime(), now.getTime() + (waitMs ?? Number.POSITIVE_INFINITY)))
  if (until > last) return fail(at, 'UNKNOWN', wordsOf(at, more.message ?? delivery.message, words))
  return open(at, { ...more, stage, nextAt: until })
}

/** Of a follow-up the last message alone: the warning says the rest. */
export const wordsOf = ({ delivery }: At, last: string | null, words: (last: string) => string) =>
  isPost(delivery) ? words(last ?? '') : (last ?? 'There was no time left for it.')
