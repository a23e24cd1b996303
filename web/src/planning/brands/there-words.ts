import { t } from '@lingui/core/macro'
import { brandClock } from './brand-days.ts'

/** "Tokyo": what a zone is called after. */
export const cityOf = (zone: string) => zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone

/** "06:04 in New York" */
export const thereWords = ({ time, city }: { time: string; city: string }) => t`${time} in ${city}`

/** A time by the clock of a brand, with its city where that is not the time of the viewer. */
export function timeThere(time: string, instant: string, clocks: { brand: string; viewer: string }): string {
  return brandClock(instant, clocks) === null ? time : thereWords({ time, city: cityOf(clocks.brand) })
}
