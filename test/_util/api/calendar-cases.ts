import { readNotes } from '../../../src/icalendar/read-notes.ts'

/** Calendars in few words, and what is read of them. */

const wanted = { today: '2026-11-23', daysBack: 30, daysAhead: 366, most: 5_000, daysOfEvent: 31, titleUnits: 2_049 }

export function read(bytes: Uint8Array, { timezone = 'Europe/Berlin', charset = null }: How = {}): string {
  const { notes, unreadable } = readNotes(bytes, { ...wanted, timezone }, charset)
  const lines = notes
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, title }) => `${new Date(at).toISOString().slice(0, 16)} ${title}`)
  return [...lines, ...(unreadable > 0 ? [`${unreadable} unreadable`] : [])].join('; ')
}
export interface How {
  timezone?: string
  charset?: string | null
}

export const file = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
export const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:1', 'SUMMARY:E', ...lines, 'END:VEVENT']
export const titled = (line: string) => file('BEGIN:VEVENT', 'UID:1', line, 'DTSTART:20270310T080000Z', 'END:VEVENT')
export const part = (kind: string, from: string, to: string, ...lines: string[]) => [
  `BEGIN:${kind}`,
  `TZOFFSETFROM:${from}`,
  `TZOFFSETTO:${to}`,
  ...lines,
  `END:${kind}`,
]
export const zone = (name: string, ...lines: string[]) => ['BEGIN:VTIMEZONE', `TZID:${name}`, ...lines, 'END:VTIMEZONE']
export const fixed = (name: string, offset: string) =>
  zone(name, ...part('STANDARD', offset, offset, 'DTSTART:19700101T000000'))
export const summers = (name: string, winter: string, summer: string) =>
  zone(
    name,
    ...part('STANDARD', summer, winter, 'DTSTART:16010101T030000', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'),
    ...part('DAYLIGHT', winter, summer, 'DTSTART:16010101T020000', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3'),
  )
export const july = (name: string) => event(`DTSTART;TZID=${name}:20270701T120000`)
export const latin = (text: string) => Buffer.from(text, 'latin1')
export const wide = (text: string, { swapped = false, marked = true } = {}) => {
  const bytes = Buffer.from(`${marked ? '\uFEFF' : ''}${text}`, 'utf16le')
  return swapped ? bytes.swap16() : bytes
}

export type Case = [name: string, calendar: string | Uint8Array, expected: string, how?: How]
