import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Api, type Body, startApi } from '../_util/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const reported = ({ status, body }: Answer) => [status, body.code, body.errors.map(({ path }: Body) => path)]
const invalid = (...paths: string[]) => [400, 'request:invalid_body', paths]
const body = (more: object = {}) => ({
  socialSetId: api.socialSetId,
  content: 'hello',
  hexColor: '#faf785',
  scheduledAt: '2030-06-01T10:00:00Z',
  ...more,
})
const post = (more: object = {}) => api.request('POST', '/v1/notes', { body: body(more) })
const patch = (id: string, change: unknown) => api.request('PATCH', `/v1/notes/${id}`, { body: change })
const list = (query: string) => api.request('GET', `/v1/notes?socialSetId=${api.socialSetId}&${query}`)
const range = (from: string, before: string) =>
  list(`filters[startDate]=${encodeURIComponent(from)}&filters[endDate]=${encodeURIComponent(before)}`)

describe('a new note', () => {
  test.each([
    ['nothing to say', { content: '' }, ['content']],
    ['too much to say', { content: 'x'.repeat(1025) }, ['content']],
    ['too much to say in emoji', { content: '😀'.repeat(1025) }, ['content']],
    // Of five code points each, though one character to the eye.
    ['too much to say in families', { content: '👩‍👩‍👧'.repeat(205) }, ['content']],
    ['the NUL character', { content: 'a\0' }, ['content']],
    ['half of a character', { content: '\ud83d' }, ['content']],
    ['content of another type', { content: 5 }, ['content']],
    ['another colour', { hexColor: '#123456' }, ['hexColor']],
    ['a colour in capitals', { hexColor: '#FAF785' }, ['hexColor']],
    ['an impossible date', { scheduledAt: '2030-02-30T10:00:00Z' }, ['scheduledAt']],
    ['a year that is too early', { scheduledAt: '1999-12-31T23:59:59Z' }, ['scheduledAt']],
    ['a year that is too late', { scheduledAt: '2101-01-01T00:00:00Z' }, ['scheduledAt']],
    ['no time', { scheduledAt: null }, ['scheduledAt']],
    ['one occurrence', { repeat: { interval: 'DAY', occurrences: 1 } }, ['repeat.occurrences']],
    ['a hundred and one', { repeat: { interval: 'DAY', occurrences: 101 } }, ['repeat.occurrences']],
    ['an interval that there is not', { repeat: { interval: 'HOUR', occurrences: 2 } }, ['repeat.interval']],
    ['a series that ends after 2100', { repeat: { interval: 'YEAR', occurrences: 72 } }, ['repeat.occurrences']],
    ['fields of answers', { type: 'ONE_TIME', id: 'x' }, ['type', 'id']],
    ['several at once', { content: '', hexColor: 'red', extra: 1 }, ['extra', 'content', 'hexColor']],
  ])('with %s', async (_, more, paths) => {
    const [status, code, found] = reported(await post(more))
    expect([status, code, found.toSorted()]).toEqual(invalid(...paths.toSorted()))
  })

  test('with nothing at all', async () => {
    const [status, code, paths] = reported(await api.request('POST', '/v1/notes', { body: {} }))
    expect([status, code, paths]).toEqual(invalid('socialSetId', 'content', 'hexColor', 'scheduledAt'))
    expect(reported(await api.request('POST', '/v1/notes', { body: [] }))[0]).toBe(400)
  })
})

test('a series is made whole or not at all', async () => {
  const counts = async () => {
    const series = await api.db.selectFrom('series').select('id').execute()
    const notes = await api.db.selectFrom('notes').select('id').execute()
    return [series.length, notes.length]
  }
  await sql`alter table all_notes add constraint refused check (content <> 'refused')`.execute(api.db)
  const before = await counts()
  const answer = await post({ content: 'refused', repeat: { interval: 'DAY', occurrences: 3 } })
  expect(reported(answer)).toEqual([500, 'internal:error', []])
  expect(await counts()).toEqual(before)
})

