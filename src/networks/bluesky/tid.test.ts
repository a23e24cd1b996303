import { expect, test } from 'vitest'
import { isTid, tidAt } from './tid.ts'

test('keys are of the form that servers want, differ, and sort by time', () => {
  const early = Array.from({ length: 50 }, () => tidAt(new Date('2026-11-21T07:00:00.000Z')))
  const late = Array.from({ length: 50 }, () => tidAt(new Date('2026-11-21T07:00:00.001Z')))
  for (const key of [...early, ...late]) expect(isTid(key)).toBe(true)
  expect(new Set([...early, ...late]).size).toBeGreaterThan(98)
  expect(
    [...early]
      .sort()
      .at(-1)
      ?.localeCompare([...late].sort()[0] ?? ''),
  ).toBeLessThan(0)
})

test('the digits hold the microseconds and the clock', () => {
  const key = tidAt(new Date('2026-11-21T07:00:00.000Z'))
  const digits = '234567abcdefghijklmnopqrstuvwxyz'
  const value = [...key].reduce((sum, digit) => sum * 32n + BigInt(digits.indexOf(digit)), 0n)
  expect(Number((value >> 10n) / 1000n)).toBe(Date.parse('2026-11-21T07:00:00.000Z'))
})

test.each(['', '3lbtidtidtid', '3lbtidtidtid22', '1lbtidtidtid2', 'zlbtidtidtid2', '3LBTIDTIDTID2'])(
  '%j is none',
  (text) => {
    expect(isTid(text)).toBe(false)
  },
)
