import { expect, test } from 'vitest'
import { bytesText } from '../planning/files/bytes-text.ts'
import { fullnessOf, percentOf, rateText } from './plan-words.ts'

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [1_536_000, '1.5 MB'],
  [500_000_000, '500 MB'],
  [20_000_000_000, '20 GB'],
  [5_000_000_000_000_000, '5,000 TB'],
])('%d is %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})

test.each([
  [{ used: 7, limit: 10 }, 'free', 70],
  [{ used: 8, limit: 10 }, 'nearly', 80],
  [{ used: 10, limit: 10 }, 'full', 100],
  [{ used: 12, limit: 10 }, 'full', 100],
  [{ used: 0, limit: 0 }, 'full', 100],
  [{ used: 1_000, limit: null }, 'free', 0],
] as const)('%j is %s', (used, fullness, percent) => {
  expect(fullnessOf(used)).toBe(fullness)
  expect(percentOf(used)).toBe(percent)
})

test.each([
  [5, 'At most 5 per second'],
  [12_500, 'At most 12,500 per second'],
  [1_000_000, 'Not limited'],
])('a rate of %d is %s', (requestsPerSecond, text) => {
  expect(rateText({ requestsPerSecond })).toBe(text)
})
