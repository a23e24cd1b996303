import { foldLines } from 'ical-generator'
import { expect, test } from 'vitest'
import { writeCalendar } from './write-calendar.ts'

const at = new Date('2026-11-23T09:00:00Z')
const calendarOf = (texts: string[]) =>
  writeCalendar({
    name: 'Bakery, Inc.; '.repeat(9),
    everyMinutes: 60,
    events: texts.map((description, index) => ({
      uid: `${index}@almanac`,
      at: index % 2 === 0 ? { start: at, minutes: 15 } : { day: '2026-12-01' },
      title: description.slice(0, 30).toWellFormed(),
      description,
      url: index % 3 === 0 ? `https://almanac.test/${'p'.repeat(100)}` : null,
      certain: true,
      createdAt: at,
      updatedAt: at,
      version: 1,
    })),
  })

test('lines are folded as the library folds them, whatever letters they have', () => {
  const letters = ['a', 'ü', '€', '🐎', 'a🐎', '🐎ü', 'aaü€🐎', 'two\nlines; ']
  const text = calendarOf([
    '',
    ...letters.flatMap((each) => [24, 25, 60, 62, 63, 74, 75, 400].map((count) => each.repeat(count))),
  ])
  expect(text.endsWith('\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n')).toBe(true)
  expect(Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)))).toBe(75)
  expect(text).toBe(foldLines(text.replaceAll('\r\n ', '')))
})
