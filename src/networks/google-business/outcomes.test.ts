import { expect, test } from 'vitest'
import type { HttpAnswer } from '../kit/http.ts'
import { page } from '../kit/testing.ts'
import { errors } from './outcomes.ts'
import { googleError, info } from './testing-posts.ts'

const now = new Date('2026-11-21T10:00:00.000Z')
const meaningOf = (given: HttpAnswer) => errors.lookUp(given, now).meaning
function said(given: HttpAnswer): string {
  const meaning = meaningOf(given)
  return meaning.kind === 'refused' ? `refused ${meaning.reason}` : meaning.kind
}
const invalid = (entry: object) =>
  googleError(400, 'INVALID_ARGUMENT', { message: 'No.', details: [{ '@type': 'x', errorDetails: [entry] }] })
const denied = (more: object) => googleError(403, 'PERMISSION_DENIED', { message: 'No.', ...more })
const reason = (name: string) => denied(info({ reason: name }))
const summary = (code: number, message: string) => invalid({ code, field: 'summary', message })
const MEDIA = 'refused UNKNOWN_MEDIA_ERROR'

test.each<[string, HttpAnswer, string]>([
  ['a project that is gone', reason('CONSUMER_INVALID'), 'refused UNKNOWN'],
  ['its words alone', denied({ message: "Consumer 'project_number:1' has been suspended." }), 'refused UNKNOWN'],
  [
    'an API is off, as older services say it',
    denied({ errors: [{ reason: 'accessNotConfigured' }] }),
    'refused UNKNOWN',
  ],
  ['too many requests as 403', reason('userRateLimitExceeded'), 'wait'],
  ['too many requests without a word', page(429), 'wait'],
  ['a 403 of somebody else', page(403), 'ambiguous'],
  ['a 404 of somebody else', page(404), 'ambiguous'],
  ['a suspended location', googleError(400, 'X', { message: 'Suspended.' }), 'refused ACCOUNT_SUSPENDED'],
  ['the same as a server error', googleError(500, 'INTERNAL', { message: 'Suspended.' }), 'ambiguous'],
  ['another trouble with a photo', invalid({ code: 1017, message: 'No.' }), MEDIA],
  ['a field of the photo', invalid({ code: 3, field: 'media[0].source_url' }), MEDIA],
  ['a field of the photo in the other spelling', invalid({ code: 3, field: 'localPost.media' }), MEDIA],
  ['a missing text', summary(2, 'summary is required'), 'refused UNKNOWN'],
  ['an aborted request', googleError(409, 'ABORTED'), 'ambiguous'],
  ['a refusal that is not understood', page(400), 'ambiguous'],
])('%s', (_, given, expected) => expect(said(given)).toBe(expected))

test.each([
  [undefined, 60],
  ['300', 300],
  ['soon', 60],
])('retry-after %s: a pause of so many seconds', (header, seconds) => {
  const headers: Record<string, string> = header === undefined ? {} : { 'retry-after': header }
  const until = new Date(now.getTime() + seconds * 1000)
  expect(meaningOf({ ...googleError(429, 'RESOURCE_EXHAUSTED'), headers })).toMatchObject({ kind: 'wait', until })
})

test("Google's words about the single fields are reported, those about credentials are not", () => {
  expect(meaningOf(summary(9, 'Must be\n at most 1500 characters')).message).toBe(
    'Shorten the caption to 1500 characters. Google says: summary: Must be at most 1500 characters',
  )
  const message = 'ya29.a0-secret-token'
  expect(meaningOf(googleError(401, 'UNAUTHENTICATED', { message })).message).not.toContain(message)
  expect(meaningOf(denied({ message })).message).not.toContain(message)
  expect(meaningOf(googleError(400, 'X', { message: 'y'.repeat(1000) })).message.length).toBeLessThan(400)
})
