import { WEEK_MS } from '#contract/durations'
import { type ClockTime, shiftByDays } from '../time/zones.ts'

/**
 * The same clock time on the same day of a later week: of the next one, or the first that is not over. Where clocks skip
 * the time it is as much later, where they show it twice it is the first.
 */
export function weekLater(instant: string, zone: string, now: number = Date.now()): string {
  const over = Math.max(0, Math.floor((now - Date.parse(instant)) / WEEK_MS))
  for (let weeks = over + 1; ; weeks++) {
    const at = settled(shiftByDays(instant, zone, 7 * weeks))
    if (Date.parse(at) > now) return at
  }
}

function settled(clock: ClockTime): string {
  return clock.kind === 'exact' ? clock.instant : clock.kind === 'gap' ? clock.later : clock.first
}
