import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/durations'
import type { FailingLimits } from '#persistence'

/** Times of the room, in milliseconds where nothing else is said. */
export interface WebhookSettings {
  /** Pause between two looks while anything waits; new events wake it. */
  tickMs: number
  /** The longest pause, while nothing is due before its end. */
  restMs: number
  /** Requests at once to endpoints that are well. */
  places: number
  /** And to those that fail. */
  failingPlaces: number
  /** A request that takes longer, with its answer, has failed. */
  limitMs: number
  /** After so long another process may take the lane of one that died. */
  leaseMs: number
  /** Before the second, third, … attempt of a send. After the last one it has failed. */
  sendPausesMs: readonly number[]
  /** Of a lane after its first, second, … failure in a row; the last one repeats. */
  lanePausesMs: readonly number[]
  /** Of a lane that is asked to go slower and not how much; and the longest that it is asked for. */
  slowMs: number
  slowestMs: number
  /** Pauses are longer by at most this part of them. */
  jitter: number
  /** An endpoint that was gone for longer gets at once what has failed meanwhile. */
  recoversMs: number
  failing: FailingLimits
  /** Bytes of an answer that are read. */
  answerBytes: number
  /** The pause of a lane after a fault of our own. */
  ownFaultMs: number
  /** Pause between two looks for loops that are over. */
  sweepMs: number
}

export const webhookDefaults: WebhookSettings = {
  tickMs: SECOND_MS,
  restMs: 5 * SECOND_MS,
  places: 150,
  failingPlaces: 50,
  limitMs: 15 * SECOND_MS,
  leaseMs: MINUTE_MS,
  sendPausesMs: [
    ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS],
    ...[10 * HOUR_MS, 14 * HOUR_MS, 20 * HOUR_MS, DAY_MS],
  ],
  lanePausesMs: [5 * SECOND_MS, SECOND_MS, 30 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS],
  slowMs: MINUTE_MS,
  slowestMs: HOUR_MS,
  jitter: 0.1,
  recoversMs: 5 * MINUTE_MS,
  failing: { days: 5, attempts: 20 },
  answerBytes: 1_024,
  ownFaultMs: 5 * MINUTE_MS,
  sweepMs: 30 * SECOND_MS,
}
