import { expect, test } from 'vitest'
import { answer } from '../kit/testing.ts'
import { errors } from './outcomes.ts'
import { refusal, success } from './testing-posts.ts'

const judged = (given: ReturnType<typeof answer>) => errors.classify(given, new Date('2026-11-21T12:00:00Z'))
const failure = (reason: string) => success({ status: 'FAILED', fail_reason: reason })

test.each([
  ['a title that is refused', refusal(400, 'invalid_params', 'The title length is invalid.'), 'CAPTION_TOO_LONG'],
  ['the other spelling', refusal(400, 'invalid_param', 'post_info.title: too long'), 'CAPTION_TOO_LONG'],
  ['a parameter that is refused', refusal(400, 'invalid_params', 'video_cover_timestamp_ms is invalid'), 'UNKNOWN'],
  ['a number of chunks', refusal(400, 'invalid_param', 'The total chunk count is invalid'), 'UNKNOWN_MEDIA_ERROR'],
  ['a field of chunks', refusal(400, 'invalid_params', 'total_chunk_count: 9'), 'UNKNOWN_MEDIA_ERROR'],
  ['a refusal that nobody knows', refusal(403, 'brand_new_code', 'No.'), 'UNKNOWN'],
  ['a failure that nobody knows', failure('brand_new_reason'), 'UNKNOWN'],
  ['a failure without a reason', failure(''), 'UNKNOWN'],
  ['spam, said with HTTP 200', refusal(200, 'spam_risk'), 'ACCOUNT_RESTRICTED_SPAM'],
])('%s is final', (_, given, reason) => {
  expect(judged(given).meaning).toMatchObject({ kind: 'refused', reason })
})

test.each([
  ['a page', answer(200)],
  ['a code that nobody knows with HTTP 200', refusal(200, 'brand_new_code')],
  ['a code that nobody knows with HTTP 502', refusal(502, 'brand_new_code')],
  ['a number that nobody knows', refusal(200, 10003)],
  ['a success of another shape', success({ surprise: [] })],
  ['a refusal without a code', answer(403, { error: 'no' })],
])('%s proves nothing', (_, given) => expect(judged(given).meaning.kind).toBe('ambiguous'))

test.each([
  refusal(200, 'access_token_invalid'),
  refusal(200, 'access_token_expired'),
  refusal(200, 10001),
  refusal(200, '10002'),
  refusal(401, 'brand_new_code'),
])('a token may be refused with HTTP 200, and by a number: %j', (given) => {
  expect(judged(given).meaning).toMatchObject({ kind: 'reconnect', mayRefresh: true })
})

test('a permission that is missing cannot be refreshed', () => {
  expect(judged(refusal(401, 'scope_not_authorized')).meaning).toMatchObject({ kind: 'reconnect', mayRefresh: false })
})

test.each([
  [refusal(200, 'rate_limit_exceeded'), '12:01'],
  [answer(429), '12:01'],
  [refusal(200, 'spam_risk_too_many_posts'), '13:00'],
])('too many requests are waited for by the minute, too many posts by the hour', (given, until) => {
  expect(judged(given).meaning).toMatchObject({ kind: 'wait', until: new Date(`2026-11-21T${until}:00Z`) })
})

test("the network's own words are told, but never of a token", () => {
  expect(judged(refusal(403, 'spam_risk', 'Slow  down.')).meaning.message).toContain('TikTok says: Slow down.')
  const { message } = judged(refusal(401, 'access_token_invalid', 'act.secret is not valid')).meaning
  expect(message).not.toContain('act.secret')
})
