/** Times of alerting, all in milliseconds. */
export interface AlerterSettings {
  /** Pause between two looks for new alerts and for sends that are due. */
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
  /** The next mail to a person comes so long after the one before. */
  mailPauseMs: number
  /** Pauses before the second, third, … attempt of a send; the last one repeats. */
  retryPausesMs: readonly number[]
  /** Pauses of a whole channel after its first, second, … failure in a row; the last one repeats. */
  channelPausesMs: readonly number[]
  sweepMs: number
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

export const alerterDefaults: AlerterSettings = {
  tickMs: 10 * second,
  receiverLimitMs: 10 * second,
  mailLimitMs: 60 * second,
  receiverLeaseMs: minute,
  mailLeaseMs: 2 * minute,
  concurrency: 4,
  foldMs: minute,
  mailPauseMs: 15 * minute,
  retryPausesMs: [10 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour],
  channelPausesMs: [5 * second, 15 * second, minute, 5 * minute],
  sweepMs: hour,
}
