import { describe, expect, test } from 'vitest'
import type { HttpAnswer } from '../kit/http.ts'
import { classifyFailure, errors, rows } from './outcomes.ts'

const now = new Date('2026-11-21T10:00:00.000Z')

function answer(error: object | null, more: Partial<HttpAnswer> = {}): HttpAnswer {
  const json = error === null ? undefined : { error: { message: 'No.', type: 'OAuthException', ...error } }
  return { kind: 'answer', status: 400, headers: {}, text: JSON.stringify(json) ?? '', json, ...more }
}

/** Kind, reason, and the traits: f spent container, p probe first, a few tries, d daily quota. */
function said(code: number, subcode: number | null, more: object = {}): string {
  const judged = errors.classify(
    answer({ code, ...(subcode === null ? {} : { error_subcode: subcode }), ...more }),
    now,
  )
  const { meaning, spent, proves, failAs, quota } = judged
  const reason = meaning.kind === 'refused' ? ` ${meaning.reason}` : ''
  const traits = [spent && 'f', proves === false && 'p', failAs && 'a', quota && 'd'].filter(Boolean).join('')
  return `${meaning.kind}${reason}${traits && ` ${traits}`}`
}

describe('every row', () => {
  test.each<[number, number | null, string]>([
    [-2, 2207003, 'again a'],
    [-2, 2207020, 'again fa'],
    [-1, 2207001, 'again p'],
    [-1, 2207032, 'again fpa'],
    [-1, 2207053, 'again fpa'],
    [1, 2207057, 'refused UNKNOWN_MEDIA_ERROR'],
    [4, 2207051, 'refused ACCOUNT_RESTRICTED_SPAM p'],
    [9, 2207042, 'wait d'],
    [24, 2207006, 'again fpa'],
    [24, 2207008, 'again fpa'],
    [25, 2207050, 'refused ACCOUNT_RESTRICTED'],
    [100, 2207023, 'refused UNKNOWN_MEDIA_ERROR'],
    [100, 2207028, 'refused UNKNOWN_MEDIA_ERROR'],
    [100, 2207035, 'refused UNKNOWN'],
    [100, 2207036, 'refused UNKNOWN'],
    [100, 2207037, 'refused UNKNOWN'],
    [100, 2207040, 'refused UNKNOWN'],
    [110, 2207018, 'refused UNKNOWN'],
    [352, 2207026, 'refused UNKNOWN_MEDIA_ERROR'],
    [9004, 2207052, 'again a'],
    [9007, 2207027, 'again'],
    [36000, 2207004, 'refused UNKNOWN_MEDIA_ERROR'],
    [36001, 2207005, 'refused UNKNOWN_MEDIA_ERROR'],
    [36003, 2207009, 'refused UNKNOWN_MEDIA_ERROR'],
    [36004, 2207010, 'refused CAPTION_TOO_LONG'],
    [9004, null, 'again a'],
    [36001, null, 'again a'],
    [36003, null, 'again a'],
    [3, null, 'reconnect'],
    [341, null, 'again p'],
    [-1, 2207081, 'refused UNKNOWN_MEDIA_ERROR'],
    [-1, 2207067, 'refused UNKNOWN_MEDIA_ERROR'],
    [-2, 2207077, 'again fa'],
    [-1, 2207082, 'again fa'],
    [100, 33, 'again pa'],
    [368, 4854002, 'refused ACCOUNT_RESTRICTED p'],
    [368, 1390008, 'refused ACCOUNT_RESTRICTED_SPAM p'],
    [368, null, 'refused ACTION_BLOCKED p'],
    [368, 1, 'refused ACTION_BLOCKED p'],
    [190, 459, 'refused ACCOUNT_RESTRICTED'],
    [190, 464, 'refused ACCOUNT_RESTRICTED'],
    [190, 460, 'reconnect'],
    [190, 463, 'reconnect'],
    [190, 467, 'reconnect'],
    [190, null, 'reconnect'],
    [102, null, 'reconnect'],
    [10, null, 'reconnect'],
    [200, null, 'reconnect'],
    [299, null, 'reconnect'],
    [4, null, 'wait p'],
    [17, null, 'wait'],
    [32, null, 'wait'],
    [613, null, 'wait'],
    [80002, null, 'wait'],
    [2635, null, 'refused UNKNOWN'],
    [1, null, 'again p'],
    [2, null, 'again p'],
    [-1, null, 'again p'],
    [-2, null, 'again p'],
    [100, null, 'refused UNKNOWN'],
    [300, null, 'refused UNKNOWN'],
  ])('%i/%s', (code, subcode, expected) => {
    expect(said(code, subcode)).toBe(expected)
  })

  test('the words of an error tell a suspended account and one that is not professional', () => {
    expect(said(25, 2207050, { error_user_msg: 'Your account has been suspended.' })).toBe('refused ACCOUNT_SUSPENDED')
    expect(said(100, null, { message: 'The user is not an Instagram Business account' })).toBe('reconnect')
  })

  test.each<[string, number, string, string]>([
    ['a token that is over', 190, 'Session has expired.', 'reconnect'],
    ['a token, with a status for a code', 400, 'The access_token provided is invalid.', 'reconnect'],
    ['a permission', 403, 'You are not allowed to do this.', 'reconnect'],
    ['too many requests', 429, 'Slow down.', 'wait'],
    ['anything else', 400, 'Something.', 'refused'],
  ])('an error without an envelope: %s', (_, code, message, kind) => {
    const json = { error_type: 'OAuthException', code, error_message: message }
    const given: HttpAnswer = { kind: 'answer', status: 400, headers: {}, text: JSON.stringify(json), json }
    expect(errors.classify(given, now).meaning.kind).toBe(kind)
  })

  test('a transient error of any code may pass', () => {
    expect(said(3900, null, { is_transient: true })).toBe('again p')
  })

  test('numbers may come as text', () => {
    expect(errors.classify(answer({ code: '36004', error_subcode: '2207010' }), now).meaning).toMatchObject({
      reason: 'CAPTION_TOO_LONG',
    })
  })

  test('each is reached by an example of its own', () => {
    expect(new Set(rows.map((row) => row.title)).size).toBe(rows.length)
  })
})

