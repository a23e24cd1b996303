import { describe, expect, test } from 'vitest'
import type { HttpAnswer } from '../kit/http.ts'
import { classifyVideo, errors, rows } from './outcomes.ts'

const now = new Date('2026-11-21T10:00:00.000Z')

function answer(error: object | null, more: Partial<HttpAnswer> = {}): HttpAnswer {
  const json = error === null ? undefined : { error: { message: 'No.', type: 'OAuthException', ...error } }
  return { kind: 'answer', status: 400, headers: {}, text: JSON.stringify(json) ?? '', json, ...more }
}

/** Kind, reason, and the traits: f fresh upload, p probe first, a few tries. */
function said(code: number, subcode: number | null, more: object = {}): string {
  const judged = errors.classify(
    answer({ code, ...(subcode === null ? {} : { error_subcode: subcode }), ...more }),
    now,
  )
  const { meaning, spent, proves, failAs } = judged
  const reason = meaning.kind === 'refused' ? ` ${meaning.reason}` : ''
  const traits = [spent && 'f', proves === false && 'p', failAs && 'a'].filter(Boolean).join('')
  return `${meaning.kind}${reason}${traits && ` ${traits}`}`
}

describe('an error', () => {
  test.each<[number, number | null, string]>([
    [506, null, 'refused ACTION_BLOCKED p'],
    [100, 1366051, 'refused ACTION_BLOCKED p'],
    [1404082, null, 'refused ACTION_BLOCKED p'],
    [368, 4854002, 'refused ACCOUNT_RESTRICTED p'],
    [200, 1404078, 'refused ACCOUNT_RESTRICTED p'],
    [368, 1404112, 'refused ACCOUNT_RESTRICTED p'],
    [368, 1390008, 'refused ACCOUNT_RESTRICTED_SPAM p'],
    [368, 1346003, 'refused ACCOUNT_RESTRICTED_SPAM p'],
    [368, 1404006, 'refused ACTION_BLOCKED p'],
    [368, 1404102, 'refused ACTION_BLOCKED p'],
    [368, null, 'refused ACTION_BLOCKED p'],
    [368, 12, 'refused ACTION_BLOCKED p'],
    [190, 459, 'refused ACCOUNT_RESTRICTED'],
    [190, 464, 'refused ACCOUNT_RESTRICTED'],
    [190, 490, 'refused ACCOUNT_RESTRICTED'],
    [490, null, 'refused ACCOUNT_RESTRICTED'],
    [190, 492, 'reconnect'],
    [190, 458, 'reconnect'],
    [190, 460, 'reconnect'],
    [190, 463, 'reconnect'],
    [190, null, 'reconnect'],
    [102, null, 'reconnect'],
    [10, null, 'reconnect'],
    [3, null, 'reconnect'],
    [200, null, 'reconnect'],
    [283, null, 'reconnect'],
    [100, 1609008, 'refused ACTION_BLOCKED'],
    [100, 1609005, 'refused ACTION_BLOCKED'],
    [1500, null, 'refused UNKNOWN'],
    [100, 2061006, 'refused UNKNOWN'],
    [324, null, 'refused UNKNOWN_MEDIA_ERROR'],
    [324, 2069019, 'refused UNKNOWN_MEDIA_ERROR'],
    [352, null, 'refused UNKNOWN_MEDIA_ERROR'],
    [382, null, 'refused UNKNOWN_MEDIA_ERROR'],
    [100, 1366046, 'refused UNKNOWN_MEDIA_ERROR'],
    [100, 1349125, 'refused UNKNOWN_MEDIA_ERROR'],
    [6001, null, 'refused UNKNOWN_MEDIA_ERROR'],
    [6001, 1363037, 'again fpa'],
    [6000, 1363030, 'again fpa'],
    [6000, null, 'again fa'],
    [6000, 1363019, 'refused UNKNOWN_MEDIA_ERROR'],
    [6000, 1363045, 'refused UNKNOWN_MEDIA_ERROR'],
    [6000, 1363128, 'refused UNKNOWN_MEDIA_ERROR'],
    [6000, 1363047, 'again p'],
    [389, null, 'again a'],
    [100, 33, 'again fpa'],
    [4, null, 'wait p'],
    [17, null, 'wait'],
    [32, null, 'wait'],
    [613, null, 'wait'],
    [80001, null, 'wait'],
    [1, null, 'again p'],
    [-1, null, 'again p'],
    [341, null, 'again p'],
    [2, null, 'again p'],
    [2635, null, 'refused UNKNOWN'],
    [100, null, 'refused UNKNOWN'],
    [9999, null, 'refused UNKNOWN'],
  ])('%i/%s: %s', (code, subcode, meaning) => {
    expect(said(code, subcode)).toBe(meaning)
  })

  test.each<[number, string, string]>([
    [100, 'Name parameter too long', 'refused CAPTION_TOO_LONG'],
    [100, '(#100) No permission to publish the video', 'reconnect'],
    [100, '(#100) Param message must be no longer than 63206 characters', 'refused CAPTION_TOO_LONG'],
    [368, 'Your Page has been suspended', 'refused ACCOUNT_SUSPENDED p'],
    [368, 'We limit how often you can post', 'refused ACCOUNT_RESTRICTED_SPAM p'],
  ])('%i with the words "%s"', (code, message, meaning) => {
    expect(said(code, null, { message })).toBe(meaning)
  })

  test('of the host that takes videos is told apart by its type', () => {
    const upload = (type: string) => answer(null, { json: { debug_info: { type, message: 'Again', retriable: true } } })
    expect(errors.classify(upload('OffsetInvalidError'), now)).toMatchObject({
      meaning: { kind: 'again' },
      failAs: 'UNKNOWN_MEDIA_ERROR',
    })
    expect(errors.classify(upload('ProcessingFailedError'), now).spent).toBe(true)
    expect(errors.classify(upload('SomethingElse'), now).meaning.kind).toBe('ambiguous')
  })
})

