import { expect, test } from 'vitest'
import { nextAttemptAt, nextLookupAt } from './retry-policy.ts'
import { publisherDefaults, visibleCallTimes } from './settings.ts'

const now = new Date('2026-11-21T10:00:00.000Z')
const after = (date: Date | null) => (date === null ? null : date.getTime() - now.getTime())

test('pauses grow, the last one repeats, and attempts end', () => {
  const pauses = Array.from({ length: 11 }, (_, index) => after(nextAttemptAt(publisherDefaults, index + 1, now)))
  expect(pauses).toEqual([5_000, 20_000, 80_000, 300_000, 900_000, 900_000, 900_000, 900_000, 900_000, null, null])
})

test('lookups follow the schedule from the moment the outcome became unknown', () => {
  const schedule = publisherDefaults.lookupsMs
  expect(schedule.map((_, index) => after(nextLookupAt(schedule, index, now, now)))).toEqual([
    5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000,
  ])
  expect(nextLookupAt(schedule, 6, now, now)).toBeNull()
})

test('a missed lookup is made at once', () => {
  const later = new Date(now.getTime() + 60_000)
  expect(nextLookupAt(publisherDefaults.lookupsMs, 0, now, later)).toEqual(later)
})

test.each([1_000, 5_000, 40_000])('a visible call ends before a lease of %i ms does', (leaseMs) => {
  const { verifyMs, limitMs } = visibleCallTimes(leaseMs)
  expect(verifyMs).toBeLessThanOrEqual(2_000)
  expect(verifyMs).toBeLessThan(limitMs)
  expect(limitMs).toBeLessThan(leaseMs)
})

test('by default another worker begins within a minute of the last sign of life', () => {
  const { leaseMs, tickMs, retryPausesMs } = publisherDefaults
  expect(leaseMs + tickMs + (retryPausesMs[0] ?? 0)).toBeLessThan(60_000)
})
