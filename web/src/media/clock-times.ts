import { type ClockTime, shiftByDays } from '../time/zones.ts'

/** The same clock time on days that are so many apart. Where clocks skip it, it is as much later; where they show it twice, the first. */
export function clockTimes(at: string, zone: string, { days, number }: { days: number; number: number }): string[] {
  return Array.from({ length: number }, (_, index) => settled(shiftByDays(at, zone, index * days)))
}

function settled(clock: ClockTime): string {
  return clock.kind === 'exact' ? clock.instant : clock.kind === 'gap' ? clock.later : clock.first
}
