import { hash } from 'node:crypto'
import { DAY_MS } from '#contract/durations'
import { readComponents } from './components.ts'
import { decodeCalendar } from './decode-calendar.ts'
import { type CalendarEvent, endOf, readEvent } from './events.ts'
import { TooComplexError, UnreadableError } from './expand-rule.ts'
import { type Occurrence, occurrencesOf, type WallWindow } from './occurrences.ts'
import { createZones, knownZone, UTC, type Zone } from './zones.ts'

/** Which notes are wanted. Days are those of the social set, as ISO 8601 has them. */
export interface NotesWanted {
  /** IANA name, of the social set. */
  timezone: string
  today: string
  /** Days before and after today, and the most notes: those of the nearest days. */
  daysBack: number
  daysAhead: number
  most: number
  /** The most days of one event. */
  daysOfEvent: number
  /** Longer titles are cut to so many UTF-16 code units. */
  titleUnits: number
}

/** A note as a calendar has it. */
export interface WantedNote {
  /** Names event, occurrence and day, the same in every reading: 32 hexadecimal digits. */
  key: string
  day: string
  /** Milliseconds since 1970. */
  at: number
  /** As the calendar has it, of any characters. */
  title: string
}

export interface NotesRead {
  /** The nearest days first. */
  notes: WantedNote[]
  /** How many more there are. */
  over: number
  /** Events that cannot be read. */
  unreadable: number
}

/** All occurrences of a calendar inside the window: forty times the notes that are shown. */
const MAX_NOTES = 200_000

/**
 * The notes of a calendar: one for each day that an event touches, for 31 days at most.
 *
 * @param charset what the server calls the text; null: nothing
 * @throws NotACalendarError
 * @throws TooComplexError
 */
export function readNotes(bytes: Uint8Array, wanted: NotesWanted, charset: string | null = null): NotesRead {
  const { timezone, today, daysBack, daysAhead } = wanted
  const here = knownZone(timezone)
  if (!here) throw new RangeError('A social set has no timezone.')
  const todayAt = Date.parse(today)
  const window: WallWindow = { from: todayAt - daysBack * DAY_MS, until: todayAt + (daysAhead + 1) * DAY_MS - 1 }
  const components = readComponents(decodeCalendar(bytes, charset))
  const zoneOf = createZones(components.timezones, { here, timezone: components.timezone, window })
  let unreadable = 0
  const events: CalendarEvent[] = []
  for (const lines of components.events) {
    const event = orUnreadable(() => readEvent(lines, { zoneOf, utc: UTC, canceled: components.canceled }))
    if (event) events.push(event)
    else unreadable++
  }
  /** By what they are of: a hash of that, which is their key, is made of those that are kept. */
  const found = new Map<string, Omit<WantedNote, 'key'>>()
  const startOf = dayStarts(here)
  for (const [uid, forms] of Map.groupBy(events, (event) => event.uid)) {
    const occurrences = orUnreadable(() => occurrencesOf(forms, window))
    if (!occurrences) unreadable++
    for (const occurrence of occurrences ?? []) {
      for (const { of, ...note } of notesOf(uid, occurrence, { ...wanted, here, window, startOf })) found.set(of, note)
      if (found.size > MAX_NOTES) throw new TooComplexError('The calendar has too many events.')
    }
  }
  const nearest = [...found]
    .map(([of, note]) => ({ of, note, far: Math.abs(Date.parse(note.day) - todayAt) }))
    .sort((a, b) => a.far - b.far || a.note.at - b.note.at || (a.of < b.of ? -1 : 1))
  return {
    notes: nearest.slice(0, wanted.most).map(({ of, note }) => ({ ...note, key: keyOf(of) })),
    over: Math.max(nearest.length - wanted.most, 0),
    unreadable,
  }
}

/** Null for an event that breaks the format. Times that no calendar has are a RangeError of the runtime. */
function orUnreadable<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableError || error instanceof RangeError) return null
    throw error
  }
}

interface Place extends Pick<NotesWanted, 'daysOfEvent' | 'titleUnits'> {
  here: Zone
  window: WallWindow
  startOf(day: number): number
}

interface NoteOf extends Omit<WantedNote, 'key'> {
  /** Event, occurrence and number of the day. */
  of: string
}

function notesOf(uid: string, { event, wall, name }: Occurrence, place: Place): NoteOf[] {
  const { here, window, startOf, daysOfEvent, titleUnits } = place
  const { start, length } = event
  const moment = start.isDate ? null : start.zone.momentOf(wall)
  const first = dayOf(moment === null ? wall : here.wallOf(moment))
  const last =
    moment === null
      ? first + (length.days - 1) * DAY_MS
      : dayOf(here.wallOf(Math.max(endOf(start, wall, length) - 1, moment)))
  const notes: NoteOf[] = []
  const title = event.title.slice(0, titleUnits)
  for (let index = 0; index < daysOfEvent; index++) {
    const day = first + index * DAY_MS
    if (day > last || day > window.until) break
    if (day < window.from) continue
    const at = moment !== null && index === 0 ? moment : startOf(day)
    notes.push({ of: `${uid}\0${name}\0${index}`, day: isoDay(day), at, title })
  }
  return notes
}

const dayOf = (wall: number) => Math.floor(wall / DAY_MS) * DAY_MS
const isoDay = (day: number) => new Date(day).toISOString().slice(0, 10)

/** The moments at which days begin, each found once. */
function dayStarts(here: Zone): (day: number) => number {
  const known = new Map<number, number>()
  return (day) => {
    const start = known.get(day) ?? here.momentOf(day)
    known.set(day, start)
    return start
  }
}

const keyOf = (of: string) => hash('sha256', of).slice(0, 32)