describe('proof that the visible call had no effect', () => {
  test.each<[string, HttpAnswer, boolean]>([
    ['a refusal that is known', answer({ code: 36004, error_subcode: 2207010 }), true],
    ['a dead token', answer({ code: 190 }), true],
    ['too many requests of the account', answer({ code: 80002 }), true],
    ['spam', answer({ code: 4, error_subcode: 2207051 }), false],
    ['too many requests of the app', answer({ code: 4 }), false],
    ['a refusal that is not known', answer({ code: 12345 }), false],
    ['a known refusal as a server error', answer({ code: 190 }, { status: 500 }), false],
    ['an answer without an error', answer(null), false],
    ['a success that cannot be read', answer(null, { status: 200 }), false],
  ])('%s', (_, given, certain) => {
    expect(errors.classify(given, now).certain).toBe(certain)
  })
})

test('the network says when it takes requests again', () => {
  const headers = { 'x-business-use-case-usage': '{"1":[{"type":"instagram","estimated_time_to_regain_access":19}]}' }
  const until = (given: HttpAnswer) => {
    const { meaning } = errors.classify(given, now)
    return meaning.kind === 'wait' ? meaning.until?.toISOString() : null
  }
  expect(until(answer({ code: 80002 }, { headers }))).toBe('2026-11-21T10:19:00.000Z')
  expect(until(answer({ code: 80002 }))).toBe('2026-11-21T10:15:00.000Z')
  expect(until(answer({ code: 80002 }, { headers: { 'x-business-use-case-usage': '{' } }))).toBe(
    '2026-11-21T10:15:00.000Z',
  )
  expect(until(answer({ code: 9, error_subcode: 2207042 }))).toBe('2026-11-21T11:00:00.000Z')
})

test("the network's words to users are told, those about tokens are not", () => {
  const words = { message: 'Internal', error_user_msg: 'Please   use\nJPEG.' }
  expect(errors.classify(answer({ code: 36001, error_subcode: 2207005, ...words }), now).meaning.message).toBe(
    'Use a JPEG image. Instagram says: Please use JPEG.',
  )
  expect(
    errors.classify(answer({ code: 190, message: 'Malformed access token EAAB' }), now).meaning.message,
  ).not.toContain('EAAB')
})

test('the text of a failed container is judged by its subcode', () => {
  expect(classifyFailure(2207026, now)).toMatchObject({
    meaning: { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' },
    spent: true,
  })
  expect(classifyFailure(2207053, now)).toMatchObject({ meaning: { kind: 'again' }, spent: true })
  for (const subcode of [2207067, 2207081]) {
    expect(classifyFailure(subcode, now)).toMatchObject({ meaning: { kind: 'refused' }, spent: true })
  }
  expect(classifyFailure(2299999, now)).toMatchObject({
    meaning: { kind: 'again', message: 'Instagram could not take in the media. (2299999)' },
    failAs: 'UNKNOWN_MEDIA_ERROR',
  })
  expect(classifyFailure(null, now)).toMatchObject({ meaning: { kind: 'again' }, spent: true })
})
