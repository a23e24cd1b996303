import { expect, test } from 'vitest'
import { slotsBetween } from './saved-times.ts'

const slots = (
  times: [weekday: number, time: string][],
  range: { from: string; until: string },
  timezone = 'Europe/Berlin',
) =>
  slotsBetween(
    times.map(([weekday, time]) => ({ weekday, time })),
    { from: new Date(range.from), until: new Date(range.until), timezone },
  ).map(({ at, wall }) => `${at.toISOString().slice(0, 16)}Z ${wall}`)

test('saved times come in order, by the clock of the zone', () => {
  const week = { from: '2026-11-23T00:00Z', until: '2026-11-30T00:00Z' }
  const times: [number, string][] = [
    [1, '00:30'],
    [1, '09:00'],
    [1, '17:15'],
    [3, '09:00'],
    [7, '23:59'],
  ]
  expect(slots(times, week)).toEqual([
    // It is 1 o'clock in Berlin when the week of UTC begins, and Monday there when it ends.
    '2026-11-23T08:00Z 2026-11-23T09:00',
    '2026-11-23T16:15Z 2026-11-23T17:15',
    '2026-11-25T08:00Z 2026-11-25T09:00',
    '2026-11-29T22:59Z 2026-11-29T23:59',
    '2026-11-29T23:30Z 2026-11-30T00:30',
  ])
  expect(slots([[1, '09:00']], week, 'Pacific/Kiritimati')).toEqual(['2026-11-29T19:00Z 2026-11-30T09:00'])
  expect(slots([], week)).toEqual([])
})

test('the first moment counts, the last one does not', () => {
  const times: [number, string][] = [
    [1, '09:00'],
    [1, '10:00'],
  ]
  expect(slots(times, { from: '2026-11-23T08:00:00Z', until: '2026-11-23T09:00:00Z' })).toEqual([
    '2026-11-23T08:00Z 2026-11-23T09:00',
  ])
  expect(slots(times, { from: '2026-11-23T08:00:00.001Z', until: '2026-11-23T09:00:00.001Z' })).toEqual([
    '2026-11-23T09:00Z 2026-11-23T10:00',
  ])
})

test.each([
  // Clocks go from 02:00 to 03:00 on 28 March.
  ['Europe/Berlin', '02:30', ['2027-03-21T01:30Z 2027-03-21T02:30', '2027-04-04T00:30Z 2027-04-04T02:30']],
  [
    'Europe/Berlin',
    '03:00',
    ['2027-03-21T02:00Z 2027-03-21T03:00', '2027-03-28T01:00Z 2027-03-28T03:00', '2027-04-04T01:00Z 2027-04-04T03:00'],
  ],
  // They stay at New Zealand's summer time until 4 April; then 02:30 is there twice, an hour apart.
  [
    'Pacific/Auckland',
    '02:30',
    ['2027-03-20T13:30Z 2027-03-21T02:30', '2027-03-27T13:30Z 2027-03-28T02:30', '2027-04-03T13:30Z 2027-04-04T02:30'],
  ],
])('%s at %s: what a change of the clocks skips is left out, of two it is the first', (timezone, time, expected) => {
  const range = { from: '2027-03-18T00:00Z', until: '2027-04-08T00:00Z' }
  expect(slots([[7, time]], range, timezone)).toEqual(expected)
})

test('a midnight that is skipped, and a gap of half an hour', () => {
  const santiago = { from: '2027-08-28T00:00Z', until: '2027-09-13T00:00Z' }
  // Clocks go from Saturday 24:00 to Sunday 01:00 on 5 September.
  expect(slots([[7, '00:30']], santiago, 'America/Santiago')).toEqual([
    '2027-08-29T04:30Z 2027-08-29T00:30',
    '2027-09-12T03:30Z 2027-09-12T00:30',
  ])
  const lordHowe = { from: '2027-10-01T00:00Z', until: '2027-10-04T00:00Z' }
  const times: [number, string][] = [
    [7, '02:15'],
    [7, '02:30'],
  ]
  expect(slots(times, lordHowe, 'Australia/Lord_Howe')).toEqual(['2027-10-02T15:30Z 2027-10-03T02:30'])
})
