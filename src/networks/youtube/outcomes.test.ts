import { expect, test } from 'vitest'
import type { HttpAnswer } from '../kit/http.ts'
import { errors, meaningOf, meaningOfPublish, nextQuotaDay, parseError, retryAfter } from './outcomes.ts'

const now = new Date('2026-11-21T12:00:00Z')
const answer = (status: number, json: unknown, headers: Record<string, string> = {}): HttpAnswer => ({
  kind: 'answer',
  status,
  headers,
  text: JSON.stringify(json),
  json,
})
const apiError = (status: number, reason: string, message = 'No.') =>
  answer(status, { error: { code: status, message, errors: [{ domain: 'youtube', reason, message }] } })

test.each([
  ['winter', '2026-11-21T12:00:00Z', '2026-11-22T08:01:00Z'],
  ['summer', '2026-07-01T12:00:00Z', '2026-07-02T07:01:00Z'],
  ['a minute before midnight', '2026-11-22T07:59:00Z', '2026-11-22T08:01:00Z'],
  ['midnight', '2026-11-22T08:00:00Z', '2026-11-23T08:01:00Z'],
  ['a day of 23 hours', '2026-03-08T08:00:00Z', '2026-03-09T07:01:00Z'],
  ['a day of 25 hours', '2026-11-01T07:00:00Z', '2026-11-02T08:01:00Z'],
])('the quota comes back after midnight Pacific time: %s', (_, at, until) => {
  expect(nextQuotaDay(new Date(at))).toEqual(new Date(until))
})

test.each([
  ['120', '2026-11-21T12:02:00Z'],
  ['Sat, 21 Nov 2026 12:05:00 GMT', '2026-11-21T12:05:00Z'],
  ['Sat, 21 Nov 2026 11:05:00 GMT', null],
  ['0', null],
  ['soon', null],
])('Retry-After: %s', (given, until) => {
  expect(retryAfter({ headers: { 'retry-after': given } }, now)).toEqual(until === null ? null : new Date(until))
  expect(retryAfter({ headers: {} }, now)).toBeNull()
})

test('a rate limit without a time is left to the policy', () => {
  expect(meaningOf(apiError(403, 'rateLimitExceeded'), now)).toMatchObject({ kind: 'wait', until: null })
  const named = { ...apiError(429, 'userRateLimitExceeded'), headers: { 'retry-after': '30' } }
  expect(meaningOf(named, now)).toMatchObject({ until: new Date('2026-11-21T12:00:30Z') })
})

test.each([
  ['the first reason', { errors: [{ reason: 'a' }, { reason: 'b' }], status: 'C' }, 'a'],
  ['else the status', { status: 'UNAUTHENTICATED' }, 'UNAUTHENTICATED'],
  ['else none', {}, null],
  ['none of a list that is none', { errors: 'x' }, null],
])('an error is known by %s', (_, error, reason) => {
  expect(parseError(answer(400, { error })).reason).toBe(reason)
})

test("the network's words are told without markup", () => {
  const { message } = meaningOf(apiError(403, 'quotaExceeded', 'Over <a href="/x">quota</a>.'), now)
  expect(message).toMatch(/YouTube says: Over quota\.$/)
})

test('words of a refused token are not told: they may repeat it', () => {
  expect(meaningOf(apiError(401, 'authError', 'Bad token ya29.secret'), now).message).not.toContain('ya29')
})

test('a refusal that no row knows is told, but proves nothing as the answer to the last piece', () => {
  const unknown = apiError(400, 'somethingNew', 'Nobody knows.')
  expect(meaningOf(unknown, now)).toMatchObject({
    kind: 'refused',
    reason: 'UNKNOWN',
    message: expect.stringMatching(/somethingNew.*Nobody/),
  })
  expect(meaningOfPublish(unknown, now).kind).toBe('ambiguous')
  expect(meaningOfPublish(apiError(403, 'forbidden'), now).kind).toBe('refused')
})

test('every answer of an account that cannot upload has its reason', () => {
  const reasons = Object.fromEntries(
    errors.rows.map(({ title, example }) => {
      const { meaning } = errors.lookUp(answer(example.status, example.body, { ...example.headers }), now)
      return [title.split(':')[0], meaning.kind === 'refused' ? meaning.reason : meaning.kind]
    }),
  )
  expect(reasons).toMatchObject({
    '401 youtubeSignupRequired': 'ACCOUNT_RESTRICTED',
    '403 authenticatedUserAccountSuspended': 'ACCOUNT_SUSPENDED',
    '403 insufficientPermissions': 'reconnect',
    '400 uploadLimitExceeded': 'ACTION_BLOCKED',
    '400 invalidDescription': 'CAPTION_TOO_LONG',
    '400 mediaBodyRequired': 'UNKNOWN_MEDIA_ERROR',
    '403 quotaExceeded': 'wait',
    '401 authError': 'reconnect',
    '500 backendError': 'ambiguous',
  })
})
