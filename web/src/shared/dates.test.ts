import { expect, test } from 'vitest'
import { byDay } from './dates.ts'

const BERLIN = 'Europe/Berlin'
/** A Wednesday, 23:30 in Berlin. */
const NOW = '2030-06-12T21:30:00Z'

test.each([
  ['2030-06-12T21:45:00Z', 'today'],
  // An hour later, and another day where the brand is.
  ['2030-06-12T22:30:00Z', 'tomorrow'],
  ['2030-06-14T08:00:00Z', 'Friday'],
  ['2030-06-18T08:00:00Z', 'Tuesday'],
  ['2030-06-11T21:45:00Z', null],
])('%s is by %s', (instant, words) => {
  expect(byDay(instant, BERLIN, NOW)).toBe(words)
})

test('a later day is a date', () => {
  expect(byDay('2030-06-19T08:00:00Z', BERLIN, NOW)).toMatch(/^(?:June 19|19 June)$/)
})
