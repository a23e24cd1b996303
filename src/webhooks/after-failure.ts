import { pauseAfter } from '#domain'
import type { AfterFailure } from '#persistence'
import type { WebhookSettings } from './settings.ts'

/** Answers of what stands before an endpoint that is not there, or not yet again. */
const NOT_THERE = new Set([429, 502, 503, 504])
const TOO_MANY = 429
const GONE = 410

interface Failed {
  /** Of the send, this one not counted. */
  attempts: number
  /** Of the lane in a row, this one not counted. */
  failures: number
  /** Of the answer; null: there was none. */
  status: number | null
  /** What `Retry-After` says, in milliseconds. */
  retryAfterMs: number | null
}

type Pauses = Pick<WebhookSettings, 'sendPausesMs' | 'lanePausesMs' | 'slowMs' | 'slowestMs' | 'jitter'>

/**
 * When a send is tried again that has failed, and when its lane goes on. README.md has it as a table.
 *
 * @param chance from 0 to 1, of which pauses are longer
 */
export function afterFailure(
  { sendPausesMs, lanePausesMs, slowMs, slowestMs, jitter }: Pauses,
  { attempts, failures, status, retryAfterMs }: Failed,
  chance: number,
): AfterFailure {
  const longer = (milliseconds: number) => Math.round(milliseconds * (1 + jitter * chance))
  const nextPause = sendPausesMs[attempts]
  const isEventsFault = status !== null && !NOT_THERE.has(status)
  const lanePause = failures === 0 && isEventsFault ? 0 : pauseAfter(lanePausesMs, failures + 1)
  const asked = retryAfterMs ?? (status === TOO_MANY ? slowMs : 0)
  return {
    sendInMs: nextPause === undefined ? null : longer(nextPause),
    laneInMs: Math.max(longer(lanePause), Math.min(asked, slowestMs)),
    gone: status === GONE,
  }
}

/** Seconds or a date (RFC 9110, 10.2.3), as milliseconds from `now`; null for anything else. */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  const written = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(written)) return Number(written) * 1_000
  const at = /^[A-Z][a-z]{2}, /.test(written) ? Date.parse(written) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
