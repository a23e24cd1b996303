import { describe, expect, test } from 'vitest'
import { answer } from '../kit/testing.ts'
import { classifyFailure, errors } from './outcomes.ts'
import { parseContainer, parseMedia } from './wire.ts'

const now = new Date('2026-11-21T10:00:00.000Z')

/** Kind, reason, and the traits: f spent container, p probe first, a few tries, d daily quota. */
function said(json: object): string {
  const { meaning, spent, proves, failAs, quota } = errors.classify(answer(400, json), now)
  const reason = meaning.kind === 'refused' ? ` ${meaning.reason}` : ''
  const traits = [spent && 'f', proves === false && 'p', failAs && 'a', quota && 'd'].filter(Boolean).join('')
  return `${meaning.kind}${reason}${traits && ` ${traits}`}`
}
const inEnvelope = (error: object) => said({ error: { message: 'No.', type: 'OAuthException', ...error } })
const of = (code: unknown, error_subcode: unknown) => ({ code, error_subcode })
const flat = (code: number, words: string) => said({ error_type: 'OAuthException', code, error_message: words })

describe('every row', () => {
  test.each([
    ['again', '9007/2207027'],
    ['again a', '-2/2207003 9004/2207052 9004 36001 36003'],
    ['again fa', '-2/2207020 -2/2207077 -1/2207082'],
    ['again p', '-1/2207001 341 1 2 -1 -2'],
    ['again pa', '100/33'],
    ['again fpa', '-1/2207032 -1/2207053 24/2207006 24/2207008'],
    ['refused UNKNOWN_MEDIA_ERROR', '1/2207057 100/2207023 100/2207028 352/2207026 36000/2207004 36001/2207005'],
    ['refused UNKNOWN_MEDIA_ERROR', '36003/2207009 -1/2207081 -1/2207067'],
    ['refused UNKNOWN', '100/2207035 100/2207036 100/2207037 100/2207040 110/2207018 2635 100 300'],
    ['refused CAPTION_TOO_LONG', '36004/2207010'],
    ['refused ACCOUNT_RESTRICTED', '25/2207050 190/459 190/464'],
    ['refused ACCOUNT_RESTRICTED p', '368/4854002'],
    ['refused ACCOUNT_RESTRICTED_SPAM p', '4/2207051 368/1390008'],
    ['refused ACTION_BLOCKED p', '368 368/1'],
    ['reconnect', '190/460 190/463 190/467 190 102 3 10 200 299'],
    ['wait', '17 32 613 80002'],
    ['wait p', '4'],
    ['wait d', '9/2207042'],
  ])('%s: %s', (expected, codes) => {
    for (const each of codes.split(' ')) {
      const [code, subcode] = each.split('/')
      expect([each, inEnvelope(of(code, subcode))]).toEqual([each, expected])
    }
  })

  test.each([
    ['a suspension', inEnvelope({ ...of(25, 2207050), message: 'suspended' }), 'refused ACCOUNT_SUSPENDED'],
    ['one that is personal', inEnvelope({ code: 100, message: 'The user is not an Instagram Business' }), 'reconnect'],
    ['a transient error of any code', inEnvelope({ code: 3900, is_transient: true }), 'again p'],
    ['a token that is over, without an envelope', flat(190, 'Session has expired.'), 'reconnect'],
    ['a token, with a status for a code', flat(400, 'The access_token provided is invalid.'), 'reconnect'],
    ['a permission, with a status for a code', flat(403, 'You are not allowed to do this.'), 'reconnect'],
    ['too many requests, with a status for a code', flat(429, 'Slow down.'), 'wait'],
    ['anything else without an envelope', flat(400, 'Something.'), 'refused UNKNOWN'],
  ])('known by its words: %s', (_, meaning, expected) => {
    expect(meaning).toBe(expected)
  })
})

test('the quota of a day is asked for every hour', () => {
  const { meaning } = errors.classify(answer(400, { error: { code: 9, error_subcode: 2207042 } }), now)
  expect(meaning).toMatchObject({ until: new Date('2026-11-21T11:00:00.000Z') })
})

test.each<[number | null, string]>([
  [2207026, 'refused'],
  [2207067, 'refused'],
  [2207081, 'refused'],
  [2207053, 'again'],
  [2299999, 'again'],
  [null, 'again'],
])('the text of a failed container is judged by its subcode: %s', (subcode, kind) => {
  const judged = classifyFailure(subcode, now)
  expect(judged).toMatchObject({ meaning: { kind }, spent: true, failAs: 'UNKNOWN_MEDIA_ERROR' })
  if (subcode === 2299999) expect(judged.meaning.message).toContain('(2299999)')
})

test('an address that is none of the web is not taken for one', () => {
  expect(parseMedia({ id: '1', permalink: 'javascript:alert(1)' })?.permalink).toBeNull()
})

test.each<[unknown, number | null]>([
  ['Error: Media upload has failed with error code 2207026', 2207026],
  [2207053, 2207053],
  [undefined, null],
])('a container that failed says why in its text: %s', (status, failure) => {
  expect(parseContainer({ status_code: 'ERROR', status })).toEqual({ status: 'ERROR', failure })
})
