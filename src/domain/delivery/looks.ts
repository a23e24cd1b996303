import { pauseAfter } from '../pauses.ts'
import { type At, type Decision, endOf, open, partOf, unsure } from './decisions.ts'
import { type Delivery, isPost } from './delivery.ts'
import type { DeliveryPolicy } from './policy.ts'

/** A look that begins so much later than it was due was missed: Almanac did not run, or had no room. */
const MISSED_MS = 60_000

/**
 * Whether a post that never had a fence is too late to be sent. What waited in between, or was paused, is late
 * from that wait's end on.
 */
export function isTooLate(delivery: Delivery, policy: DeliveryPolicy, now: Date): boolean {
  if (!isPost(delivery) || delivery.firstFencedAt !== null) return false
  const due = delivery.givesUpAt.getTime() - policy.giveUpAfterMs
  const from = delivery.touched ? Math.max(due, delivery.nextAt.getTime()) : due
  return now.getTime() - Math.max(from, delivery.pause?.until.getTime() ?? 0) > policy.lateLimitMs
}

/** The same delivery, whose time without looks does not count toward the end of looks. */
export function withoutMissedTime(delivery: Delivery, now: Date): Delivery {
  const missedMs = now.getTime() - delivery.nextAt.getTime()
  if (missedMs < MISSED_MS || delivery.unknownSince === null) return delivery
  return { ...delivery, nextAt: now, unknownSince: new Date(delivery.unknownSince.getTime() + missedMs) }
}

/**
 * Looks again after a look that proved nothing, as long as that is worth it. One that the network answered counts, and the
 * pause to the next is that of the schedule, so missed looks are made up for by one. One without an answer is made again
 * with the pauses of retries.
 */
export function lookAgain(at: At, message: string, { answered } = { answered: true }): Decision {
  const { delivery, policy, now } = at
  const { lookupsMs } = partOf(at)
  const unknownSince = delivery.unknownSince ?? now
  const over = lastLookAt(at, unknownSince)
  if (now >= over) return unsure(at, message)
  const change = { stage: 'LOOKING_UP', unknownSince, message } as const
  if (!answered) {
    const missedLooks = delivery.missedLooks + 1
    const nextAt = new Date(now.getTime() + pauseAfter(policy.retryPausesMs, missedLooks))
    return open(at, { ...change, missedLooks, nextAt: earlier(nextAt, over) })
  }
  const lookups = Math.max(delivery.lookups, 0) + 1
  const offset = lookupsMs[lookups]
  // What a person has taken away is asked about once.
  if (offset === undefined || delivery.connection !== 'open') return unsure(at, message)
  const nextAt = new Date(now.getTime() + offset - (lookupsMs[lookups - 1] ?? 0))
  return open(at, { ...change, lookups, missedLooks: 0, nextAt: earlier(nextAt, over) })
}

/** Silence is no proof before the network's listing delay is over: looks again then, which counts as no look. */
export function lookBehindDelay(at: At, earlyMs: number): Decision {
  const { delivery, now } = at
  const unknownSince = delivery.unknownSince ?? now
  const over = lastLookAt(at, unknownSince)
  if (now >= over) return unsure(at, delivery.message ?? 'The network did not list it yet.')
  const nextAt = earlier(new Date(now.getTime() + earlyMs), over)
  return open(at, { stage: 'LOOKING_UP', unknownSince, missedLooks: 0, nextAt })
}

/** The schedule's end; that of the post, when it is later; never behind the part's own. */
function lastLookAt(at: At, unknownSince: Date): Date {
  const { lookupsMs, waitMs } = partOf(at)
  const scheduled = Math.max(unknownSince.getTime() + (lookupsMs.at(-1) ?? 0), at.delivery.givesUpAt.getTime())
  return new Date(Math.min(waitMs === null ? scheduled : unknownSince.getTime() + waitMs, endOf(at)))
}

const earlier = (one: Date, other: Date) => (one < other ? one : other)
