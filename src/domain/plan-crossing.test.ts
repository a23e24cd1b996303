import { expect, test } from 'vitest'
import { reachedPercent } from './plan-crossing.ts'

test.each([
  [7, 8, 10, 80],
  [8, 9, 10, null],
  [9, 10, 10, 100],
  [0, 10, 10, 100],
  [7, 7, 10, null],
  [398, 401, 500, 80],
  [498, 499, 500, null],
  [10, 11, null, null],
] as const)('from %i to %i posts of %s', (before, after, limit, percent) => {
  expect(reachedPercent({ before, after, limit }, { bytes: false })).toBe(percent)
})

test.each([
  [980, 996, 1000, 100],
  [980, 994, 1000, null],
  [100, 994, 1000, 80],
])('from %i to %i of %i bytes', (before, after, limit, percent) => {
  expect(reachedPercent({ before, after, limit }, { bytes: true })).toBe(percent)
})
