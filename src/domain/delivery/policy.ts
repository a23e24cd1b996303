import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/durations'

/** Times and counts of deliveries, all times in milliseconds. */
export interface DeliverySettings {
  /** A post that no network has seen is not sent when it is later than this. */
  lateLimitMs: number
  /** Attempts and waits of a post end this long after its time. */
  giveUpAfterMs: number
  /** Pauses before the second, third, … attempt; the last one repeats. Also after looks that got no answer. */
  retryPausesMs: readonly number[]
  /** Attempts that count before a post is given up. */
  maxAttempts: number
  /** When an unknown outcome is looked up, counted from the moment it became unknown. */
  lookupsMs: readonly number[]
  /** The same for a first comment: the post is live, so it is not worth a long wait. */
  followUpLookupsMs: readonly number[]
  /** The result of a live post is not held back for longer than this by a network that asks to wait with the rest. */
  followUpWaitMs: number
}

export const deliveryDefaults: DeliverySettings = {
  lateLimitMs: 6 * HOUR_MS,
  giveUpAfterMs: DAY_MS,
  retryPausesMs: [5 * SECOND_MS, 20 * SECOND_MS, 80 * SECOND_MS, 5 * MINUTE_MS, 15 * MINUTE_MS],
  maxAttempts: 10,
  lookupsMs: [
    SECOND_MS,
    5 * SECOND_MS,
    15 * SECOND_MS,
    30 * SECOND_MS,
    MINUTE_MS,
    5 * MINUTE_MS,
    15 * MINUTE_MS,
    HOUR_MS,
    6 * HOUR_MS,
  ],
  followUpLookupsMs: [SECOND_MS, 5 * SECOND_MS, 15 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS],
  followUpWaitMs: 15 * MINUTE_MS,
}

/** What a network says of a part behind the post. Limits in milliseconds; null: until the post is given up. */
export interface PartRules {
  /** For people, in a warning: `first comment`. */
  title: string
  /** Whether it has steps before and after its visible call. Without `confirms`, what the network accepts is made. */
  prepares: boolean
  confirms: boolean
  /** Whose id it cannot be made without: that of the post, or of the part right before it. */
  needs: 'post' | 'previous' | null
  /** Nothing is sent behind it unless it is live for certain. */
  stopsRest: boolean
  /** It is one of the further parts of the post. */
  ofThread?: true
  /** It is one of the further stories of the post. */
  ofStories?: true
  /** Its visible call begins at most so long behind the end of the part before. */
  startsWithinMs: number | null
  /** It has ended so long behind the end of the post. */
  endsWithinMs: number | null
}

/** A part that has nothing but its call and looks, and of which nothing depends. */
export const followUpRules = (title: string): PartRules => ({
  ...{ title, prepares: false, confirms: false, needs: 'post', stopsRest: false },
  ...{ startsWithinMs: null, endsWithinMs: null },
})

/** What one part of a delivery may do. Part 0 is the post; each of the others comes when the one before has ended. */
export interface PartPolicy extends PartRules {
  maxAttempts: number
  lookupsMs: readonly number[]
  /** Longest wait between two attempts, and for an answer to looks; null: its other limits alone. */
  waitMs: number | null
}

export interface DeliveryPolicy {
  retryPausesMs: readonly number[]
  lateLimitMs: number
  giveUpAfterMs: number
  /** The network's silence about a part is proof so long after its fence. */
  listingDelayMs: number
  parts: readonly [PartPolicy, ...PartPolicy[]]
}

/** Attempts at what nothing depends on: the result of the post waits for it. */
const FOLLOW_UP_ATTEMPTS = 3

/**
 * The policy of one delivery.
 *
 * @param parts what is made behind the post, in order
 */
export function deliveryPolicy(
  settings: DeliverySettings,
  { listingDelayMs, parts }: { listingDelayMs: number; parts: readonly PartRules[] },
): DeliveryPolicy {
  const { retryPausesMs, lateLimitMs, giveUpAfterMs, maxAttempts, lookupsMs } = settings
  const asLong = { maxAttempts, lookupsMs, waitMs: null }
  const brief = {
    maxAttempts: FOLLOW_UP_ATTEMPTS,
    lookupsMs: settings.followUpLookupsMs,
    waitMs: settings.followUpWaitMs,
  }
  const behind = parts.map((rules) => ({ ...rules, ...(rules.stopsRest ? asLong : brief) }))
  return { retryPausesMs, lateLimitMs, giveUpAfterMs, listingDelayMs, parts: [{ ...POST, ...asLong }, ...behind] }
}

const POST: PartRules = {
  ...{ title: 'post', prepares: true, confirms: true, needs: null, stopsRest: true },
  ...{ startsWithinMs: null, endsWithinMs: null },
}
