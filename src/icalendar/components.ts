import { decodedLine, isEncoded, isQuotedPrintable } from './quoted-printable.ts'
import { plainName } from './zone-names.ts'

/** The bytes are no calendar: no iCalendar file, or one that does not come to its end. The message says which, for people. */
export class NotACalendarError extends Error {
  override name = 'NotACalendarError'
}

/** Lines of a component, without its BEGIN and END. */
type Lines = readonly string[]

interface Components {
  /** Whether the calendar itself says that all in it is called off: METHOD:CANCEL. */
  canceled: boolean
  /** Name of the timezone of times that name none, as many programs say it; null: it says none. */
  timezone: string | null
  /** Properties of each VEVENT, without those of its alarms. */
  events: Lines[]
  /** Lines of each VTIMEZONE, with its parts. */
  timezones: Lines[]
}

/** Longer lines are cut: no title, rule or list of dates is as long, and a picture within a calendar is not read. */
export const MAX_LINE = 100_000
const MAX_DEPTH = 20

const NAME = /^[A-Za-z0-9-]+/
/** What is read of an event; the rest may be as it likes. */
const PROPERTIES: ReadonlySet<string> = new Set([
  'UID',
  'SEQUENCE',
  'SUMMARY',
  'STATUS',
  'DTSTART',
  'DTEND',
  'DURATION',
  'RRULE',
  'EXRULE',
  'RDATE',
  'EXDATE',
  'RECURRENCE-ID',
  'X-MICROSOFT-CDO-ALLDAYEVENT',
])

/**
 * Takes an iCalendar text whose lines are unfolded (RFC 5545, 3.4) apart into its events and timezones. Everything else in it is left out.
 *
 * @throws NotACalendarError
 */
export function readComponents(text: string): Components {
  const found: Components = { canceled: false, timezone: null, events: [], timezones: [] }
  const open: string[] = []
  const zones = new Map<string, string>()
  let lines: string[] = []
  for (const line of linesOf(fromBeginning(text))) {
    const name = (NAME.exec(line)?.[0] ?? '').toUpperCase()
    if (name === 'BEGIN') {
      if (open.length === MAX_DEPTH) throw new NotACalendarError(`It nests more than ${MAX_DEPTH} parts in each other.`)
      open.push(valueIn(line))
      if (open.length === 2) lines = []
      else if (open[1] === 'VTIMEZONE') lines.push(line)
    } else if (name === 'END') {
      if (open.pop() !== valueIn(line)) throw new NotACalendarError(BROKEN)
      if (open.length === 1 && valueIn(line) === 'VEVENT') found.events.push(lines)
      else if (open.length === 1 && valueIn(line) === 'VTIMEZONE') found.timezones.push(lines)
      else if (open[1] === 'VTIMEZONE') lines.push(line)
    } else if (open.length === 1) {
      if (name === 'METHOD' && valueIn(line) === 'CANCEL') found.canceled = true
      if (ZONE_NAMES.includes(name)) zones.set(name, plainName(line.slice(line.indexOf(':') + 1)))
    } else if (open[1] === 'VTIMEZONE' || (open[1] === 'VEVENT' && open.length === 2 && PROPERTIES.has(name))) {
      lines.push(isEncoded(line) ? decodedLine(line) : line)
    }
  }
  if (open.length > 0) throw new NotACalendarError(BROKEN)
  const zone = ZONE_NAMES.map((name) => zones.get(name) ?? '').find((name) => name !== '')
  return { ...found, timezone: zone?.replace(/^(?=[+-]?\d)/, 'UTC').replace(/^UTC(?=\d)/, 'UTC+') ?? null }
}

/** Where a calendar says what its own timezone is, the best first; the last is vCalendar 1.0's: `TZ:-05:00`. */
const ZONE_NAMES = ['X-WR-TIMEZONE', 'TIMEZONE-ID', 'TZ']

const BEGIN = /^([ \t\uFEFF]*)BEGIN[ \t]*:[ \t]*VCALENDAR[ \t\r]*$/im

/** Whether a calendar begins in a text: servers write warnings and blank lines in front of it. */
export const beginsCalendar = (text: string): boolean => BEGIN.test(text)

function fromBeginning(text: string): string {
  const begin = BEGIN.exec(text)
  if (!begin) throw new NotACalendarError('It does not begin with BEGIN:VCALENDAR.')
  return text.slice(begin.index + (begin[1] ?? '').length)
}

const BROKEN = 'It breaks off, or its parts do not end where they should.'

/** Whether a component begins or ends there, or a property that is read: no value goes on with that. */
function isEdge(text: string, at: number): boolean {
  const [, name = ''] = /^([A-Z-]{1,40})[:;]/i.exec(text.slice(at, at + 41)) ?? []
  return ['BEGIN', 'END'].includes(name.toUpperCase()) || PROPERTIES.has(name)
}

/** What follows the colon, in capitals. */
const valueIn = (line: string) =>
  line
    .slice(line.indexOf(':') + 1, 200)
    .trim()
    .toUpperCase()

/** Lines that are not empty, cut at `MAX_LINE`. A text in quoted-printable goes on behind a line that ends with `=`. */
function* linesOf(text: string): Generator<string> {
  let open = ''
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    const to = end > at && text[end - 1] === '\r' ? end - 1 : end
    const piece = text.slice(at, Math.min(to, at + MAX_LINE - open.length))
    at = end + 1
    const goesOn = newline >= 0 && piece.endsWith('=') && !isEdge(text, at)
    if (goesOn && (open !== '' || isQuotedPrintable(piece))) {
      open += piece.slice(0, -1)
      continue
    }
    const line = open + piece
    open = ''
    if (line.trim() !== '') yield line
  }
  if (open !== '') yield open
}
