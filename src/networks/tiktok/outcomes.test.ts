import { expect, test } from 'vitest'
import type { HttpAnswer } from '../kit/http.ts'
import { answer } from '../kit/testing.ts'
import { errors } from './outcomes.ts'
import { refusal, success } from './testing-posts.ts'

const now = new Date('2026-11-21T12:00:00Z')
const judged = (result: ReturnType<typeof answer>) => errors.classify(result as HttpAnswer, now)
const failure = (reason: string) => success({ status: 'FAILED', fail_reason: reason })

test.each([
  ['a title that is refused', refusal(400, 'invalid_params', 'The title length is invalid.'), 'CAPTION_TOO_LONG'],
  ['the other spelling', refusal(400, 'invalid_param', 'post_info.title: too long'), 'CAPTION_TOO_LONG'],
  ['a parameter that is refused', refusal(400, 'invalid_params', 'video_cover_timestamp_ms is invalid'), 'UNKNOWN'],
  ['a size of chunks', refusal(400, 'invalid_params', 'The chunk size is invalid'), 'UNKNOWN_MEDIA_ERROR'],
  ['a number of chunks', refusal(400, 'invalid_param', 'The total chunk count is invalid'), 'UNKNOWN_MEDIA_ERROR'],
  ['a field of chunks', refusal(400, 'invalid_params', 'total_chunk_count: 9'), 'UNKNOWN_MEDIA_ERROR'],
  ['a refusal that nobody knows', refusal(403, 'brand_new_code', 'No.'), 'UNKNOWN'],
  ['a failure that nobody knows', failure('brand_new_reason'), 'UNKNOWN'],
  ['a failure without a reason', failure(''), 'UNKNOWN'],
  ['spam, said of a text', failure('spam_risk_text'), 'ACCOUNT_RESTRICTED_SPAM'],
  ['spam, said with HTTP 200', refusal(200, 'spam_risk'), 'ACCOUNT_RESTRICTED_SPAM'],
])('%s is final', (_, given, reason) => {
  expect(judged(given).meaning).toMatchObject({ kind: 'refused', reason })
})

test.each([
  ['a page', answer(200)],
  ['a code that nobody knows with HTTP 200', refusal(200, 'brand_new_code')],
  ['a code that nobody knows with HTTP 502', refusal(502, 'brand_new_code')],
  ['a success of another shape', success({ surprise: [] })],
  ['a refusal without a code', answer(403, { error: 'no' })],
  ['trouble of its own', refusal(500, 'internal_error')],
])('%s proves nothing', (_, given) => expect(judged(given).meaning.kind).toBe('ambiguous'))

test('an expired token may be refreshed, a missing permission cannot be', () => {
  expect(judged(refusal(401, 'access_token_invalid')).meaning).toMatchObject({ kind: 'reconnect', mayRefresh: true })
  expect(judged(refusal(401, 'access_token_expired')).meaning).toMatchObject({ kind: 'reconnect', mayRefresh: true })
  expect(judged(refusal(401, 'scope_not_authorized')).meaning).toMatchObject({ kind: 'reconnect', mayRefresh: false })
})

test.each([
  refusal(200, 'access_token_invalid'),
  refusal(200, 'access_token_expired'),
  refusal(200, 10001),
  refusal(200, 10002),
  refusal(401, 10002),
  refusal(200, '10002'),
])('a token may be refused with HTTP 200, and by a number: %j', (given) => {
  expect(judged(given).meaning).toMatchObject({ kind: 'reconnect', mayRefresh: true })
})

test.each([refusal(200, 10003), refusal(200, 0)])('another number proves nothing: %j', (given) => {
  expect(judged(given).meaning.kind).toBe('ambiguous')
})

test('too many requests are waited for by the minute, too many posts by the hour', () => {
  const minute = new Date('2026-11-21T12:01:00Z')
  expect(judged(refusal(429, 'rate_limit_exceeded'))).toMatchObject({ meaning: { kind: 'wait', until: minute } })
  expect(judged(answer(429))).toMatchObject({ meaning: { kind: 'wait', until: minute } })
  expect(judged(refusal(200, 'spam_risk_too_many_posts'))).toMatchObject({
    meaning: { kind: 'wait', until: new Date('2026-11-21T13:00:00Z') },
    quota: true,
  })
})

test("the network's own words are told, but never of a token", () => {
  expect(judged(refusal(403, 'spam_risk', 'Slow  down.')).meaning.message).toContain('TikTok says: Slow down.')
  const meaning = judged(refusal(401, 'access_token_invalid', 'act.secret is not valid')).meaning
  expect(meaning.message).not.toContain('act.secret')
})

test('every row is reached by its own example, and by that alone', () => {
  const titles = errors.rows.map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
})