test('rate limits are waited for as long as the network says, else for a quarter of an hour', () => {
  const usage = '{"1":[{"type":"pages","estimated_time_to_regain_access":19}]}'
  const told = errors.classify(
    answer({ code: 80001 }, { headers: { 'x-business-use-case-usage': usage } }),
    now,
  ).meaning
  expect(told).toMatchObject({ kind: 'wait', until: new Date('2026-11-21T10:19:00.000Z') })
  expect(errors.classify(answer({ code: 32 }), now).meaning).toMatchObject({
    until: new Date('2026-11-21T10:15:00.000Z'),
  })
})

test('only a refusal that is in the table, and not a doubtful one, is certain', () => {
  const certain = (error: object | null, more?: Partial<HttpAnswer>) =>
    errors.classify(answer(error, more), now).certain
  expect(certain({ code: 324 })).toBe(true)
  expect(certain({ code: 190 })).toBe(true)
  expect(certain({ code: 506 })).toBe(false)
  expect(certain({ code: 9999 })).toBe(false)
  expect(certain({ code: 324 }, { status: 500 })).toBe(false)
  expect(certain(null, { status: 400 })).toBe(false)
})

test("the network's words to users are told, those about tokens are not", () => {
  const words = { message: 'Internal', error_user_msg: 'Please   use\nJPEG.' }
  expect(errors.classify(answer({ code: 324, ...words }), now).meaning.message).toBe(
    'Use another image: JPEG or PNG. Facebook says: Please use JPEG.',
  )
  expect(
    errors.classify(answer({ code: 190, message: 'Malformed access token EAAB' }), now).meaning.message,
  ).not.toContain('EAAB')
})

test('a video that failed is judged by its code, else it is the file', () => {
  expect(classifyVideo({ code: 1363128, message: 'Too short' }, now).meaning).toMatchObject({
    kind: 'refused',
    reason: 'UNKNOWN_MEDIA_ERROR',
    message: expect.stringContaining('3 to 90 seconds'),
  })
  expect(classifyVideo({ code: null, message: 'Broken.' }, now).meaning).toMatchObject({
    kind: 'refused',
    reason: 'UNKNOWN_MEDIA_ERROR',
    message: expect.stringContaining('Broken.'),
  })
})

test('every row has a title of its own', () => {
  const titles = rows.map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
  expect(errors.rows).toHaveLength(rows.length)
})
