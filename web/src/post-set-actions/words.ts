import { plural, t } from '@lingui/core/macro'
import { nameOf, type PostSetSubject } from '../planning/posts/subject.ts'
import { formatDate, formatTime, type TimePreferences, wallTime } from '../time/zones.ts'

/** "Sunday 8 November 2026, 06:30": a time as sentences have it. */
export function saidTime(instant: string, zone: string, preferences: TimePreferences): string {
  const weekday = new Intl.DateTimeFormat(preferences.locale ?? undefined, { weekday: 'long', timeZone: zone })
  const day = weekday.format(wallTime(instant, zone).epochMilliseconds)
  return `${day} ${formatDate(instant, zone, preferences)}, ${formatTime(instant, zone, preferences)}`
}

/** "Autumn teaser moved to Sunday 8 November 2026, 06:30." */
export function movedSentence(
  subject: PostSetSubject,
  instant: string,
  zone: string,
  preferences: TimePreferences,
): string {
  return t`${nameOf(subject)} moved to ${saidTime(instant, zone, preferences)}.`
}

/** "3 post sets stayed.": what others of a series did; undefined when none did. */
export function stayedSentence(number: number): string | undefined {
  return number === 0 ? undefined : plural(number, { one: '# post stayed.', other: '# posts stayed.' })
}

/** What was done, and what others of a series did. */
export function withStayed(sentence: string, left: readonly unknown[]): string {
  return [sentence, stayedSentence(left.length)].filter((part) => part !== undefined).join(' ')
}

/** "2 posts were not changed. The first: …" */
export function refusedSentence(number: number, why: string): string {
  return plural(number, {
    one: `# post was not changed: ${why}`,
    other: `# posts were not changed. The first: ${why}`,
  })
}

/** What a screen reader says on top of what was done. */
export function withUndoHint(sentence: string): string {
  return t`${sentence} Press ${isMac() ? t`Command` : t`Control`} Z to undo.`
}

function isMac(): boolean {
  return typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)
}
