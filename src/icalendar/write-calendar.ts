import ical, { ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator'

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

export interface FeedText {
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
  for (const event of events) {
    calendar.createEvent({
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
  }
  const text = calendar.toString()
  return text.endsWith('\r\n') ? text : `${text}\r\n`
}

function timesOf(at: FeedEvent['at']) {
  if ('start' in at) return { start: at.start, end: new Date(at.start.getTime() + at.minutes * 60_000) }
  const day = Temporal.PlainDate.from(at.day)
  return { start: day, end: day.add({ days: 1 }), allDay: true }
}