describe('a change', () => {
  test.each(['null', '[]', '"content"', '7'])('that is no object: %s', async (raw) => {
    const { body: note } = await post()
    const answer = await api.request('PATCH', `/v1/notes/${note.id}`, { raw })
    expect(reported(answer)).toEqual(invalid(''))
  })

  test('with texts that cannot be stored', async () => {
    const { body: note } = await post()
    for (const content of ['a\0', '\ud83d'])
      expect(reported(await patch(note.id, { content }))).toEqual(invalid('content'))
  })

  test('of what cannot change', async () => {
    const { body: note } = await post()
    const other = '019a9c6f-91d4-7e55-b1a0-5d6c7b8a9f01'
    for (const [change, path] of [
      [{ id: other }, 'id'],
      [{ socialSetId: other }, 'socialSetId'],
      [{ type: 'RECURRING' }, 'type'],
      [{ source: { type: 'GOOGLE_IMPORT' } }, 'source'],
      [{ createdAt: '2030-01-01T00:00:00.000Z' }, 'createdAt'],
      [{ createdAt: 'then' }, 'createdAt'],
      [{ createdAt: null }, 'createdAt'],
      [{ repeat: { interval: 'DAY', occurrences: 2 } }, 'repeat'],
      [{ content: null }, 'content'],
      [{ hexColor: '' }, 'hexColor'],
      [{ scheduledAt: '2030-13-01' }, 'scheduledAt'],
    ] as const) {
      expect(reported(await patch(note.id, change)), path).toEqual(invalid(path))
    }
    expect((await api.request('GET', `/v1/notes/${note.id}`)).body).toEqual(note)
  })

  test('of the time of a recurring or an imported note', async () => {
    const { body: recurring } = await post({ repeat: { interval: 'DAY', occurrences: 2 } })
    const { body: imported } = await post()
    await sql`update notes set source = 'GOOGLE_IMPORT' where id = ${imported.id}`.execute(api.db)
    for (const { id } of [recurring, imported]) {
      const refused = await patch(id, { scheduledAt: '2031-01-01T00:00:00Z', content: 'lost?' })
      expect(reported(refused)).toEqual([400, 'note:scheduled_at_not_updatable', ['scheduledAt']])
      expect((await api.request('GET', `/v1/notes/${id}`)).body.content).toBe('hello')
    }
  })
})

describe('the range of a list', () => {
  const INVALID_RANGE = [400, 'note:invalid_range', []]

  test('reversed, or wider than 366 days of the social set', async () => {
    expect(reported(await range('2030-06-02', '2030-06-01'))).toEqual(INVALID_RANGE)
    expect(reported(await range('2030-01-01', '2031-01-03'))).toEqual(INVALID_RANGE)
    expect(reported(await range('2030-01-01T00:00:00', '2031-01-02T00:00:00.001'))).toEqual(INVALID_RANGE)
    // An hour more by the clock of the world is none by that of the brand, and the other way round.
    expect((await range('2029-11-01T00:00:00', '2030-11-02T00:00:00')).status).toBe(200)
    expect(reported(await range('2030-03-31T00:00:00+01:00', '2031-04-01T00:00:00+01:00'))).toEqual(INVALID_RANGE)
  })

  test('with more notes than one list has', async () => {
    await sql`insert into all_notes (id, account_id, social_set_id, type, source, content, hex_color, scheduled_at)
      select gen_random_uuid(), ${api.accountId}, ${api.socialSetId}, 'ONE_TIME', 'APP', 'n', '#faf785',
        '2040-06-01T00:00:00Z'::timestamptz + n * interval '1 minute' from generate_series(0, 10000) n`.execute(api.db)
    expect(reported(await range('2040-05-01', '2040-07-01'))).toEqual(INVALID_RANGE)
    const shorter = await range('2040-06-01T00:01:00Z', '2040-07-01')
    expect([shorter.status, shorter.body.length]).toEqual([200, 10_000])
  })

  test('missing or malformed', async () => {
    expect(reported(await list(''))).toEqual([400, 'request:invalid_query', ['filters[startDate]', 'filters[endDate]']])
    expect(reported(await range('soon', '2030-01-01'))).toEqual([400, 'request:invalid_query', ['filters[startDate]']])
    expect(reported(await list('filters[startDate]=2030-01-01'))[2]).toEqual(['filters[endDate]'])
    expect(reported(await list('filters[startDate]=2030-01-01&filters[endDate]=2030-01-02&page=1'))[2]).toEqual([
      'page',
    ])
    expect(
      reported(await api.request('GET', '/v1/notes?filters[startDate]=2030-01-01&filters[endDate]=2030-01-02')),
    ).toEqual([400, 'request:invalid_query', ['socialSetId']])
  })
})
