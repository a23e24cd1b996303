import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/durations'
import { afterFailure, readRetryAfter } from './after-failure.ts'
import { webhookDefaults } from './settings.ts'

const failed = { attempts: 0, failures: 0, status: null, retryAfterMs: null }
const after = (fields: Partial<Parameters<typeof afterFailure>[1]>, chance = 0) =>
  afterFailure(webhookDefaults, { ...failed, ...fields }, chance)

test('ten attempts within some three days, each pause a tenth longer at most', () => {
  const pauses = Array.from({ length: 10 }, (_, attempts) => after({ attempts }).sendInMs)
  expect(pauses.at(-1)).toBeNull()
  const hours = pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0) / HOUR_MS
  expect(hours).toBeGreaterThan(3 * 24)
  expect(hours).toBeLessThan(3.5 * 24)
  expect(after({ attempts: 8 }).sendInMs).toBe(DAY_MS)
  expect(after({ attempts: 8 }, 1).sendInMs).toBe(Math.round(1.1 * DAY_MS))
})

test.each([
  ['no answer: the lane waits for the same event', {}, 5 * SECOND_MS],
  ['a proxy before what is not there', { status: 502 }, 5 * SECOND_MS],
  ['an event that is refused stops no other', { status: 400 }, 0],
  ['an event that breaks the receiver neither', { status: 500 }, 0],
  ['two in a row', { status: 500, failures: 1 }, SECOND_MS],
  ['three in a row', { status: 404, failures: 2 }, 30 * SECOND_MS],
  ['many in a row', { failures: 1_000 }, 5 * MINUTE_MS],
  ['too many requests', { status: 429 }, MINUTE_MS],
  ['as it asks for', { status: 429, retryAfterMs: 90_000 }, 90 * SECOND_MS],
  ['also with another status', { status: 503, retryAfterMs: 90_000 }, 90 * SECOND_MS],
  ['an hour at most', { status: 503, retryAfterMs: 30 * DAY_MS }, HOUR_MS],
])('%s', (_, fields, laneInMs) => {
  expect(after(fields).laneInMs).toBe(laneInMs)
})

test('only 410 says that it is gone', () => {
  expect([404, 410, 500].filter((status) => after({ status }).gone)).toEqual([410])
})

test.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['Mon, 30 Nov 2026 10:00:30 GMT', 30_000],
  ['Mon, 30 Nov 2026 09:00:00 GMT', 0],
  ['soon', null],
  ['-5', null],
  [undefined, null],
])('Retry-After: %s', (header, expected) => {
  expect(readRetryAfter(header, new Date('2026-11-30T10:00:00Z'))).toBe(expected)
})
