import { expect, test } from 'vitest'
import { whilePublishing } from '../kit/outcomes.ts'
import { answer, page } from '../kit/testing.ts'
import { errors } from './outcomes.ts'

const now = new Date('2026-11-21T07:00:00.000Z')
const after = (ms: number) => ({ kind: 'retry', countsAsAttempt: false, notBefore: new Date(now.getTime() + ms) })
const refused = (reason: string) => ({ kind: 'refused', reason })
const again = { kind: 'retry', from: 'prepare', countsAsAttempt: true }
const over = { kind: 'reconnect', mayRefresh: false }

/** What each row leads to when it answers the visible call. */
const expected: Record<string, object> = {
  RateLimitExceeded: { ...after(300_000), from: 'publish', scope: 'identity' },
  AccountTakedown: refused('ACCOUNT_SUSPENDED'),
  AccountDeactivated: refused('ACCOUNT_RESTRICTED'),
  ExpiredToken: { kind: 'reconnect', mayRefresh: true },
  InvalidToken: over,
  AuthMissing: over,
  AuthenticationRequired: over,
  AuthFactorTokenRequired: over,
  'InvalidRequest grapheme': refused('CAPTION_TOO_LONG'),
  BlobNotFound: again,
  InvalidMimeType: refused('UNKNOWN_MEDIA_ERROR'),
  'InvalidRequest blob': refused('UNKNOWN_MEDIA_ERROR'),
  PayloadTooLarge: refused('UNKNOWN_MEDIA_ERROR'),
  InvalidSwap: { kind: 'unknown' },
  DailyLimitExceeded: after(3_600_000),
  UploadForbidden: refused('ACTION_BLOCKED'),
  VideoTooLarge: refused('UNKNOWN_MEDIA_ERROR'),
  ServiceOverloaded: again,
  InternalServerError: { kind: 'unknown' },
}

test('every row is expected to lead somewhere', () => {
  const names = Object.keys(expected).map((words) => words.split(' '))
  for (const [index, { title, example }] of errors.rows.entries()) {
    const { meaning } = errors.lookUp(answer(example.status, example.body), now)
    expect(title).toMatch(new RegExp((names[index] ?? []).join('.*')))
    expect(whilePublishing(meaning), title).toMatchObject(Object.values(expected)[index] ?? {})
  }
  expect(names).toHaveLength(errors.rows.length)
})

const reset = String(new Date('2026-11-21T07:04:00.000Z').getTime() / 1000)
const record = (what: string) =>
  answer(400, { error: 'InvalidRequest', message: `Invalid app.bsky.feed.post record: ${what}` })
const limited = (headers: Record<string, string>) => answer(429, { error: 'RateLimitExceeded' }, headers)

test.each([
  [record('string too big (maximum 3000, got 3025) at $.record.text'), refused('CAPTION_TOO_LONG')],
  [record('grapheme too big (maximum 300, got 301) at $.text'), refused('CAPTION_TOO_LONG')],
  [record('array too big (maximum 4, got 5) at $.record.embed.images'), refused('UNKNOWN_MEDIA_ERROR')],
  [record('Expected "image/*" (got "video/mp4") at $.record.embed.images[0]'), refused('UNKNOWN_MEDIA_ERROR')],
  [record('Missing required key "createdAt" at $.record'), refused('UNKNOWN')],
  [answer(400, { error: 'SomethingNew', message: 'Nobody knows' }), refused('UNKNOWN')],
  // It waits as long as the server says, by either header.
  [limited({ 'ratelimit-reset': reset }), after(240_000)],
  [limited({ 'ratelimit-reset': '1' }), after(0)],
  [answer(429, undefined, { 'retry-after': '30' }), after(30_000)],
  // Only words of the protocol are proof: a page of a proxy is none.
  [page(403), { kind: 'unknown' }],
  [answer(404, {}), { kind: 'unknown' }],
  [answer(502, { error: 'UpstreamFailure', message: 'Upstream service unreachable' }), { kind: 'unknown' }],
])('%j leads to %j', (given, outcome) => {
  expect(whilePublishing(errors.lookUp(given, now).meaning)).toMatchObject(outcome)
})
