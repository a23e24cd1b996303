import { expect, test } from 'vitest'
import { clockRules, compareClock } from './clock-step.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const compare = (offMs: number, more: { aheadForMs?: number; witnessMs?: number | null } = {}) =>
  compareClock({ readMs: offMs, expectedMs: 0, aheadForMs: 0, witnessMs: null, ...more }, clockRules)

test.each([
  [0, 'believed'],
  [MINUTE, 'believed'],
  [-5_000, 'believed'],
  [MINUTE + 1, 'ahead'],
  [DAY, 'ahead'],
  [-5_001, 'set back'],
  [-DAY, 'set back'],
] as const)('a clock that is %i ms off is %s', (offMs, outcome) => {
  expect(compare(offMs)).toBe(outcome)
})

test('a clock that has jumped is believed when a witness agrees, and not when it speaks against it', () => {
  expect(compare(DAY, { witnessMs: DAY - 1_000 })).toBe('believed')
  expect(compare(DAY, { witnessMs: 1_000 })).toBe('ahead')
  expect(compare(DAY, { witnessMs: DAY / 2 })).toBe('ahead')
})

test('a clock that has jumped is believed after ten minutes', () => {
  expect(compare(DAY, { aheadForMs: 10 * MINUTE - 1 })).toBe('ahead')
  expect(compare(DAY, { aheadForMs: 10 * MINUTE })).toBe('believed')
})
