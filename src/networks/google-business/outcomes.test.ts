import { describe, expect, test } from 'vitest'
import type { HttpAnswer } from '../kit/http.ts'
import { errors } from './outcomes.ts'

const now = new Date('2026-11-21T10:00:00.000Z')

function answer(http: number, error: object | null, headers: Record<string, string> = {}): HttpAnswer {
  const json = error === null ? undefined : { error: { code: http, ...error } }
  return { kind: 'answer', status: http, headers, text: JSON.stringify(json) ?? '<html>', json }
}
const meaningOf = (given: HttpAnswer) => errors.lookUp(given, now).meaning
function said(given: HttpAnswer): string {
  const meaning = meaningOf(given)
  if (meaning.kind === 'refused') return `refused ${meaning.reason}`
  return meaning.kind === 'reconnect' ? `reconnect ${meaning.mayRefresh ? 'refresh' : 'no refresh'}` : meaning.kind
}
const invalid = (...errorDetails: object[]) =>
  answer(400, {
    status: 'INVALID_ARGUMENT',
    message: 'Request contains an invalid argument.',
    details: [{ '@type': 'type.googleapis.com/google.mybusiness.v4.ValidationError', errorDetails }],
  })
const reason = (http: number, status: string, name: string) =>
  answer(http, {
    status,
    message: 'No.',
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: name }],
  })

describe('what an answer means', () => {
  test.each<[string, HttpAnswer, string]>([
    ['a dead token', answer(401, { status: 'UNAUTHENTICATED' }), 'reconnect refresh'],
    ['a 401 without a word', answer(401, null), 'reconnect refresh'],
    ['no permission', answer(403, { status: 'PERMISSION_DENIED', message: 'No.' }), 'reconnect no refresh'],
    ['a scope is missing', reason(403, 'PERMISSION_DENIED', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'), 'reconnect no refresh'],
    ['a suspended project', reason(403, 'PERMISSION_DENIED', 'CONSUMER_SUSPENDED'), 'refused UNKNOWN'],
    ['a project that is gone', reason(403, 'PERMISSION_DENIED', 'CONSUMER_INVALID'), 'refused UNKNOWN'],
    [
      'a suspended project, in words alone',
      answer(403, { status: 'PERMISSION_DENIED', message: "Consumer 'project_number:1' has been suspended." }),
      'refused UNKNOWN',
    ],
    ['an API is off', reason(403, 'PERMISSION_DENIED', 'SERVICE_DISABLED'), 'refused UNKNOWN'],
    [
      'an API is off, as older services say it',
      answer(403, { status: 'PERMISSION_DENIED', errors: [{ reason: 'accessNotConfigured' }] }),
      'refused UNKNOWN',
    ],
    ['too many requests as 403', reason(403, 'PERMISSION_DENIED', 'userRateLimitExceeded'), 'wait'],
    ['too many requests without a word', answer(429, null), 'wait'],
    ['a 403 of somebody else', answer(403, null), 'ambiguous'],
    ['the location is gone', answer(404, { status: 'NOT_FOUND' }), 'refused ACCOUNT_RESTRICTED'],
    ['a 404 of somebody else', answer(404, null), 'ambiguous'],
    [
      'a suspended location',
      answer(400, { status: 'FAILED_PRECONDITION', message: 'Suspended.' }),
      'refused ACCOUNT_SUSPENDED',
    ],
    ['the same as a server error', answer(500, { status: 'INTERNAL', message: 'Suspended.' }), 'ambiguous'],
    ['a chain', reason(400, 'FAILED_PRECONDITION', 'LOCATION_DISABLED_FOR_LOCAL_POST_API'), 'refused ACTION_BLOCKED'],
    ['a photo that is not fetched', invalid({ code: 1000, message: 'Fetching image failed.' }), 'again'],
    ['the same by name', invalid({ code: 'PHOTO_FETCH_FAILED' }), 'again'],
    ['another trouble with a photo', invalid({ code: 1017, message: 'No.' }), 'refused UNKNOWN_MEDIA_ERROR'],
    ['a field of the photo', invalid({ code: 3, field: 'media[0].source_url' }), 'refused UNKNOWN_MEDIA_ERROR'],
    [
      'a field of the photo in the other spelling',
      invalid({ code: 3, field: 'localPost.media' }),
      'refused UNKNOWN_MEDIA_ERROR',
    ],
    [
      'a long text',
      invalid({ code: 9, field: 'summary', message: 'Must be at most 1500 characters' }),
      'refused CAPTION_TOO_LONG',
    ],
    ['a missing text', invalid({ code: 2, field: 'summary', message: 'summary is required' }), 'refused UNKNOWN'],
    ['a button', invalid({ code: 3, field: 'callToAction.url', message: 'No.' }), 'refused UNKNOWN'],
    [
      'a field that is not known here',
      invalid({ code: 3, field: 'address.postal_code', message: 'No.' }),
      'refused UNKNOWN',
    ],
    ['something else', answer(400, { status: 'FAILED_PRECONDITION', message: 'No.' }), 'refused UNKNOWN'],
    ['an aborted request', answer(409, { status: 'ABORTED', message: 'No.' }), 'ambiguous'],
    ['a cancelled one', answer(499, { status: 'CANCELLED', message: 'No.' }), 'ambiguous'],
    ['a refusal that nobody understands', answer(400, null), 'ambiguous'],
    ['an unavailable server', answer(503, { status: 'UNAVAILABLE', message: 'No.' }), 'ambiguous'],
    ['a success of another shape', answer(200, null), 'ambiguous'],
    ['a redirect', answer(302, null), 'ambiguous'],
  ])('%s', (_, given, expected) => {
    expect(said(given)).toBe(expected)
  })
})

test('the pause is a minute, or as long as Google says', () => {
  const until = (headers: Record<string, string>) => {
    const meaning = meaningOf(answer(429, { status: 'RESOURCE_EXHAUSTED' }, headers))
    return meaning.kind === 'wait' ? meaning.until?.toISOString() : null
  }
  expect(until({})).toBe('2026-11-21T10:01:00.000Z')
  expect(until({ 'retry-after': '5' })).toBe('2026-11-21T10:01:00.000Z')
  expect(until({ 'retry-after': '300' })).toBe('2026-11-21T10:05:00.000Z')
  expect(until({ 'retry-after': 'soon' })).toBe('2026-11-21T10:01:00.000Z')
})

test('a project without quota is not waited for', () => {
  const given = (value: string) =>
    answer(429, {
      status: 'RESOURCE_EXHAUSTED',
      message: 'Quota exceeded.',
      details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', metadata: { quota_limit_value: value } }],
    })
  expect(said(given('0'))).toBe('refused UNKNOWN')
  expect(said(given('300'))).toBe('wait')
})

test("Google's words about the single fields are told, those about credentials are not", () => {
  expect(meaningOf(invalid({ code: 9, field: 'summary', message: 'Must be\n at most 1500 characters' })).message).toBe(
    'Shorten the caption to 1500 characters. Google says: summary: Must be at most 1500 characters',
  )
  const token = 'ya29.a0-secret-token'
  expect(meaningOf(answer(401, { status: 'UNAUTHENTICATED', message: token })).message).not.toContain(token)
  expect(meaningOf(answer(403, { status: 'PERMISSION_DENIED', message: token })).message).not.toContain(token)
  expect(meaningOf(answer(400, { status: 'X', message: 'y'.repeat(1000) })).message.length).toBeLessThan(400)
})
