/** The bytes are no calendar: no iCalendar file, or one that does not come to its end. The message says which, for people. */
export class NotACalendarError extends Error {
  override name = 'NotACalendarError'
}

/** Lines of a component, unfolded, without its BEGIN and END. */
export type Lines = readonly string[]

export interface Components {
  /** Whether the calendar itself says that all in it is called off: METHOD:CANCEL. */
  canceled: boolean
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
 * Takes an iCalendar text (RFC 5545, 3.1 and 3.4) apart into its events and timezones. Everything else in it is left out.
 *
 * @throws NotACalendarError
 */
export function readComponents(text: string): Components {
  const found: Components = { canceled: false, events: [], timezones: [] }
  const open: string[] = []
  let begun = false
  let lines: string[] = []
  for (const line of unfolded(text)) {
    const name = (NAME.exec(line)?.[0] ?? '').toUpperCase()
    if (!begun && !(name === 'BEGIN' && valueIn(line) === 'VCALENDAR')) throw new NotACalendarError(NO_CALENDAR)
    begun = true
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
    } else if (open[1] === 'VTIMEZONE' || (open[1] === 'VEVENT' && open.length === 2 && PROPERTIES.has(name))) {
      lines.push(line)
    }
  }
  if (!begun) throw new NotACalendarError(NO_CALENDAR)
  if (open.length > 0) throw new NotACalendarError(BROKEN)
  return found
}

const NO_CALENDAR = 'It does not begin with BEGIN:VCALENDAR.'
const BROKEN = 'It breaks off, or its parts do not end where they should.'

/** What follows the colon, in capitals. */
const valueIn = (line: string) =>
  line
    .slice(line.indexOf(':') + 1, 200)
    .trim()
    .toUpperCase()

/** Lines that are not empty, put together again where they were folded (RFC 5545, 3.1), and cut at `MAX_LINE`. */
function* unfolded(text: string): Generator<string> {
  let line = ''
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    const folded = text[at] === ' ' || text[at] === '\t'
    const from = folded ? at + 1 : at
    const to = end > from && text[end - 1] === '\r' ? end - 1 : end
    const piece = text.slice(from, Math.min(to, from + MAX_LINE))
    if (folded) {
      if (line.length < MAX_LINE) line += piece
    } else {
      if (line.trim() !== '') yield line.slice(0, MAX_LINE)
      line = piece
    }
    at = end + 1
  }
  if (line.trim() !== '') yield line.slice(0, MAX_LINE)
}

/** The text of a calendar: UTF-8, or UTF-16 when it says so by its mark. */
export function decodeCalendar(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}
