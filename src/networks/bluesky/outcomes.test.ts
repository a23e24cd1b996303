import { describe, expect, test } from 'vitest'
import { whileFinding, whilePreparing, whilePublishing } from '../kit/outcomes.ts'
import { errors } from './outcomes.ts'

const now = new Date('2026-11-21T07:00:00.000Z')

function meaningOf(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const json = typeof body === 'string' ? undefined : body
  return errors.lookUp({ kind: 'answer', status, headers, text, json }, now).meaning
}

/** What each row leads to when it answers the visible call. */
const expected: Record<string, object> = {
  RateLimitExceeded: {
    kind: 'retry',
    from: 'publish',
    countsAsAttempt: false,
    notBefore: new Date(now.getTime() + 300_000),
  },
  AccountTakedown: { kind: 'refused', reason: 'ACCOUNT_SUSPENDED' },
  AccountDeactivated: { kind: 'refused', reason: 'ACCOUNT_RESTRICTED' },
  ExpiredToken: { kind: 'reconnect', mayRefresh: true },
  InvalidToken: { kind: 'reconnect', mayRefresh: false },
  AuthMissing: { kind: 'reconnect', mayRefresh: false },
  AuthenticationRequired: { kind: 'reconnect', mayRefresh: false },
  AuthFactorTokenRequired: { kind: 'reconnect', mayRefresh: false },
  'InvalidRequest grapheme': { kind: 'refused', reason: 'CAPTION_TOO_LONG' },
  BlobNotFound: { kind: 'retry', from: 'prepare', countsAsAttempt: true },
  InvalidMimeType: { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' },
  'InvalidRequest blob': { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' },
  PayloadTooLarge: { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' },
  InvalidSwap: { kind: 'unknown' },
  DailyLimitExceeded: { kind: 'retry', countsAsAttempt: false, notBefore: new Date(now.getTime() + 3_600_000) },
  UploadForbidden: { kind: 'refused', reason: 'ACTION_BLOCKED' },
  ServiceOverloaded: { kind: 'retry', from: 'prepare', countsAsAttempt: true },
  VideoTooLarge: { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' },
  InternalServerError: { kind: 'unknown' },
}

test.each(errors.rows.map((row) => [row.title, row] as const))('%s', (title, { example }) => {
  const key = Object.keys(expected).filter((words) => words.split(' ').every((word) => title.includes(word)))
  expect(key).toHaveLength(1)
  expect(whilePublishing(meaningOf(example.status, example.body, { ...example.headers }))).toMatchObject(
    expected[key[0] ?? ''] ?? {},
  )
})

test('every row is expected to lead somewhere', () => {
  expect(Object.keys(expected)).toHaveLength(errors.rows.length)
})

describe('the rows read more than their examples', () => {
  const record = (what: string) => ({ error: 'InvalidRequest', message: `Invalid app.bsky.feed.post record: ${what}` })

  test.each([
    [record('string too big (maximum 3000, got 3025) at $.record.text'), 'CAPTION_TOO_LONG'],
    [record('grapheme too big (maximum 300, got 301) at $.text'), 'CAPTION_TOO_LONG'],
    [record('array too big (maximum 4, got 5) at $.record.embed.images'), 'UNKNOWN_MEDIA_ERROR'],
    [record('Expected "image/*" (got "video/mp4") at $.record.embed.images[0].image.mimeType'), 'UNKNOWN_MEDIA_ERROR'],
    [record('Missing required key "createdAt" at $.record'), 'UNKNOWN'],
    [{ error: 'SomethingNew', message: 'Nobody knows' }, 'UNKNOWN'],
  ])('%j', (body, reason) => {
    expect(meaningOf(400, body)).toMatchObject({ kind: 'refused', reason })
  })

  test('waits as long as the server says, by either header', () => {
    const body = { error: 'RateLimitExceeded', message: 'Rate Limit Exceeded' }
    const reset = new Date('2026-11-21T07:04:00.000Z')
    expect(meaningOf(429, body, { 'ratelimit-reset': String(reset.getTime() / 1000) })).toMatchObject({ until: reset })
    expect(meaningOf(429, '', { 'retry-after': '30' })).toMatchObject({ until: new Date(now.getTime() + 30_000) })
    const past = String(now.getTime() / 1000 - 60)
    expect(meaningOf(429, body, { 'ratelimit-reset': past })).toMatchObject({ until: now })
  })

  test('only words of the protocol are proof: a page of a proxy is none', () => {
    expect(meaningOf(403, '<html>').kind).toBe('ambiguous')
    expect(meaningOf(404, {}).kind).toBe('ambiguous')
  })

  test('what may have happened is done again only where nothing can be seen', () => {
    const meaning = meaningOf(502, { error: 'UpstreamFailure', message: 'Upstream service unreachable' })
    expect(whilePreparing(meaning)).toMatchObject({ kind: 'retry', from: 'prepare' })
    expect(whilePublishing(meaning)).toMatchObject({ kind: 'unknown' })
    expect(whileFinding(meaning)).toMatchObject({ kind: 'cannot-tell' })
  })
})
