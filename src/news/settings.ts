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

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

export const newsDefaults: NewsSettings = {
  tickMs: 2 * second,
  receiverLimitMs: 10 * second,
  mailLimitMs: 60 * second,
  receiverLeaseMs: minute,
  mailLeaseMs: 2 * minute,
  concurrency: 4,
  foldMs: minute,
  mailPauseMs: hour,
  retryPausesMs: [10 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour],
  refusals: 6,
  channelPausesMs: [5 * second, 15 * second, minute, 5 * minute],
  watchMs: 5 * minute,
  sweepMs: hour,
}
