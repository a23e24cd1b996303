import { expect, test } from 'vitest'
import { whilePublishing } from '../kit/outcomes.ts'
import { answer, page } from '../kit/testing.ts'
import { errors } from './outcomes.ts'

const now = new Date('2026-11-21T07:00:00.000Z')
const after = (ms: number) => ({ kind: 'retry', notBefore: new Date(now.getTime() + ms), from: 'publish' })
const refused = (reason: string) => ({ kind: 'refused', reason })
const unknown = { kind: 'unknown' }

const error = (status: number, name: string, message = 'Words') => answer(status, { error: name, message })
const record = (what: string) => error(400, 'InvalidRequest', `Invalid app.bsky.feed.post record: ${what}`)
const limited = (headers: Record<string, string> = {}) => answer(429, { error: 'RateLimitExceeded' }, headers)
const until = Date.parse('2026-11-21T07:04:00.000Z') / 1000

/** Beside the examples of the rows: other names, words and headers, and what is in no row. */
test.each([
  [error(401, 'RepoTakendown'), refused('ACCOUNT_SUSPENDED')],
  [error(401, 'RepoDeactivated'), refused('ACCOUNT_RESTRICTED')],
  [error(401, 'AuthMissing'), { kind: 'reconnect', mayRefresh: false }],
  [error(400, 'InvalidSwap'), unknown],
  [page(413), refused('UNKNOWN_MEDIA_ERROR')],
  [error(400, 'BlobTooLarge'), refused('UNKNOWN_MEDIA_ERROR')],
  [record('string too big (maximum 3000, got 3025) at $.record.text'), refused('CAPTION_TOO_LONG')],
  [record('grapheme too big (maximum 300, got 301) at $.text'), refused('CAPTION_TOO_LONG')],
  [record('Expected "image/*" (got "video/mp4") at $.record.embed.images[0]'), refused('UNKNOWN_MEDIA_ERROR')],
  [record('Missing required key "createdAt" at $.record'), refused('UNKNOWN')],
  [error(400, 'SomethingNew'), refused('UNKNOWN')],
  // It waits as long as the server says, by either header.
  [limited(), after(300_000)],
  [limited({ 'ratelimit-reset': String(until) }), after(240_000)],
  [limited({ 'ratelimit-reset': '1' }), after(0)],
  [answer(429, undefined, { 'retry-after': '30' }), after(30_000)],
  // Only words of the protocol are proof: a page of a proxy is none.
  [page(403), unknown],
  [answer(404, {}), unknown],
  [error(502, 'UpstreamFailure'), unknown],
])('%j leads to %j', (given, outcome) => {
  expect(whilePublishing(errors.lookUp(given, now).meaning)).toMatchObject(outcome)
})
