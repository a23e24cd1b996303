import { DAY_MS } from '#contract/durations'
import { expandRule, TooComplexError, UnreadableError, type WallTime } from './expand-rule.ts'
import { type Property, readProperties, valuesOf } from './properties.ts'
import { windowsZone } from './windows-zones.ts'
import { plainName } from './zone-names.ts'

/** What turns the times of a clock into moments and back. */
export interface Zone {
  /** The moment of a clock time. An hour that comes twice is the first of the two; one that is skipped moves forward. */
  momentOf(wall: WallTime): number
  wallOf(moment: number): WallTime
}

export const UTC: Zone = { momentOf: (wall) => wall, wallOf: (moment) => moment }

/** A zone that the runtime knows; null for a name that it does not. */
export function knownZone(name: string): Zone | null {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
  } catch {
    return null
  }
  const offsetAt = (moment: number) =>
    Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(name).offsetNanoseconds / 1e6
  /** Of days, by their number: on which the clock is changed nowhere near, so that one offset holds. Null of others. */
  const steady = new Map<number, number | null>()
  const steadyOffset = (at: number) => {
    const day = Math.floor(at / DAY_MS)
    const known = steady.get(day)
    if (known !== undefined) return known
    const [before, after] = [offsetAt((day - 1) * DAY_MS), offsetAt((day + 2) * DAY_MS)]
    const found = before === after ? before : null
    steady.set(day, found)
    return found
  }
  return {
    momentOf(wall) {
      const offset = steadyOffset(wall)
      if (offset !== null) return wall - offset
      const clock = Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC').toPlainDateTime()
      return clock.toZonedDateTime(name, { disambiguation: 'compatible' }).epochMilliseconds
    },
    wallOf: (moment) => moment + (steadyOffset(moment) ?? offsetAt(moment)),
  }
}

/**
 * The zones of a calendar by its names for them: as the calendar defines them, else those that the runtime or programs know by that
 * name. A name that no one knows, and none, mean the calendar's own zone, or else the clock of the social set.
 *
 * @param definitions the lines of its VTIMEZONEs
 * @param window the moments about which zones have to know, roughly
 * @param timezone name of the calendar's own zone; null: it has none
 */
export function createZones(
  definitions: readonly (readonly string[])[],
  { here, timezone, window }: { here: Zone; timezone: string | null; window: { from: number; until: number } },
): (name: string | null) => Zone {
  const own = new Map(definitions.flatMap((lines) => namesOf(lines).map((name) => [name, lines] as const)))
  const resolved = new Map<string, Zone | null>()

  function resolve(name: string): Zone | null {
    const lines = own.get(name)
    const defined = lines ? definedZone(lines, window) : null
    if (defined?.whole) return defined.zone
    const location = lines?.find((line) => /^X-LIC-LOCATION\b/i.test(line))
    const named = location === undefined ? [] : [plainName(location.slice(location.indexOf(':') + 1))]
    for (const candidate of [name, windowsZone(name), ...endingsOf(name), ...named]) {
      const zone = candidate === undefined ? null : knownZone(candidate)
      if (zone) return zone
    }
    if (defined?.error) throw defined.error
    return defined?.zone ?? describedZone(name)
  }

  function find(name: string): Zone | null {
    const known = resolved.get(name)
    if (known !== undefined) return known
    const found = resolve(name)
    resolved.set(name, found)
    return found
  }

  const floating = (timezone === null ? null : find(timezone)) ?? here
  return (name) => (name === null ? null : find(plainName(name))) ?? floating
}

function namesOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => (/^TZID\b/i.test(line) ? [plainName(line.slice(line.indexOf(':') + 1))] : []))
}

/** What Outlook shows of zones in America, where no city is named. */
const TIMES: Readonly<Record<string, string>> = {
  'Eastern Time': 'America/New_York',
  'Central Time': 'America/Chicago',
  'Mountain Time': 'America/Denver',
  'Pacific Time': 'America/Los_Angeles',
  'Atlantic Time': 'America/Halifax',
  Arizona: 'America/Phoenix',
  Alaska: 'America/Anchorage',
  Hawaii: 'Pacific/Honolulu',
}

