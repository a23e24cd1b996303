import { expect, test } from 'vitest'
import { answer } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import { classifyFailure, containerErrors, errors } from './outcomes.ts'
import { parsePost } from './wire.ts'

const now = new Date('2026-11-21T12:00:00Z')
const classified = (error: object, status = 400) => errors.classify(answer(status, { error }), now)

test.each<[string, object, object]>([
  ['a subcode before its code', { code: 4, error_subcode: 2207051 }, { reason: 'ACCOUNT_RESTRICTED_SPAM' }],
  ['a subcode whose code is another', { code: 1, error_subcode: 4279009 }, { kind: 'again', from: 'prepare' }],
  ['a code that is a text', { code: '190', type: 'THApiException' }, { kind: 'reconnect', mayRefresh: true }],
  ['a permission', { code: 10 }, { kind: 'reconnect', mayRefresh: false }],
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
  ['an unknown code', { code: 4711, message: 'No.' }, { kind: 'refused', reason: 'UNKNOWN' }],
])('an answer is known by %s', (_, error, expected) => {
  expect(classified(error).meaning).toMatchObject(expected)
})

test('a limit is waited for as long as the network says, else a quarter of an hour, and the quota an hour', () => {
  const usage = { 'x-business-use-case-usage': '{"1":[{"type":"threads","estimated_time_to_regain_access":7}]}' }
  const limited = [graphError(17, null, usage), answer(429, { error: {} }), graphError(9)]
  const until = limited.map((each) => errors.classify(each, now).meaning)
  expect(until).toMatchObject(['12:07', '12:15', '13:00'].map((at) => ({ until: new Date(`2026-11-21T${at}:00Z`) })))
})

test('the words of a refused token, which may hold it, are not repeated', () => {
  expect(JSON.stringify(classified({ code: 190, message: 'Cannot parse THAAtoken' }))).not.toContain('THAAtoken')
})

test.each<[boolean, object, number?]>([
  [true, { code: 24, error_subcode: 4279009 }],
  [true, { code: 190 }],
  [true, { code: 17 }],
  [false, { code: 190 }, 500],
  [false, { code: 4711 }],
  [false, { code: 2 }],
  [false, { code: 4 }],
  [false, { code: 368 }],
  [false, { code: 4, error_subcode: 2207051 }],
  [false, { code: 100, error_subcode: 33 }],
  [false, { code: 100, message: 'Tried accessing nonexisting field (status)' }],
])('whether nothing was published is certain (%s) by %j', (certain, error, status) => {
  expect(classified(error, status).certain).toBe(certain)
})

test.each([...Object.keys(containerErrors), 'INVALID_SMELL', null])('a container that failed for %s', (word) => {
  const judged = classifyFailure(word)
  const again = word === null || word === 'INVALID_SMELL' || containerErrors[word]?.again === true
  const retried = { meaning: { kind: 'again' }, spent: true, maxRetries: 1, failAs: 'UNKNOWN_MEDIA_ERROR' }
  expect(judged).toMatchObject(again ? retried : { meaning: { kind: 'refused' } })
  expect(judged.meaning.message).toMatch(/^[A-Z].{30,}\.$/)
  expect(judged.meaning.message).toContain(word ?? 'nothing')
})

test('an address that is none of the web is not taken for one', () => {
  const place = { isReply: null, repliedTo: null }
  const post = { id: '180', text: '', permalink: null, mediaType: null, at: null, ...place }
  expect(parsePost({ id: '180', permalink: 'javascript:alert(1)', timestamp: 'soon' })).toEqual(post)
})
