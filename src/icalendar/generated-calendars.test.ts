import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { file, part, read, zone } from '../../test/_util/api/calendar-cases.ts'

/**
 * Calendars of many charsets, folds and zones. The judge is ical.js's own reader, which is given the text without folds and in letters, so that
 * what is compared is our way to it; its zones are those that the file defines.
 */

const TITLES = { ascii: 'Bread', latin: 'Frühstück für Söhne', japanese: '東京の新しいパン屋', emoji: 'Brot 🥖🥨 é' }
const CHARSETS: Record<string, { encode(text: string): Buffer; charset: string | null; holds: readonly string[] }> = {
  'utf-8': { encode: (text) => Buffer.from(text), charset: null, holds: Object.keys(TITLES) },
  'utf-8 as latin1': { encode: (text) => Buffer.from(text), charset: 'iso-8859-1', holds: Object.keys(TITLES) },
  'utf-8 with mark': { encode: (text) => Buffer.from(`\uFEFF${text}`), charset: 'utf-8', holds: Object.keys(TITLES) },
  latin1: { encode: (text) => Buffer.from(text, 'latin1'), charset: 'iso-8859-1', holds: ['ascii', 'latin'] },
  'utf-16': { encode: (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'), charset: null, holds: Object.keys(TITLES) },
}
const MARKS = ['\r\n', '\n', '\r']
const FOLDS: Record<string, { length: number; by: string }> = {
  none: { length: 1_000, by: ' ' },
  '75': { length: 75, by: ' ' },
  '13 by tabs': { length: 13, by: '\t' },
  '2': { length: 2, by: ' ' },
}
const rule = (month: number, day: string) => `RRULE:FREQ=YEARLY;BYMONTH=${month};BYDAY=${day}`
const ZONES: Record<string, string[]> = {
  'Europe/Berlin': zone(
    'Europe/Berlin',
    ...part('STANDARD', '+0530', '+0430', 'DTSTART:20001029T030000', rule(10, '-1SU')),
    ...part('DAYLIGHT', '+0430', '+0530', 'DTSTART:20000326T020000', rule(3, '-1SU')),
  ),
  EST: zone(
    'EST',
    ...part('STANDARD', '-0400', '-0500', 'DTSTART:20071104T020000', rule(11, '1SU')),
    ...part('DAYLIGHT', '-0500', '-0400', 'DTSTART:20070311T020000', rule(3, '2SU')),
  ),
  South: zone(
    'South',
    ...part('STANDARD', '+1100', '+1030', 'DTSTART:20080406T020000', rule(4, '1SU')),
    ...part('DAYLIGHT', '+1030', '+1100', 'DTSTART:20081005T020000', rule(10, '1SU')),
  ),
  Odd: zone('Odd', ...part('STANDARD', '-0330', '-0344', 'DTSTART:20000101T000000')),
  // The judge takes no DTSTART for a change where there are RDATEs.
  Ended: zone(
    'Ended',
    ...part('DAYLIGHT', '+0100', '+0200', 'DTSTART:20260329T020000', 'RDATE:20260329T020000', 'RDATE:20270328T020000'),
    ...part('STANDARD', '+0200', '+0100', 'DTSTART:20261025T030000', 'RDATE:20261025T030000', 'RDATE:20270905T030000'),
  ),
}
/** None of them within an hour of a change. */
const STARTS = [
  '20261224T180000',
  '20270115T003000',
  '20270329T120000',
  '20270701T235900',
  '20270920T070000',
  '20271110T013000',
]

/** Folded by bytes of the charset, also within letters; of UTF-16 by letters. */
function folded(
  text: string,
  charset: keyof typeof CHARSETS,
  fold: { length: number; by: string },
  mark: string,
): Buffer {
  const { encode } = CHARSETS[charset] ?? { encode: Buffer.from }
  if (charset === 'utf-16') return encode(foldLines(text, fold, mark, (line) => line.match(/./gsu) ?? []))
  const marked = charset === 'utf-8 with mark'
  const bytes = marked ? Buffer.from(text) : encode(text)
  const lines = Buffer.from(
    foldLines(bytes.toString('latin1'), fold, mark, (line) => [...line]),
    'latin1',
  )
  return marked ? Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), lines]) : lines
}

function foldLines(
  text: string,
  { length, by }: { length: number; by: string },
  mark: string,
  pieces: (line: string) => string[],
) {
  return text
    .split('\r\n')
    .map((line) => {
      const all = pieces(line)
      const parts = Array.from({ length: Math.ceil(all.length / length) }, (_, index) =>
        all.slice(index * length, (index + 1) * length).join(''),
      )
      return parts.join(`${mark}${by}`)
    })
    .join(mark)
}

function judged(text: string): string {
  const calendar = new ICAL.Component(ICAL.parse(text) as [])
  const zones = new Map(
    calendar
      .getAllSubcomponents('vtimezone')
      .map((each) => [String(each.getFirstPropertyValue('tzid')), new ICAL.Timezone(each)]),
  )
  return calendar
    .getAllSubcomponents('vevent')
    .map((each) => {
      const start = each.getFirstPropertyValue('dtstart') as ICAL.Time
      start.zone = zones.get(String(each.getFirstProperty('dtstart')?.getParameter('tzid'))) ?? start.zone
      return { at: start.toUnixTime() * 1_000, title: String(each.getFirstPropertyValue('summary')) }
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, title }) => `${new Date(at).toISOString().slice(0, 16)} ${title}`)
    .join('; ')
}

const CASES = Object.entries(ZONES).flatMap(([name, definition]) =>
  Object.entries(CHARSETS).flatMap(([charset, { holds }]) =>
    holds.map((title) => ({ name, definition, charset, title })),
  ),
)

test.each(CASES)(
  '$name, $charset, $title: as ical.js reads it, however it is folded',
  ({ name, definition, charset, title }) => {
    const events = STARTS.flatMap((start, index) => [
      'BEGIN:VEVENT',
      `UID:${index}`,
      `SUMMARY:${TITLES[title as keyof typeof TITLES]}`,
      `DTSTART;TZID=${name}:${start}`,
      'END:VEVENT',
    ])
    const text = file(...definition, ...events)
    const expected = judged(text)
    expect(expected.split('; ')).toHaveLength(STARTS.length)
    for (const mark of MARKS)
      for (const fold of Object.values(FOLDS))
        expect(read(folded(text, charset, fold, mark), { charset: CHARSETS[charset]?.charset ?? null })).toBe(expected)
  },
)
