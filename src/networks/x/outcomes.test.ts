import { describe, expect, test } from 'vitest'
import type { HttpAnswer } from '../kit/http.ts'
import { classify, errors } from './outcomes.ts'

const now = new Date('2026-11-21T12:00:00Z')
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const epoch = (seconds: number) => String(inSeconds(seconds).getTime() / 1000)
const answer = (status: number, json: unknown, headers: Record<string, string> = {}): HttpAnswer => ({
  kind: 'answer',
  status,
  headers,
  text: JSON.stringify(json),
  json,
})
const meaningOf = (given: HttpAnswer) => errors.lookUp(given, now).meaning

describe('the four shapes of an error', () => {
  test.each<[string, number, unknown, object]>([
    [
      'a problem',
      403,
      {
        title: 'Forbidden',
        type: 'https://api.twitter.com/2/problems/user-suspended',
        detail: 'No.',
        status: 403,
      },
      { reason: 'ACCOUNT_SUSPENDED' },
    ],
    [
      'a problem with messages',
      400,
      {
        title: 'Invalid Request',
        detail: 'Wrong.',
        errors: [{ parameters: {}, message: 'Your Tweet text is too long.' }],
      },
      { reason: 'CAPTION_TOO_LONG' },
    ],
    ['numbered errors', 403, { errors: [{ code: 226, message: 'No.' }] }, { reason: 'ACCOUNT_RESTRICTED_SPAM' }],
    ['a number and a message', 401, { code: 89, message: 'Expired.' }, { kind: 'reconnect', mayRefresh: true }],
  ])('%s', (_, status, body, meaning) => {
    expect(meaningOf(answer(status, body))).toMatchObject(meaning)
  })

  test('what it says is told, and not at any length', () => {
    const { message } = meaningOf(answer(400, { title: 'Odd', detail: `Nobody\nknows ${'x'.repeat(1_000)}` }))
    expect(message).toMatch(/^X refused the post \(400\)\. X says: Nobody knows x+$/)
    expect(message.length).toBeLessThan(400)
  })
})

describe('how long to wait', () => {
  test.each<[string, Record<string, string>, Date]>([
    ['until the window ends', { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': epoch(120) }, inSeconds(120)],
    [
      'until the day of the account ends, when that is used up',
      {
        'x-rate-limit-remaining': '40',
        'x-rate-limit-reset': epoch(120),
        'x-user-limit-24hour-remaining': '0',
        'x-user-limit-24hour-reset': epoch(7_200),
        'x-app-limit-24hour-remaining': '10',
        'x-app-limit-24hour-reset': epoch(9_000),
      },
      inSeconds(7_200),
    ],
    ['a second when the window has ended by our clock', { 'x-rate-limit-reset': epoch(-60) }, inSeconds(1)],
    ['15 minutes when it does not say', {}, inSeconds(900)],
    ['15 minutes when it says nonsense', { 'x-rate-limit-reset': 'soon' }, inSeconds(900)],
  ])('%s', (_, headers, until) => {
    expect(meaningOf(answer(429, { title: 'Too Many Requests' }, headers))).toMatchObject({ kind: 'wait', until })
  })

  test('used-up credits are no wait', () => {
    const body = {
      title: 'UsageCapExceeded',
      type: 'https://api.twitter.com/2/problems/usage-capped',
      detail: 'Monthly',
    }
    expect(meaningOf(answer(429, body, { 'x-rate-limit-reset': epoch(120) }))).toMatchObject({
      reason: 'ACTION_BLOCKED',
      message: expect.stringContaining('operator'),
    })
  })
})

describe('as an answer to the visible call', () => {
  const forbidden = (detail: string) => answer(403, { title: 'Forbidden', type: 'about:blank', status: 403, detail })

  test.each<[string, HttpAnswer, boolean]>([
    ['a refusal in the table', forbidden('This request looks like it might be automated.'), true],
    ['a refusal that nobody knows, in words', forbidden('The moon is wrong.'), true],
    ['a duplicate', forbidden('You are not allowed to create a Tweet with duplicate content.'), false],
    ['a duplicate by its number', answer(403, { errors: [{ code: 187, message: 'Status is a duplicate.' }] }), false],
    ['a refusal without words', answer(403, {}), false],
    ['a gateway that waited too long', answer(408, { title: 'Request Timeout' }), false],
    ['an overload by its number', answer(403, { errors: [{ code: 130, message: 'Over capacity' }] }), false],
    ['503', answer(503, { title: 'Service Unavailable' }), false],
    ['a success that holds an error', answer(201, { errors: [{ title: 'Odd', detail: 'Odd' }] }), false],
  ])('%s: proof is %s', (_, given, certain) => {
    expect(classify(given, now, 'Bread').certain).toBe(certain)
  })

  test('"not permitted" means a text that is too long, when it is long', () => {
    const given = forbidden('You are not permitted to perform this action.')
    expect(classify(given, now, 'a'.repeat(280)).meaning).toMatchObject({ reason: 'ACTION_BLOCKED' })
    expect(classify(given, now, 'a'.repeat(281)).meaning).toMatchObject({ reason: 'CAPTION_TOO_LONG' })
  })
})
