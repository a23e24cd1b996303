import { expect, test } from 'vitest'
import { nextHour } from './next-hour.ts'

test.each([
  // The clock is moved forward on 2026-03-29 and back on 2026-10-25.
  ['2026-03-28T06:59:59Z', 'Europe/Berlin', '2026-03-28T07:00:00.000Z'],
  ['2026-03-28T07:00:00Z', 'Europe/Berlin', '2026-03-29T06:00:00.000Z'],
  ['2026-10-24T06:00:00Z', 'Europe/Berlin', '2026-10-25T07:00:00.000Z'],
  ['2026-10-25T07:00:00Z', 'Europe/Berlin', '2026-10-26T07:00:00.000Z'],
  // Behind and ahead of UTC: another date.
  ['2026-06-01T11:59:00Z', 'America/New_York', '2026-06-01T12:00:00.000Z'],
  ['2026-06-01T00:00:00Z', 'Pacific/Auckland', '2026-06-01T20:00:00.000Z'],
  ['2026-06-01T00:00:00Z', 'Asia/Kathmandu', '2026-06-01T02:15:00.000Z'],
  // Samoa had no 30 December 2011.
  ['2011-12-29T19:00:00Z', 'Pacific/Apia', '2011-12-30T18:00:00.000Z'],
  ['2026-06-01T09:00:00Z', 'Nowhere/Land', '2026-06-02T08:00:00.000Z'],
])('after %s it is eight in %s at %s', (from, timezone, expected) => {
  expect(nextHour(new Date(from), 8, timezone).toISOString()).toBe(expected)
})

test('an hour that is skipped is moved forward, and one that is repeated is the first', () => {
  expect(nextHour(new Date('2026-03-28T12:00:00Z'), 2, 'Europe/Berlin').toISOString()).toBe('2026-03-29T01:00:00.000Z')
  expect(nextHour(new Date('2026-10-24T12:00:00Z'), 2, 'Europe/Berlin').toISOString()).toBe('2026-10-25T00:00:00.000Z')
})
