import { expect, test } from 'vitest'
import { daysAgo, relativeTime } from './relative.ts'

const NOW = Date.parse('2026-06-15T12:00:00Z')

test.each([
  ['2026-06-15T12:00:00Z', 'just now'],
  ['2026-06-15T11:59:01Z', 'just now'],
  ['2026-06-15T12:00:59Z', 'just now'],
  ['2026-06-15T11:59:00Z', '1 minute ago'],
  ['2026-06-15T11:57:00Z', '3 minutes ago'],
  ['2026-06-15T11:00:01Z', '59 minutes ago'],
  ['2026-06-15T11:00:00Z', '1 hour ago'],
  ['2026-06-14T12:00:01Z', '23 hours ago'],
  ['2026-06-14T12:00:00Z', '1 day ago'],
  ['2026-06-20T12:00:00Z', 'in 5 days'],
  ['2026-06-01T12:00:00Z', '2 weeks ago'],
  ['2026-08-15T12:00:00Z', 'in 2 months'],
  ['2024-06-15T12:00:00Z', '2 years ago'],
])('%s is %s', (instant, words) => {
  expect(relativeTime(instant, NOW)).toBe(words)
})

test.each([
  ['2026-06-15T12:00:00Z', 'today'],
  ['2026-06-14T22:30:00Z', 'today'],
  ['2026-06-14T21:30:00Z', 'yesterday'],
  ['2026-06-13T21:30:00Z', '2 days ago'],
  ['2026-05-10T12:00:00Z', '36 days ago'],
  ['2026-06-16T12:00:00Z', 'today'],
])('in Berlin, %s was %s', (instant, words) => {
  expect(daysAgo(instant, 'Europe/Berlin', NOW)).toBe(words)
})