/** The zone of a name that says what it is: `tzone://Microsoft/Utc`, `UTC+01:00`, `(UTC+01:00) Amsterdam, Berlin, Bern`. */
function describedZone(name: string): Zone | null {
  if (/^tzone:\/\/microsoft\/utc$/i.test(name) || /^(?:z|zulu|coordinated universal time)$/i.test(name)) return UTC
  const plain = name.replace(/^(\(?(?:UTC|GMT)) /i, '$1')
  const [, offset = '', places = ''] = /^\(?(?:UTC|GMT)([+-]\d{1,2}(?::?\d{2})?)?\)?(.*)$/i.exec(plain) ?? []
  if (offset === '' && places === '') return /^\(?(?:UTC|GMT)\)?$/i.test(name) ? UTC : null
  const away = offsetMsOf(offset)
  for (const place of places.split(/[,(&]/).map((each) => each.trim())) {
    const zone = knownZone(TIMES[place] ?? citiesOf().get(place.toLowerCase()) ?? '')
    // Of a city of that name elsewhere it is not said.
    if (zone && isAway(zone, away)) return zone
  }
  if (/^\(/.test(name) || places === '') return { momentOf: (wall) => wall - away, wallOf: (moment) => moment + away }
  return null
}

function offsetMsOf(offset: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(offset) ?? []
  return awayMs(sign, hours, minutes)
}

function awayMs(sign: string | undefined, hours: string, minutes = '0', seconds = '0'): number {
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
  return sign === '-' ? -size : size
}

/** On one of two days half a year apart. */
const isAway = (zone: Zone, away: number) =>
  [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)].some((moment) => zone.wallOf(moment) - moment === away)

let cities: ReadonlyMap<string, string> | null = null
/** The names of the runtime's zones by their cities. */
function citiesOf(): ReadonlyMap<string, string> {
  cities ??= new Map(
    Intl.supportedValuesOf('timeZone').map((zone) => [
      (zone.split('/').at(-1) ?? '').replaceAll('_', ' ').toLowerCase(),
      zone,
    ]),
  )
  return cities
}

/** Programs put the names of registries before that of a zone: `/freeassociation.sourceforge.net/Europe/Berlin`. */
function endingsOf(name: string): string[] {
  const parts = name.split('/').filter((part) => part !== '')
  return name.startsWith('/') ? [-3, -2].map((from) => parts.slice(from).join('/')) : []
}

/** From a moment on a zone is so far from UTC, in milliseconds. */
interface Change {
  at: number
  before: number
  after: number
}

/** The most parts and changes of a zone that a calendar defines: a century of two a year. */
const MAX_PARTS = 400
const MAX_CHANGES = 2_000

/** A zone of a calendar. Where not all of its definition is read, a zone that is known by its name is better. */
interface Defined {
  whole: boolean
  zone: Zone | null
  error: TooComplexError | null
}

/** A zone as a VTIMEZONE defines it (RFC 5545, 3.6.5). Null when nothing can be read of it. */
function definedZone(lines: readonly string[], window: { from: number; until: number }): Defined | null {
  const parts = partsOf(lines)
  if (parts.length > MAX_PARTS)
    return { whole: false, zone: null, error: new TooComplexError('A timezone has too many parts.') }
  const changes: Change[] = []
  let whole = true
  for (const part of parts) {
    try {
      changes.push(...changesOf(part, window))
    } catch (error) {
      if (error instanceof TooComplexError) return { whole: false, zone: null, error }
      if (!(error instanceof UnreadableError || error instanceof RangeError)) throw error
      whole = false
    }
    if (changes.length > MAX_CHANGES)
      return { whole: false, zone: null, error: new TooComplexError('A timezone changes too often.') }
  }
  changes.sort((a, b) => a.at - b.at)
  const [first] = changes
  if (!first) return null
  const offsetAt = (moment: number) => changes.findLast(({ at }) => at <= moment)?.after ?? first.before
  const zone: Zone = {
    wallOf: (moment) => moment + offsetAt(moment),
    momentOf(wall) {
      // The change has come when the clock before it, and the one after it, have passed its time.
      const last = changes.findLast(({ at, before, after }) => wall >= at + Math.max(before, after))
      return wall - (last?.after ?? first.before)
    },
  }
  return { whole, zone, error: null }
}

/** The properties of each STANDARD and DAYLIGHT. */
function partsOf(lines: readonly string[]): Property[][] {
  const parts: Property[][] = []
  let from = -1
  for (const [at, line] of lines.entries()) {
    if (/^BEGIN:(STANDARD|DAYLIGHT)\s*$/i.test(line)) from = at + 1
    else if (/^END:(STANDARD|DAYLIGHT)\s*$/i.test(line) && from >= 0) {
      parts.push(readProperties(lines.slice(from, at)))
      from = -1
    }
  }
  return parts
}

function changesOf(part: readonly Property[], window: { from: number; until: number }): Change[] {
  const before = offsetOf(part, 'tzoffsetfrom')
  const after = offsetOf(part, 'tzoffsetto')
  const [start] = valuesOf(part, 'dtstart')
  if (!start) throw new UnreadableError('A timezone has no beginning.')
  const onsets = [start.wall, ...valuesOf(part, 'rdate').map(({ wall }) => wall)]
  for (const { text } of part.filter(({ name }) => name === 'rrule')) {
    // Its last change may be long ago and still hold.
    const until = /UNTIL=(\d{4})/i.exec(text)?.[1]
    const ends = until === undefined ? Number.POSITIVE_INFINITY : Date.UTC(Number(until) + 1, 0, 1)
    const last = Math.min(window.until, ends)
    const from = Math.min(window.from, last) - 2 * 366 * DAY_MS
    const about = { start: start.wall, isDate: false, wallOf: (moment: number) => moment + before }
    onsets.push(...expandRule(text, about, { from, until: last }))
  }
  return [...new Set(onsets)].map((wall) => ({ at: wall - before, before, after }))
}

function offsetOf(part: readonly Property[], name: string): number {
  const text = part.find((property) => property.name === name)?.text ?? ''
  const [, sign, hours, minutes, seconds = '0'] = /^([+-])(\d{2}):?(\d{2}):?(\d{2})?$/.exec(text.trim()) ?? []
  if (hours === undefined) throw new UnreadableError('A timezone has an offset that cannot be read.')
  return awayMs(sign, hours, minutes, seconds)
}
