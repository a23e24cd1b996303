const second = 1_000
const minute = 60 * second
const hour = 60 * minute

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
  lateLimitMs: 6 * hour,
  giveUpAfterMs: 24 * hour,
  retryPausesMs: [5 * second, 20 * second, 80 * second, 5 * minute, 15 * minute],
  maxAttempts: 10,
  lookupsMs: [second, 5 * second, 15 * second, 30 * second, minute, 5 * minute, 15 * minute, hour, 6 * hour],
  followUpLookupsMs: [second, 5 * second, 15 * second, 30 * second, minute, 2 * minute],
  followUpWaitMs: 15 * minute,
}

/** What one part of a delivery may do. Part 0 is the post; the others come when it is live. */
export interface PartPolicy {
  /** For people, in a warning: `first comment`. */
  title: string
  /** Whether it has steps before and after its visible call. Without `confirms`, what the network accepts is made. */
  prepares: boolean
  confirms: boolean
  maxAttempts: number
  lookupsMs: readonly number[]
  /** Longest wait between two attempts, and for an answer to looks; null: until the post is given up. */
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

/** Attempts at a first comment: the result of the post waits for it. */
const FOLLOW_UP_ATTEMPTS = 3

/**
 * The policy of one delivery.
 *
 * @param followUp what people call the second part; null when the post wants none
 */
export function deliveryPolicy(
  settings: DeliverySettings,
  { listingDelayMs, followUp }: { listingDelayMs: number; followUp: string | null },
): DeliveryPolicy {
  const post: PartPolicy = {
    title: 'post',
    prepares: true,
    confirms: true,
    maxAttempts: settings.maxAttempts,
    lookupsMs: settings.lookupsMs,
    waitMs: null,
  }
  const second: PartPolicy = {
    title: followUp ?? '',
    prepares: false,
    confirms: false,
    maxAttempts: FOLLOW_UP_ATTEMPTS,
    lookupsMs: settings.followUpLookupsMs,
    waitMs: settings.followUpWaitMs,
  }
  const { retryPausesMs, lateLimitMs, giveUpAfterMs } = settings
  return {
    retryPausesMs,
    lateLimitMs,
    giveUpAfterMs,
    listingDelayMs,
    parts: followUp === null ? [post] : [post, second],
  }
}
