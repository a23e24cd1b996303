import type { PublisherSettings } from './settings.ts'

/**
 * When the next attempt may start after `attempts` that counted; null when they are used up.
 * `attempts` is 1 after the first failure.
 */
export function nextAttemptAt(
  settings: Pick<PublisherSettings, 'retryPausesMs' | 'maxAttempts'>,
  attempts: number,
  now: Date,
): Date | null {
  if (attempts >= settings.maxAttempts) return null
  const pauses = settings.retryPausesMs
  const pause = pauses[Math.min(attempts, pauses.length) - 1] ?? 0
  return new Date(now.getTime() + pause)
}

/**
 * When an unknown outcome is looked up next. `lookups` is how many times it was; null when the schedule is over.
 * Never before `now`: a lookup that was missed is made at once.
 */
export function nextLookupAt(schedule: readonly number[], lookups: number, unknownSince: Date, now: Date): Date | null {
  const offset = schedule[lookups]
  if (offset === undefined) return null
  return new Date(Math.max(unknownSince.getTime() + offset, now.getTime()))
}
