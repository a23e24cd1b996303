import { expect, test } from 'vitest'
import { answer } from '../kit/testing.ts'
import { classify, errors } from './outcomes.ts'

const now = new Date('2026-11-21T12:00:00Z')
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const epoch = (seconds: number) => String(inSeconds(seconds).getTime() / 1000)
const forbidden = (detail: string) => answer(403, { title: 'Forbidden', type: 'about:blank', status: 403, detail })
const meaningOf = (...said: Parameters<typeof answer>) => errors.lookUp(answer(...said), now).meaning

const named = (name: string) => ({ title: 'No', detail: 'No.', type: `https://api.twitter.com/2/problems/${name}` })
test.each<[string, number, unknown, object]>([
  ['a problem', 403, named('user-suspended'), { reason: 'ACCOUNT_SUSPENDED' }],
  ['a number and a message', 403, { code: 226, message: 'No.' }, { reason: 'ACCOUNT_RESTRICTED_SPAM' }],
  ['another problem of an app', 403, named('app-suspended'), { message: expect.stringContaining('operator') }],
])('the shapes of an error: %s', (_, status, body, meaning) => {
  expect(meaningOf(status, body)).toMatchObject(meaning)
})

test('what it says is shown, and not at any length', () => {
  const { message } = meaningOf(400, { title: 'Odd', detail: `Nobody\nknows ${'x'.repeat(1_000)}` })
  expect(message).toMatch(/^X refused the post \(400\)\. X says: Nobody knows x+$/)
  expect(message.length).toBeLessThan(400)
})

const usedUp = (window: string, reset: string) => ({ [`${window}-remaining`]: '0', [`${window}-reset`]: reset })
const ofToday = { 'x-rate-limit-remaining': '40', 'x-rate-limit-reset': epoch(120) }
const left = { 'x-app-limit-24hour-remaining': '10', 'x-app-limit-24hour-reset': epoch(9_000) }
test.each<[string, Record<string, string>, number, string?]>([
  ['until the window ends', usedUp('x-rate-limit', epoch(120)), 120],
  ['until the day of the account ends', { ...ofToday, ...left, ...usedUp('x-user-limit-24hour', epoch(7_200)) }, 7_200],
  ['until the day of the app ends', { ...ofToday, ...usedUp('x-app-limit-24hour', epoch(9_000)) }, 9_000, 'app'],
  ['a second when the window has ended by our clock', { 'x-rate-limit-reset': epoch(-60) }, 1],
  ['15 minutes when it says nonsense', { 'x-rate-limit-reset': 'soon' }, 900],
])('how long to wait: %s', (_, headers, seconds, scope = 'identity') => {
  const meaning = meaningOf(429, { title: 'Too Many Requests' }, headers)
  expect(meaning).toMatchObject({ kind: 'wait', until: inSeconds(seconds), scope })
})

test.each([
  ['an unknown refusal, in words', true, forbidden('The moon is wrong.')],
  ['a duplicate', false, forbidden('You are not allowed to create a Tweet with duplicate content.')],
  ['a duplicate by its number', false, answer(403, { errors: [{ code: 187, message: 'Status is a duplicate.' }] })],
  ['a refusal without words', false, answer(403, {})],
  ['a gateway that waited too long', false, answer(408, { title: 'Request Timeout' })],
  ['an early answer', false, answer(425, { title: 'Too Early' })],
  ['an overload by its number', false, answer(403, { errors: [{ code: 130, message: 'Over capacity' }] })],
])('as an answer to the visible call, %s: proof is %s', (_, certain, given) => {
  expect(classify(given, now, 'Bread').certain).toBe(certain)
})

test.each([
  [280, 'ACTION_BLOCKED'],
  [281, 'CAPTION_TOO_LONG'],
])('"not permitted" for %i characters is %s', (length, reason) => {
  const given = forbidden('You are not permitted to perform this action.')
  expect(classify(given, now, 'a'.repeat(length)).meaning).toMatchObject({ reason })
})
