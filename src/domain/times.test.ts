import { expect, test } from 'vitest'
import { parseTime } from './times.ts'

const read = (text: string, timezone = 'Europe/Berlin', now = '2026-01-01T00:00:00Z') =>
  parseTime(text, timezone, new Date(now))?.toISOString() ?? null

test.each([
  ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000Z'],
  ['2026-03-01T10:00Z', '2026-03-01T10:00:00.000Z'],
  ['2026-03-01T10:00:00.5+02:00', '2026-03-01T08:00:00.500Z'],
  ['2026-03-01T10:00:00-0530', '2026-03-01T15:30:00.000Z'],
  ['2026-03-01T10:00:00+02', '2026-03-01T08:00:00.000Z'],
  ['2026-03-01T10:00:00.123999999999Z', '2026-03-01T10:00:00.123Z'],
  ['2026-03-01T10:00:00,25Z', '2026-03-01T10:00:00.250Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
])('shape-05, shape-09: %s with an offset', (text, time) => expect(read(text)).toBe(time))

test('shape-06: without an offset: the wall clock of the social set', () => {
  expect(read('2026-03-01T10:00:00')).toBe('2026-03-01T09:00:00.000Z')
  expect(read('2026-07-01T10:00:00.25')).toBe('2026-07-01T08:00:00.250Z')
  expect(read('2026-07-01T10:00', 'America/New_York')).toBe('2026-07-01T14:00:00.000Z')
})

test('shape-06: a bare date is the start of that day, also where midnight is skipped', () => {
  expect(read('2026-03-01')).toBe('2026-02-28T23:00:00.000Z')
  // Beirut goes to summer time at midnight: the day begins at 01:00.
  expect(read('2026-03-29', 'Asia/Beirut')).toBe('2026-03-28T22:00:00.000Z')
})

test('shape-07: an hour that is repeated is the first of the two, one that is skipped moves forward by the gap', () => {
  expect(read('2026-10-25T02:30:00')).toBe('2026-10-25T00:30:00.000Z')
  expect(read('2026-03-29T02:30:00')).toBe('2026-03-29T01:30:00.000Z')
})

test.each([
  ['in the first pass, ahead of both', '2026-10-25T00:29:59Z', '00:30'],
  ['in the first pass, at the time itself', '2026-10-25T00:30:00Z', '00:30'],
  ['in the first pass, behind the first', '2026-10-25T00:30:01Z', '01:30'],
  ['in the second pass, ahead of the second', '2026-10-25T01:29:59Z', '01:30'],
  ['in the second pass, at the second itself', '2026-10-25T01:30:00Z', '00:30'],
  ['behind both', '2026-10-25T02:00:00Z', '00:30'],
])('of an hour that is repeated, %s', (_, now, time) => {
  expect(read('2026-10-25T02:30:00', 'Europe/Berlin', now)).toBe(`2026-10-25T${time}:00.000Z`)
  // An offset says which one is meant, and a skipped hour is there once.
  expect(read('2026-10-25T02:30:00+02:00', 'Europe/Berlin', now)).toBe('2026-10-25T00:30:00.000Z')
})

test('a time of an hour that is skipped, whose moment is past, is no other one', () => {
  expect(read('2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T01:00:00Z')).toBe('2026-03-29T01:30:00.000Z')
  expect(read('2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T01:45:00Z')).toBe('2026-03-29T01:30:00.000Z')
})

test.each([
  '2026-02-30T10:00:00Z',
  '2026-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-03-01T24:00:00Z',
  '2026-03-01T10:60:00Z',
  '2026-03-01T10:00:60Z',
  '2026-03-01T10:00:00+24:00',
  '2026-03-01 10:00:00Z',
  '2026-03-01T10Z',
  '2026-3-1',
  '20260301T100000Z',
  '2026-03-01T10:00:00[Europe/Berlin]',
  '2026-03-01T10:00:00Z[Europe/Berlin]',
  '+002026-03-01',
  '1772359200',
  'tomorrow',
  '',
  ' 2026-03-01',
  '2026-03-01\n',
])('shape-08: %j is no time', (text) => expect(read(text)).toBe(null))
