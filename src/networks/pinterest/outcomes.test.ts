import { describe, expect, test } from 'vitest'
import { errors } from './outcomes.ts'
import { pinterestError } from './testing-pins.ts'
import { parseBoard, parseMedia, parsePage, parsePin, parseUpload, pinTime } from './wire.ts'

const now = new Date('2026-11-21T12:00:00Z')
const meaningOf = (...error: Parameters<typeof pinterestError>) =>
  errors.classify(pinterestError(...error), now).meaning

describe('what an answer means', () => {
  test.each([
    ['30', 30],
    ['30, 60;w=60;name="org_write"', 30],
    ['86400', 86_400],
    ['', 60],
    ['0', 60],
    ['soon', 60],
  ])('x-ratelimit-reset %s: wait so many seconds', (header, seconds) => {
    const { meaning } = errors.classify(pinterestError(429, 30, 'Slow down.', { 'x-ratelimit-reset': header }), now)
    expect(meaning).toMatchObject({ kind: 'wait', until: new Date(now.getTime() + seconds * 1000) })
  })

  test('a rate limit without a header is waited for a minute', () => {
    expect(meaningOf(429, 8, '')).toMatchObject({ kind: 'wait', until: new Date(now.getTime() + 60_000) })
  })

  test('numbers in the body decide nothing', () => {
    for (const code of [2, 8, 30, 29, 401, 429]) {
      expect(meaningOf(404, code, 'Board not found.')).toMatchObject({ kind: 'refused', reason: 'ACTION_BLOCKED' })
      expect(meaningOf(400, code, 'Nobody knows this.')).toMatchObject({ kind: 'refused', reason: 'UNKNOWN' })
      expect(meaningOf(500, code, 'Board not found.').kind).toBe('ambiguous')
    }
  })

  test.each([
    [401, 'Authentication failed.', true],
    [401, '', true],
    [401, 'Your token does not have sufficient permissions to perform this operation.', false],
    [403, 'Please ensure your token is authorized with the correct set of scopes.', false],
  ])('%i "%s": the connection, which a refresh may help: %s', (status, message, mayRefresh) => {
    expect(meaningOf(status, 3, message)).toMatchObject({ kind: 'reconnect', mayRefresh })
  })

  test.each([
    [400, '\'description\' has 801 characters, constraint: {"maxLength": 800}', 'CAPTION_TOO_LONG'],
    [400, "Invalid request: 'title' is too long", 'UNKNOWN'],
    [400, "Invalid request: 'link' is too long, constraint: maxLength=2048", 'ACTION_BLOCKED'],
    [400, "Sorry! This site doesn't allow you to save Pins.", 'ACTION_BLOCKED'],
    [400, 'Sorry! This site doesn’t allow you to save Pins.', 'ACTION_BLOCKED'],
    [403, "Sorry! This site doesn't allow you to save Pins.", 'ACTION_BLOCKED'],
    [403, 'You are blocked from saving Pins.', 'ACCOUNT_RESTRICTED_SPAM'],
    [403, 'We are reviewing your account. Please see business hub for more details.', 'ACCOUNT_RESTRICTED'],
    [403, 'Your consumer type is not supported.', 'ACTION_BLOCKED'],
    [400, '{"constraint": {"maxItems": 5}}', 'UNKNOWN_MEDIA_ERROR'],
    [413, 'The image is too large.', 'UNKNOWN_MEDIA_ERROR'],
  ])('%i "%s": %s', (status, message, reason) => {
    expect(meaningOf(status, 1, message)).toMatchObject({ kind: 'refused', reason })
  })

  test.each([400, 403])(
    '%i: a site that allows no pins may as well be content that Pinterest does not want',
    (status) => {
      const { message } = meaningOf(status, 1, "Sorry! This site doesn't allow you to save Pins.")
      expect(message).toMatch(/the website forbids pins, or .* against the rules of Pinterest/)
    },
  )

  test.each(["You've reached the limit of Pins.", 'You have reached your limit for today.'])(
    '403 "%s": passes, and is waited for',
    (message) => {
      const until = new Date(now.getTime() + 3_600_000)
      expect(meaningOf(403, 29, message)).toMatchObject({ kind: 'wait', until, scope: 'identity' })
    },
  )

  test('what is no error of the network proves nothing', () => {
    const page = { kind: 'answer', headers: {}, text: '<html>', json: undefined } as const
    for (const status of [200, 301, 400, 403, 404, 502]) {
      expect(errors.lookUp({ ...page, status }, now).meaning.kind).toBe('ambiguous')
    }
    expect(meaningOf(408, 1, 'Timeout').kind).toBe('ambiguous')
    expect(meaningOf(404, 1, 'Media not found.').kind).toBe('ambiguous')
  })

  test('an image that cannot be fetched has the reason for when tries do not help', () => {
    const judged = errors.classify(pinterestError(400, 1, 'Unable to reach the URL.'), now)
    expect(judged).toMatchObject({
      maxRetries: 2,
      failAs: 'UNKNOWN_MEDIA_ERROR',
      meaning: { kind: 'again', from: 'publish' },
    })
    expect(errors.classify(pinterestError(404, 1, 'Board not found.'), now).failAs).toBeUndefined()
  })

  test('a refused token is not told in the words of the network', () => {
    expect(meaningOf(401, 2, 'The token pina_secret is wrong.').message).not.toContain('pina_secret')
  })
})

describe('answers are read', () => {
  test.each([
    ['2022-10-13T01:40:29', '2022-10-13T01:40:29.000Z'],
    ['2022-10-13T01:40:29.5', '2022-10-13T01:40:29.500Z'],
    ['2020-01-01T20:10:40-00:00', '2020-01-01T20:10:40.000Z'],
    ['2020-01-01T20:10:40+02:00', '2020-01-01T18:10:40.000Z'],
    ['2020-01-01T20:10:40Z', '2020-01-01T20:10:40.000Z'],
  ])('the time %s, wherever this runs', (written, time) => {
    const here = process.env.TZ
    process.env.TZ = 'Asia/Tokyo'
    try {
      expect(new Date(2026, 0, 1).toISOString()).toBe('2025-12-31T15:00:00.000Z')
      expect(pinTime(written)?.toISOString()).toBe(time)
    } finally {
      if (here === undefined) delete process.env.TZ
      else process.env.TZ = here
    }
  })

  test('what is of another shape is nothing', () => {
    for (const nothing of [undefined, null, [], 'text', {}, { id: 'words' }, { id: '../1' }]) {
      expect(parsePin(nothing)).toBeUndefined()
      expect(parseBoard(nothing)).toBeUndefined()
      expect(parseMedia(nothing)).toBeUndefined()
      expect(parseUpload(nothing)).toBeUndefined()
      expect(parsePage(parsePin)(nothing)).toBeUndefined()
    }
    expect(parseMedia({ status: 'baking' })).toBeUndefined()
    expect(parseUpload({ media_id: '1', upload_url: 'file:///etc', upload_parameters: {} })).toBeUndefined()
    expect(pinTime('yesterday')).toBeNull()
    expect(pinTime(1)).toBeNull()
  })

  test('entries of a page that cannot be read are left out, and it is partial', () => {
    const page = { items: [{ id: '1' }, null, { id: 'x' }], bookmark: '' }
    expect(parsePage(parsePin)(page)).toEqual({
      entries: [{ id: '1', title: '', description: '', link: '', altText: null, at: null }],
      next: null,
      partial: true,
    })
    expect(parsePage(parsePin)({ items: [{ id: '1' }] })).not.toHaveProperty('partial')
  })
})
