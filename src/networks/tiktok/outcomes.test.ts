import { expect, test } from 'vitest'
import type { HttpAnswer } from '../kit/http.ts'
import { answer } from '../kit/testing.ts'
import { errors } from './outcomes.ts'
import { refusal, success } from './testing-posts.ts'

const judged = (given: HttpAnswer) => errors.classify(given, new Date('2026-11-21T12:00:00Z')).meaning
const failure = (reason: string) => success({ status: 'FAILED', fail_reason: reason })
const final = (reason: string) => ({ kind: 'refused', reason })
const until = (time: string) => ({ kind: 'wait', until: new Date(`2026-11-21T${time}:00Z`) })
const PROVES_NOTHING = { kind: 'ambiguous' }

test.each<[string, HttpAnswer, object]>([
  ['the other spelling', refusal(400, 'invalid_param', 'post_info.title: too long'), final('CAPTION_TOO_LONG')],
  ['another parameter', refusal(400, 'invalid_params', 'video_cover_timestamp_ms is invalid'), final('UNKNOWN')],
  ['a field of chunks', refusal(400, 'invalid_param', 'total_chunk_count: 9'), final('UNKNOWN_MEDIA_ERROR')],
  ['an unknown refusal', refusal(403, 'brand_new_code', 'No.'), final('UNKNOWN')],
  ['an unknown failure', failure('brand_new_reason'), final('UNKNOWN')],
  ['a failure without a reason', failure(''), final('UNKNOWN')],
  ['spam, said with HTTP 200', refusal(200, 'spam_risk'), final('ACCOUNT_RESTRICTED_SPAM')],
  ['an unknown code with HTTP 200', refusal(200, 'brand_new_code'), PROVES_NOTHING],
  ['an unknown code with HTTP 502', refusal(502, 'brand_new_code'), PROVES_NOTHING],
  ['a success of another shape', success({ surprise: [] }), PROVES_NOTHING],
  ['a refusal without a code', answer(403, { error: 'no' }), PROVES_NOTHING],
  ['too many requests', answer(429), until('12:01')],
  ['too many posts', refusal(200, 'spam_risk_too_many_posts'), until('13:00')],
  ['words', refusal(403, 'spam_risk', 'Slow  down.'), { message: expect.stringMatching(/TikTok says: Slow down\.$/) }],
])('%s', (_, given, meaning) => expect(judged(given)).toMatchObject(meaning))

test.each([refusal(200, 'access_token_invalid'), refusal(200, '10002'), refusal(401, 'brand_new_code')])(
  'a token may be refused with HTTP 200, and by a number: %j',
  (given) => {
    expect(judged(given)).toMatchObject({ kind: 'reconnect', mayRefresh: true })
  },
)
