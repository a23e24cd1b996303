import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/durations'

/** Times of the newsroom, all in milliseconds. */
export interface NewsSettings {
  /** Pause between two looks for news and for sends that are due. */
  tickMs: number
  /** A request to the receiver that takes longer is broken off. */
  receiverLimitMs: number
  /** A mail that takes longer counts as not sent. */
  mailLimitMs: number
  /** After so long another worker may send what this one has taken; longer than the limits above. */
  receiverLeaseMs: number
  mailLeaseMs: number
  /** Requests to the receiver at once. */
  concurrency: number
  /** A mail waits so long for others to go along. */
  foldMs: number
  /** The next mail to a person about the same cause comes so long after the one before. */
  mailPauseMs: number
  /** Pauses before the second, third, … attempt of a send; the last one repeats. */
  retryPausesMs: readonly number[]
  /** A mail that the server refuses for good is tried so often, as the refusal may be a wrong setting. */
  refusals: number
  /** Pauses of a whole channel after its first, second, … failure in a row; the last one repeats. */
  channelPausesMs: readonly number[]
  /** Pause between two looks at what happens by itself as time goes on. */
  watchMs: number
  sweepMs: number
}

export const newsDefaults: NewsSettings = {
  tickMs: 2 * SECOND_MS,
  receiverLimitMs: 10 * SECOND_MS,
  mailLimitMs: 60 * SECOND_MS,
  receiverLeaseMs: MINUTE_MS,
  mailLeaseMs: 2 * MINUTE_MS,
  concurrency: 4,
  foldMs: MINUTE_MS,
  mailPauseMs: HOUR_MS,
  retryPausesMs: [10 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS],
  refusals: 6,
  channelPausesMs: [5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS],
  watchMs: 5 * MINUTE_MS,
  sweepMs: HOUR_MS,
}
