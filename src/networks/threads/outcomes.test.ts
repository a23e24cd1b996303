import { describe, expect, test } from 'vitest'
import type { HttpAnswer } from '../kit/http.ts'
import { classifyFailure, containerErrors, errors, rows } from './outcomes.ts'

const now = new Date('2026-11-21T12:00:00Z')
const answer = (status: number, error: object, headers: Record<string, string> = {}): HttpAnswer => {
  const json = { error }
  return { kind: 'answer', status, headers, text: JSON.stringify(json), json }
}

describe('an answer', () => {
  test.each<[string, object, object]>([
    ['a subcode wins over its code', { code: 4, error_subcode: 2207051 }, { reason: 'ACCOUNT_RESTRICTED_SPAM' }],
    ['a subcode whose code is another', { code: 1, error_subcode: 4279009 }, { kind: 'again', from: 'prepare' }],
    ['a code that is a text', { code: '190', type: 'THApiException' }, { kind: 'reconnect', mayRefresh: true }],
    ['a permission of 200 and more', { code: 230 }, { kind: 'reconnect', mayRefresh: false }],
    [
      'words that only the title holds',
      { code: 100, message: 'Invalid parameter', error_user_title: 'THREADS_API__LINK_LIMIT_EXCEEDED' },
      { reason: 'ACTION_BLOCKED' },
    ],
    [
      'words behind others meant for people',
      { code: '100', message: 'Param text must be at most 500 characters long.', error_user_msg: 'Too long.' },
      { reason: 'CAPTION_TOO_LONG' },
    ],
    ['a restriction', { code: 10, error_subcode: 4279013, message: 'restricted' }, { reason: 'ACCOUNT_RESTRICTED' }],
    ['a suspension', { code: 10, error_subcode: 4279013, message: 'disabled' }, { reason: 'ACCOUNT_SUSPENDED' }],
    ['what nobody knows', { code: 4711, message: 'No.' }, { kind: 'refused', reason: 'UNKNOWN' }],
  ])('%s', (_, error, expected) => {
    expect(errors.classify(answer(400, error), now).meaning).toMatchObject(expected)
  })

  test('a limit is waited for as long as the network says, else a quarter of an hour', () => {
    const usage = { 'x-business-use-case-usage': '{"1":[{"type":"threads","estimated_time_to_regain_access":7}]}' }
    expect(errors.classify(answer(400, { code: 17 }, usage), now).meaning).toMatchObject({
      until: new Date('2026-11-21T12:07:00Z'),
    })
    expect(errors.classify(answer(429, {}), now).meaning).toMatchObject({ until: new Date('2026-11-21T12:15:00Z') })
    expect(errors.classify(answer(400, { code: 9 }), now).meaning).toMatchObject({
      until: new Date('2026-11-21T13:00:00Z'),
    })
  })

  test('never tells the words of a refused token, which may hold it', () => {
    const { meaning } = errors.classify(answer(400, { code: 190, message: 'Cannot parse THAAtoken' }), now)
    expect(JSON.stringify(meaning)).not.toContain('THAAtoken')
  })

  test('with a subcode of publishing is told by it, whatever code stands in front', () => {
    expect(errors.classify(answer(400, { code: 1, error_subcode: 4279009 }), now)).toMatchObject({
      race: true,
      certain: true,
    })
  })

  test('is certain only when it is a refusal that is known and proves something', () => {
    const certain = (status: number, error: object) => errors.classify(answer(status, error), now).certain
    expect(certain(400, { code: 24, error_subcode: 4279009 })).toBe(true)
    expect(certain(400, { code: 190 })).toBe(true)
    expect(certain(500, { code: 190 })).toBe(false)
    expect(certain(400, { code: 4711 })).toBe(false)
    expect(certain(400, { code: 2 })).toBe(false)
    expect(certain(400, { code: 4 })).toBe(false)
    expect(certain(400, { code: 4, error_subcode: 2207051 })).toBe(false)
    expect(certain(400, { code: 100, message: 'Tried accessing nonexisting field (status)' })).toBe(false)
  })

  test('no row hides another', () => {
    expect(new Set(rows.map(({ title }) => title)).size).toBe(rows.length)
    expect(errors.rows).toHaveLength(rows.length)
  })
})

describe('a container that failed', () => {
  test.each(Object.entries(containerErrors))('%s', (word, { again }) => {
    const { meaning } = classifyFailure(word)
    expect(meaning.kind).toBe(again ? 'again' : 'refused')
    expect(meaning.message).toMatch(/^[A-Z].{30,}\.$/)
    expect(meaning.message).toContain(word)
  })

  test('is made anew once when the network does not say why, or in a new word', () => {
    const anew = { spent: true, maxRetries: 1, failAs: 'UNKNOWN_MEDIA_ERROR' }
    expect(classifyFailure(null)).toMatchObject({ meaning: { kind: 'again' }, ...anew })
    const message = expect.stringContaining('INVALID_SMELL')
    expect(classifyFailure('INVALID_SMELL')).toMatchObject({ meaning: { kind: 'again', message }, ...anew })
  })
})
