import { DAY_MS } from '#contract/durations'
import type { Manifest } from '#networks'
import { variableOf } from './installation.ts'

/** So long before the end of a version people are reported. */
const AHEAD_DAYS = 60

interface EndingVersion {
  message: string
  /** True when the network does not answer to it any more. */
  ended: boolean
}

/** Versions in use that their network ends within 60 days or has ended, and unknown ones; `settings` are the installation's. */
export function endingVersions(
  manifest: Manifest,
  settings: Readonly<Record<string, string>>,
  now: Date,
): EndingVersion[] {
  return Object.entries(manifest.settings).flatMap(([name, { ends, default: fallback }]) => {
    const version = settings[name] ?? fallback
    const day = version === undefined ? undefined : ends?.[version]
    if (version === undefined || ends === undefined) return []
    if (day === undefined) {
      const message = `Almanac does not know version ${version} of the API of ${manifest.title}, nor when it ends. It knows ${Object.keys(ends).join(', ')}: ${variableOf(manifest.name, name)} chooses.`
      return [{ ended: false, message }]
    }
    const days = Math.ceil((new Date(`${day}T00:00:00Z`).getTime() - now.getTime()) / DAY_MS)
    if (days > AHEAD_DAYS) return []
    const ended = days <= 0
    const when = ended
      ? `has ended on ${day}: nothing can be published`
      : `ends on ${day}, in ${days} ${days === 1 ? 'day' : 'days'}`
    const advice = `Set ${variableOf(manifest.name, name)} to a newer version, or update Almanac.`
    return [{ ended, message: `Version ${version} of the API of ${manifest.title} ${when}. ${advice}` }]
  })
}
