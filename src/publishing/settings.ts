import { MINUTE_MS, SECOND_MS } from '#contract/durations'
import { type ClockRules, clockRules, type DeliverySettings, deliveryDefaults } from '#domain'

/** Times of the publisher, all in milliseconds; those of single deliveries are the domain's. */
export interface PublisherSettings extends DeliverySettings {
  /** Length of a delivery's lease. The visible call may take this long less a margin. */
  leaseMs: number
  /** Pause between two looks at the calendar. */
  tickMs: number
  /** Deliveries that one worker has under way at once. They mostly wait for a network. */
  slots: number
  /** Those of them that every network keeps for itself: one that hangs must not keep the others waiting. */
  slotsPerNetwork: number
  /** Percent of a network's slots that one account has before those of others go first. */
  sharePerAccount: number
  /** Deliveries of one connection that are under way or next at once, over all workers. */
  perConnection: number
  /** Posts that wait for one connection, claimed; those that are late count apart. What goes to it alone can still be edited. */
  claimedPerConnection: number
  /** Replaces the listing delay of every network; for tests. */
  listingDelayMs: number | null
  /** Longest time that one invisible step may take. */
  stepLimitMs: number
  /** Tokens that expire within this time are refreshed before they are used. */
  refreshAheadMs: number
  /** How the clock of the database is compared. */
  clock: ClockRules
  /** Pause between two looks for credentials that would lapse although nothing is published. */
  renewTickMs: number
  /** Pause between two looks for posts that are live and wait for an address or a cover. */
  permalinkTickMs: number
}

export const publisherDefaults: PublisherSettings = {
  ...deliveryDefaults,
  leaseMs: 40 * SECOND_MS,
  tickMs: SECOND_MS,
  slots: 200,
  slotsPerNetwork: 10,
  sharePerAccount: 25,
  perConnection: 2,
  claimedPerConnection: 100,
  listingDelayMs: null,
  stepLimitMs: 10 * MINUTE_MS,
  refreshAheadMs: 5 * MINUTE_MS,
  clock: clockRules,
  renewTickMs: 15 * MINUTE_MS,
  permalinkTickMs: 15 * SECOND_MS,
}

/** How much longer than its length the row of a lease stays the same before it is taken over: clocks do not run equally fast. */
export const takeoverMarginMs = (leaseMs: number): number => Math.min(3_000, leaseMs / 5)

/** How the lease is divided for a visible call: fresh within `verifyMs`, over within `leaseMs - marginMs`. */
export function visibleCallTimes(leaseMs: number): { verifyMs: number; limitMs: number } {
  return { verifyMs: Math.min(2_000, leaseMs / 4), limitMs: leaseMs - Math.min(2_000, leaseMs / 5) }
}
