import { expect, test } from 'vitest'
import { page } from '../kit/testing.ts'
import { errors } from './outcomes.ts'
import { pinterestError } from './testing-pins.ts'
import { parseBoard, parseMedia, parsePin, parseUpload } from './wire.ts'

const now = new Date('2026-11-21T12:00:00Z')
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const meaningOf = (...error: Parameters<typeof pinterestError>) =>
  errors.classify(pinterestError(...error), now).meaning

test.each<[string | null, number]>([
  ['30', 30],
  ['30, 60;w=60;name="org_write"', 30],
  [null, 60],
  ['0', 60],
  ['soon', 60],
])('x-ratelimit-reset %s: wait so many seconds', (header, seconds) => {
  const headers = header === null ? {} : { 'x-ratelimit-reset': header }
  expect(meaningOf(429, 30, 'Slow down.', headers)).toMatchObject({ kind: 'wait', until: after(seconds) })
})

test('numbers in the body decide nothing', () => {
  for (const code of [2, 8, 30, 29, 401, 429]) {
    expect(meaningOf(404, code, 'Board not found.')).toMatchObject({ kind: 'refused', reason: 'ACTION_BLOCKED' })
    expect(meaningOf(400, code, 'Nobody knows this.')).toMatchObject({ kind: 'refused', reason: 'UNKNOWN' })
    expect(meaningOf(500, code, 'Board not found.').kind).toBe('ambiguous')
  }
})

const refused = (reason: string, words = '') => ({ kind: 'refused', reason, message: expect.stringContaining(words) })
test.each<[number, string, object]>([
  [401, '', { kind: 'reconnect', mayRefresh: true }],
  [400, '\'description\' has 801 characters, constraint: {"maxLength": 800}', refused('CAPTION_TOO_LONG')],
  [400, "Invalid request: 'link' is too long, constraint: maxLength=2048", refused('ACTION_BLOCKED')],
  [400, 'Sorry! This site doesn’t allow you to save Pins.', refused('ACTION_BLOCKED', 'forbids pins')],
  [403, 'We are reviewing your account. Please see business hub for more details.', refused('ACCOUNT_RESTRICTED')],
  [403, 'Your consumer type is not supported.', refused('ACTION_BLOCKED', 'ALMANAC_PINTEREST_API_URL')],
  [408, 'Timeout', { kind: 'ambiguous' }],
])('%i "%s"', (status, message, meaning) => expect(meaningOf(status, 1, message)).toMatchObject(meaning))

test('a site that allows no pins may as well be content that Pinterest does not want', () => {
  const { message } = meaningOf(403, 1, "Sorry! This site doesn't allow you to save Pins.")
  expect(message).toMatch(/the website forbids pins, or .* against the rules of Pinterest/)
})

test.each(["You've reached the limit of Pins.", 'You have reached your limit for today.'])(
  '403 "%s": passes, and is waited for',
  (message) => {
    expect(meaningOf(403, 29, message)).toMatchObject({ kind: 'wait', until: after(3600), scope: 'identity' })
  },
)

test.each([301, 400, 403, 404])('what is no error of the network proves nothing: %i', (status) => {
  expect(errors.lookUp(page(status), now).meaning.kind).toBe('ambiguous')
})

test('an address that cannot be fetched is tried twice more', () => {
  const judged = errors.classify(pinterestError(400, 1, 'Unable to reach the URL.'), now)
  expect(judged).toMatchObject({ maxRetries: 2, failAs: 'UNKNOWN_MEDIA_ERROR' })
})

test('what is of another shape is nothing', () => {
  for (const parse of [parsePin, parseBoard, parseMedia, parseUpload]) {
    for (const nothing of [undefined, null, [], 'text', {}, { id: 'words' }, { id: '../1' }, { status: 'baking' }]) {
      expect(parse(nothing)).toBeUndefined()
    }
  }
  expect(parseUpload({ media_id: '1', upload_url: 'file:///etc', upload_parameters: {} })).toBeUndefined()
})
