import { expect, test } from 'vitest'
import { answer } from '../kit/testing.ts'
import { meaningOf, meaningOfPublish, nextQuotaDay, parseError } from './outcomes.ts'
import { apiError } from './testing.ts'

const now = new Date('2026-11-21T12:00:00Z')

test.each([
  ['winter', '2026-11-21T12:00:00Z', '2026-11-22T08:01:00Z'],
  ['summer', '2026-07-01T12:00:00Z', '2026-07-02T07:01:00Z'],
  ['a minute before midnight', '2026-11-22T07:59:00Z', '2026-11-22T08:01:00Z'],
  ['midnight', '2026-11-22T08:00:00Z', '2026-11-23T08:01:00Z'],
  ['a day of 23 hours', '2026-03-08T08:00:00Z', '2026-03-09T07:01:00Z'],
  ['a day of 25 hours', '2026-11-01T07:00:00Z', '2026-11-02T08:01:00Z'],
])('the quota comes back after midnight Pacific time: %s', (_, at, until) => {
  expect(nextQuotaDay(new Date(at))).toEqual(new Date(until))
  expect(meaningOf(apiError(403, 'quotaExceeded'), new Date(at))).toMatchObject({ until: new Date(until) })
})

test.each([
  ['120', '2026-11-21T12:02:00Z'],
  ['Sat, 21 Nov 2026 12:05:00 GMT', '2026-11-21T12:05:00Z'],
  ['Sat, 21 Nov 2026 11:05:00 GMT', null],
  ['0', null],
  ['soon', null],
])('a rate limit waits as Retry-After says, or as the policy does: %s', (given, until) => {
  const limited = apiError(403, 'rateLimitExceeded', { 'retry-after': given })
  expect(meaningOf(limited, now)).toMatchObject({ kind: 'wait', until: until === null ? null : new Date(until) })
})

test.each([
  ['the first reason', { errors: [{ reason: 'a' }, { reason: 'b' }], status: 'C' }, 'a'],
  ['else the status', { status: 'UNAUTHENTICATED' }, 'UNAUTHENTICATED'],
  ['none of a list that is none', { errors: 'x' }, null],
])('an error is known by %s', (_, error, reason) => {
  expect(parseError(answer(400, { error })).reason).toBe(reason)
})

test("the network's words are without markup", () => {
  const { message } = meaningOf(apiError(403, 'quotaExceeded', {}, 'Over <a href="/x">quota</a>.'), now)
  expect(message).toMatch(/YouTube says: Over quota\.$/)
})

test('a refusal that no row knows is reported, but proves nothing as the answer to the last piece', () => {
  const unknown = apiError(400, 'somethingNew', {}, 'Nobody knows.')
  const message = expect.stringMatching(/somethingNew.*Nobody/)
  expect(meaningOf(unknown, now)).toMatchObject({ kind: 'refused', reason: 'UNKNOWN', message })
  expect(meaningOfPublish(unknown, now).kind).toBe('ambiguous')
  expect(meaningOfPublish(apiError(400, 'uploadLimitExceeded'), now)).toMatchObject({ reason: 'ACTION_BLOCKED' })
})
