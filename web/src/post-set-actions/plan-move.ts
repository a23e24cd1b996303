import { t } from '@lingui/core/macro'
import type { PostSetSubject } from '../planning/posts/subject.ts'
import { type ClockTime, formatTime, shiftByDays, shiftTo, type TimePreferences, wallTime } from '../time/zones.ts'

/** Where a post set is wanted: another day at the same clock time, a clock time of a day, or so many days or minutes on. */
export type MoveTarget =
  | { to: 'day'; date: string }
  | { to: 'time'; date: string; minutes: number }
  | { to: 'days'; days: number }
  | { to: 'minutes'; minutes: number }
  | { to: 'instant'; instant: string }

/** The clock time that a target means in the set's zone. Everything but minutes keeps what the clock shows. */
export function resolveTarget(
  subject: Pick<PostSetSubject, 'scheduledAt'>,
  zone: string,
  target: MoveTarget,
): ClockTime {
  const { scheduledAt } = subject
  switch (target.to) {
    case 'day':
      return shiftTo(scheduledAt, zone, Temporal.PlainDate.from(target.date))
    case 'time': {
      const time = new Temporal.PlainTime(Math.floor(target.minutes / 60), target.minutes % 60)
      return shiftTo(scheduledAt, zone, Temporal.PlainDate.from(target.date), time)
    }
    case 'days':
      return shiftByDays(scheduledAt, zone, target.days)
    case 'minutes': {
      // A quarter of an hour is as long in the night when clocks change: nothing to ask.
      const at = Temporal.Instant.from(scheduledAt).add({ minutes: target.minutes })
      return { kind: 'exact', instant: at.toString({ fractionalSecondDigits: 3 }) }
    }
    case 'instant':
      return { kind: 'exact', instant: target.instant }
  }
}

/** The code of what the server would publish at once although that was not confirmed. */
export const PUBLISHES_AT_ONCE = 'post-set:publishes_at_once'

/** Whether a move leads nowhere: it is there already. */
export function staysPut(subject: Pick<PostSetSubject, 'scheduledAt'>, instant: string): boolean {
  return Temporal.Instant.from(subject.scheduledAt).equals(Temporal.Instant.from(instant))
}

/**
 * A scheduled set in the past is published at once: that is asked for. A draft just lies there. This goes by the clock
 * of the browser; the server goes by its own, and refuses what was not asked (`PUBLISHES_AT_ONCE`).
 */
export function publishesAtOnce(
  { status }: Pick<PostSetSubject, 'status'>,
  instant: string,
  now = Date.now(),
): boolean {
  return status === 'SCHEDULED' && Date.parse(instant) <= now
}

/** The two instants that a person chooses from, earlier first, with what each means. */
export function clockChoices(
  clock: Exclude<ClockTime, { kind: 'exact' }>,
  zone: string,
  preferences: TimePreferences,
): { instant: string; label: string }[] {
  const time = (instant: string) => formatTime(instant, zone, preferences)
  const offset = (instant: string) => `UTC${wallTime(instant, zone).offset}`
  if (clock.kind === 'gap') {
    return [clock.earlier, clock.later].map((instant) => ({ instant, label: `${time(instant)} (${offset(instant)})` }))
  }
  return [
    { instant: clock.first, label: t`First ${time(clock.first)} (${offset(clock.first)})` },
    { instant: clock.second, label: t`Second ${time(clock.second)} (${offset(clock.second)})` },
  ]
}
