import { expect, test } from 'vitest'
import { publisherDefaults, visibleCallTimes } from './settings.ts'

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
