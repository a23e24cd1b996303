import { DAY_MS } from '#contract/durations'
import { UnreadableError, type WallTime } from './expand-rule.ts'
import { type Property, readProperties, type TimeValue, valuesOf } from './properties.ts'
import type { Zone } from './zones.ts'

/** An event of a calendar (RFC 5545, 3.6.1), or another form of one occurrence of one. */
export interface CalendarEvent {
  uid: string
  sequence: number
  title: string
  canceled: boolean
  start: EventTime
  length: Length
  rules: string[]
  exceptRules: string[]
  extra: EventTime[]
  except: EventTime[]
  /** Which occurrence it replaces; null: none. */
  replaces: EventTime | null
  /** It replaces all later ones as well. */
  andFuture: boolean
}

export interface EventTime {
  wall: WallTime
  isDate: boolean
  zone: Zone
}

/** How long an event lasts: days by the calendar, then milliseconds. */
interface Length {
  days: number
  ms: number
}

/**
 * Reads the properties of an event.
 *
 * @throws UnreadableError it breaks the format
 */
export function readEvent(
  lines: readonly string[],
  { zoneOf, utc, canceled }: { zoneOf(tzid: string | null): Zone; utc: Zone; canceled: boolean },
): CalendarEvent {
  const properties = readProperties(lines)
  const text = (name: string) => properties.find((property) => property.name === name)?.text ?? ''
  // What names no timezone beside a beginning that does, is on its clock.
  const own = valuesOf(properties, 'dtstart')[0]?.tzid ?? null
  const timeOf = ({ wall, isDate, isUtc, tzid }: TimeValue): EventTime => ({
    wall,
    isDate,
    zone: isUtc ? utc : zoneOf(tzid ?? own),
  })
  const timesOf = (name: string) => valuesOf(properties, name).map(timeOf)
  const rulesOf = (name: string) => properties.flatMap((property) => (property.name === name ? [property.text] : []))
  const [written] = timesOf('dtstart')
  if (!written) throw new UnreadableError('An event has no beginning.')
  const [end] = orNone(() => timesOf('dtend'))
  // Exchange writes whole days as times from midnight to midnight.
  const wholeDays = /^true$/i.test(text('x-microsoft-cdo-alldayevent')) && written.wall % DAY_MS === 0
  const start = { ...written, isDate: written.isDate || wholeDays }
  const [replaces = null] = timesOf('recurrence-id')
  const title = text('summary')
  return {
    uid: text('uid').trim() || `${title} ${start.wall}`,
    sequence: Number(properties.find(({ name }) => name === 'sequence')?.values[0] ?? 0) || 0,
    title,
    canceled: canceled || /^cancell?ed$/i.test(text('status').trim()),
    start,
    length: lengthOf(start, end ?? null, text('duration').trim()),
    rules: rulesOf('rrule'),
    exceptRules: rulesOf('exrule'),
    extra: timesOf('rdate'),
    except: timesOf('exdate'),
    replaces,
    andFuture: rangeOf(properties) === 'THISANDFUTURE',
  }
}

/** An end that is none is left out. */
function orNone<T>(read: () => T[]): T[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableError) return []
    throw error
  }
}

function rangeOf(properties: readonly Property[]): string {
  const range = properties.find(({ name }) => name === 'recurrence-id')?.parameters.range
  return typeof range === 'string' ? range.toUpperCase() : ''
}

function lengthOf(start: EventTime, end: EventTime | null, duration: string): Length {
  if (start.isDate) {
    // An end on the same day means that day, although the format says otherwise.
    const days = end ? Math.round((end.wall - start.wall) / DAY_MS) : durationOf(duration).days
    return { days: Math.max(days, 1), ms: 0 }
  }
  if (!end) return durationOf(duration)
  const zone = end.isDate ? start.zone : end.zone
  return { days: 0, ms: Math.max(zone.momentOf(end.wall) - start.zone.momentOf(start.wall), 0) }
}

function durationOf(text: string): Length {
  if (text === '') return { days: 0, ms: 0 }
  try {
    const { days, weeks, hours, minutes, seconds, sign } = Temporal.Duration.from(text)
    if (sign < 0) return { days: 0, ms: 0 }
    return { days: 7 * weeks + days, ms: ((hours * 60 + minutes) * 60 + seconds) * 1_000 }
  } catch {
    throw new UnreadableError('An event has a length that is none.')
  }
}

/** When an event of that length ends that begins at a clock time. */
export function endOf({ zone }: EventTime, wall: WallTime, { days, ms }: Length): number {
  return zone.momentOf(wall + days * DAY_MS) + ms
}
