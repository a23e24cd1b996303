/** Times of the publisher, all in milliseconds. */
export interface PublisherSettings {
  /** Length of a delivery's lease. The visible call may take this long less a margin. */
  leaseMs: number
  /** Pause between two looks at the calendar. */
  tickMs: number
  /** A set that is claimed later than this is not sent. */
  lateLimitMs: number
  /** Deliveries that one worker has under way at once. They mostly wait for a network. */
  slots: number
  /** Those of them that every network keeps for itself: one that hangs must not keep the others waiting. */
  slotsPerNetwork: number
  /** Deliveries of one connection that are under way or next at once, over all workers. */
  perConnection: number
  /** Sets of one account that are claimed and not begun; those that are late count apart. The rest can still be edited. */
  claimedPerAccount: number
  /** Retries and waits of a post end this long after its time. */
  giveUpAfterMs: number
  /** Pauses before the second, third, … attempt; the last one repeats. */
  retryPausesMs: readonly number[]
  /** Attempts that count before a post is given up. */
  maxAttempts: number
  /** When an unknown outcome is looked up, counted from the moment it became unknown. */
  lookupsMs: readonly number[]
  /** The same for a first comment: the post is live, so it is not worth a long wait. */
  followUpLookupsMs: readonly number[]
  /** The result of a live post is not held back for longer than this by a network that asks to wait with the rest. */
  followUpWaitMs: number
  /** Replaces the listing delay of every network; for tests. */
  listingDelayMs: number | null
  /** Longest time that one invisible step may take. */
  stepLimitMs: number
  /** Tokens that expire within this time are refreshed before they are used. */
  refreshAheadMs: number
  /** Pause between two looks for credentials that would lapse although nobody publishes. */
  renewTickMs: number
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

export const publisherDefaults: PublisherSettings = {
  leaseMs: 40 * second,
  tickMs: second,
  lateLimitMs: 6 * hour,
  slots: 200,
  slotsPerNetwork: 10,
  perConnection: 2,
  claimedPerAccount: 200,
  giveUpAfterMs: 24 * hour,
  retryPausesMs: [5 * second, 20 * second, 80 * second, 5 * minute, 15 * minute],
  maxAttempts: 10,
  lookupsMs: [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 6 * hour],
  followUpLookupsMs: [5 * second, 30 * second, 2 * minute],
  followUpWaitMs: 15 * minute,
  listingDelayMs: null,
  stepLimitMs: 10 * minute,
  refreshAheadMs: 5 * minute,
  renewTickMs: 15 * minute,
}

/** How the lease is divided for a visible call: fresh within `verifyMs`, over within `leaseMs - marginMs`. */
export function visibleCallTimes(leaseMs: number): { verifyMs: number; limitMs: number } {
  return { verifyMs: Math.min(2_000, leaseMs / 4), limitMs: leaseMs - Math.min(2_000, leaseMs / 5) }
}
