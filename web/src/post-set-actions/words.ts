import type { HistoryItem } from '#contract'
import { count } from '../design/words.ts'
import { verbOf } from '../post-set/history-words.ts'
import { formatDate, formatTime, type TimePreferences, wallTime } from '../time/zones.ts'
import { nameOf, type PostSetSubject } from './subject.ts'

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
  return `${nameOf(subject)} moved to ${saidTime(instant, zone, preferences)}.`
}

/** "3 post sets stayed.": what others of a series did; undefined when none did. */
export function stayedSentence(number: number): string | undefined {
  return number === 0 ? undefined : `${count(number, 'post set')} stayed.`
}

/** What a screen reader says on top of what was done. */
export function withUndoHint(sentence: string): string {
  return `${sentence} Press ${isMac() ? 'Command' : 'Control'} Z to undo.`
}

function isMac(): boolean {
  return typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)
}

/** "Anna moved this 2 minutes ago.": who was faster, from the newest entry of the history. */
export function fasterSentence(newest: HistoryItem | undefined, now = Date.now()): string {
  if (!newest) return 'Somebody else changed this in the meantime.'
  return `${newest.actor.name} ${verbOf(newest)} this ${ago(newest.at, now)}.`
}

/** "2 minutes ago", "just now". */
export function ago(instant: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(instant)) / 1000))
  if (seconds < 45) return 'just now'
  const steps = [
    ['minute', 60, 45],
    ['hour', 3600, 22],
    ['day', 86_400, Number.POSITIVE_INFINITY],
  ] as const
  for (const [unit, size, limit] of steps) {
    const amount = Math.max(1, Math.round(seconds / size))
    if (amount < limit) return `${amount} ${unit}${amount === 1 ? '' : 's'} ago`
  }
  return 'some time ago'
}
