import ical, { ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import { MINUTE_MS } from '#contract/durations'

/** What is on a calendar that others read: at a moment, or on a day. */
export interface FeedEvent {
  /** The same at every reading. */
  uid: string
  at: { start: Date; minutes: number } | { day: string }
  title: string
  /** Several lines; may be empty. */
  description: string
  url: string | null
  /** False while it may still change: a draft. */
  certain: boolean
  createdAt: Date
  updatedAt: Date
  version: number
}

interface FeedText {
  name: string
  events: readonly FeedEvent[]
  /** How often programs should ask for it, in minutes. */
  everyMinutes: number
}

/** Titles and descriptions have no control characters (RFC 5545, 3.3.11), and none that turn the text behind them round. */
const UNWANTED = /[\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\n]/gu
const plain = (text: string) => text.replace(UNWANTED, '').toWellFormed()

/**
 * An iCalendar text (RFC 5545): folded lines, escaped texts, CRLF. It holds nothing of the time at which it is written: the same
 * events give the same text.
 */
export function writeCalendar({ name, events, everyMinutes }: FeedText): string {
  const calendar = ical({
    // The library writes it as it comes.
    name: plain(name)
      .replace(/\s+/g, ' ')
      .replace(/[\\;,]/g, (letter) => `\\${letter}`),
    prodId: { company: 'Almanac', product: 'Calendar', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: everyMinutes * 60,
  })
  const [head, end] = [calendar.toString().replace(/END:VCALENDAR\s*$/, ''), 'END:VCALENDAR\r\n']
  const parts = events.map((event) => {
    const written = calendar.createEvent({
      id: event.uid,
      ...timesOf(event.at),
      summary: plain(event.title).replace(/\s+/g, ' '),
      description: event.description === '' ? null : plain(event.description),
      url: event.url,
      status: event.certain ? ICalEventStatus.CONFIRMED : ICalEventStatus.TENTATIVE,
      // No one is busy while something is published.
      transparency: ICalEventTransparency.TRANSPARENT,
      stamp: event.updatedAt,
      created: event.createdAt,
      lastModified: event.updatedAt,
      sequence: event.version,
    })
    return written.toString().split('\r\n').map(folded).join('\r\n')
  })
  return [head, ...parts, end].join('')
}

/** Octets of a line without its end: 75, less the space that a continued one begins with (RFC 5545, 3.1). */
const LINE_OCTETS = 74

/** One line in pieces. The library's own folding puts letters together one by one, which takes most of its time. */
function folded(line: string): string {
  if (line.length * 3 <= LINE_OCTETS || Buffer.byteLength(line) <= LINE_OCTETS) return line
  const pieces: string[] = []
  let [begin, octets] = [0, 0]
  for (let index = 0; index < line.length; index++) {
    const code = line.charCodeAt(index)
    const isPair = code >= 0xd800 && code <= 0xdbff
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : isPair ? 4 : 3
    if (octets + size > LINE_OCTETS) {
      pieces.push(line.slice(begin, index))
      begin = index
      octets = 0
    }
    octets += size
    if (isPair) index++
  }
  return [...pieces, line.slice(begin)].join('\r\n ')
}

function timesOf(at: FeedEvent['at']) {
  if ('start' in at) return { start: at.start, end: new Date(at.start.getTime() + at.minutes * MINUTE_MS) }
  const day = Temporal.PlainDate.from(at.day)
  return { start: day, end: day.add({ days: 1 }), allDay: true }
}
