import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '#contract'
import { newId } from '#domain'
import { type Answer, type Api, type Body, type RequestOptions, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const note = (more: object = {}) => ({
  socialSetId: api.socialSetId,
  content: 'Call the baker',
  hexColor: '#faf785',
  scheduledAt: '2030-06-01T10:00:00Z',
  ...more,
})
const post = (body: unknown, options: RequestOptions = {}) => api.request('POST', '/v1/notes', { body, ...options })
const patch = (id: string, body: unknown, options: RequestOptions = {}) =>
  api.request('PATCH', `/v1/notes/${id}`, { body, ...options })
const create = async (more: object = {}): Promise<Body> => (await post(note(more))).body
const list = (query: string, options: RequestOptions = {}) => api.request('GET', `/v1/notes?${query}`, options)
const range = (from: string, before: string) => {
  const [start, end] = [from, before].map(encodeURIComponent)
  return list(`socialSetId=${api.socialSetId}&filters[startDate]=${start}&filters[endDate]=${end}`)
}
const reported = ({ status, body }: Answer) => [status, body.code, ...body.errors.map(({ path }: Body) => path)]
const RANGE = 'filters[startDate]=2030-01-01&filters[endDate]=2030-02-01'

describe('the shape of a note', () => {
  test('notes-13, notes-14, notes-15, notes-16: everything but repeat is required', async () => {
    for (const field of ['socialSetId', 'content', 'hexColor', 'scheduledAt']) {
      const { [field]: _, ...without } = note() as Record<string, unknown>
      expect(reported(await post(without))).toEqual([400, 'request:invalid_body', field])
      expect(reported(await post({ ...without, [field]: null }))).toEqual([400, 'request:invalid_body', field])
    }
  })

  test.each<[object, string]>([
    [{ content: '' }, 'content'],
    [{ content: 'x'.repeat(1025) }, 'content'],
    [{ content: '🥖'.repeat(1025) }, 'content'],
    // Of five code points each, though one character to the eye.
    [{ content: '👩‍👩‍👧'.repeat(205) }, 'content'],
    [{ content: 'a\0' }, 'content'],
    [{ content: '\ud83d' }, 'content'],
    [{ content: 7 }, 'content'],
    [{ content: null }, 'content'],
    [{ hexColor: '#ffffff' }, 'hexColor'],
    [{ hexColor: '#FAF785' }, 'hexColor'],
    [{ hexColor: 'yellow' }, 'hexColor'],
    [{ hexColor: '' }, 'hexColor'],
    [{ scheduledAt: '2030-02-30' }, 'scheduledAt'],
    [{ scheduledAt: '2030-02-30T10:00:00Z' }, 'scheduledAt'],
    [{ scheduledAt: '2030-13-01' }, 'scheduledAt'],
    [{ scheduledAt: 'tomorrow' }, 'scheduledAt'],
    [{ scheduledAt: null }, 'scheduledAt'],
    [{ scheduledAt: '1999-12-31T23:59:59Z' }, 'scheduledAt'],
    [{ scheduledAt: '2101-01-01T00:00:00Z' }, 'scheduledAt'],
    [{ extra: 1 }, 'extra'],
  ])(
    'resources-07, resources-08, notes-14, notes-15, notes-16, notes-25, notes-26, limits-05, shape-34, publish-19: %j is refused, on create and on update',
    async (wrong, path) => {
      const refused = [400, 'request:invalid_body', path]
      expect(reported(await post(note(wrong)))).toEqual(refused)
      const before = await create()
      expect(reported(await patch(before.id, wrong))).toEqual(refused)
      expect((await api.request('GET', `/v1/notes/${before.id}`)).body).toEqual(before)
    },
  )

  test('all that is wrong is reported at once', async () => {
    expect(reported(await post({}))).toEqual([
      400,
      'request:invalid_body',
      'socialSetId',
      'content',
      'hexColor',
      'scheduledAt',
    ])
    for (const [wrong, found] of [
      [{ type: 'ONE_TIME', id: 'x' }, ['id', 'type']],
      [{ content: '', hexColor: 'red', extra: 1 }, ['content', 'extra', 'hexColor']],
    ] as const) {
      const [status, code, ...paths] = reported(await post(note(wrong)))
      expect([status, code, ...paths.toSorted()]).toEqual([400, 'request:invalid_body', ...found])
    }
    expect((await post([])).status).toBe(400)
  })

  test.each(['null', '[]', '"content"', '7'])('a change that is no object: %s', async (raw) => {
    const { id } = await create()
    const answer = await api.request('PATCH', `/v1/notes/${id}`, { raw })
    expect(reported(answer)).toEqual([400, 'request:invalid_body', ''])
  })

  test.each<[unknown, string]>([
    [{ interval: 'DAY', occurrences: 1 }, 'repeat.occurrences'],
    [{ interval: 'DAY', occurrences: 101 }, 'repeat.occurrences'],
    [{ interval: 'DAY', occurrences: 2.5 }, 'repeat.occurrences'],
    [{ interval: 'DAY' }, 'repeat.occurrences'],
    [{ interval: 'HOUR', occurrences: 2 }, 'repeat.interval'],
    [{ occurrences: 2 }, 'repeat.interval'],
    ['DAY', 'repeat'],
    [{ interval: 'YEAR', occurrences: 72 }, 'repeat.occurrences'],
  ])(
    'resources-25, notes-17, limits-07, shape-10: the repeat rule %j is refused and makes nothing',
    async (repeat, path) => {
      const count = async () => (await api.db.selectFrom('notes').select('id').execute()).length
      const before = await count()
      expect(reported(await post(note({ repeat })))).toEqual([400, 'request:invalid_body', path])
      expect(await count()).toBe(before)
    },
  )

  test('states-24: what it is cannot change: id, social set, type, source, repeat', async () => {
    const before = await create()
    for (const [field, value] of [
      ['id', newId()],
      ['socialSetId', await api.newSocialSet()],
      ['type', 'RECURRING'],
      ['source', { type: 'SHARED_CALENDAR' }],
      ['createdAt', '2030-01-01T00:00:00.000Z'],
      ['createdAt', 'then'],
      ['createdAt', null],
      ['repeat', { interval: 'DAY', occurrences: 2 }],
    ] as const) {
      expect(reported(await patch(before.id, { [field]: value }))).toEqual([400, 'request:invalid_body', field])
    }
    expect((await api.request('GET', `/v1/notes/${before.id}`)).body).toEqual(before)
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
  const answer = await post(note({ content: 'refused', repeat: { interval: 'DAY', occurrences: 3 } }))
  expect(reported(answer)).toEqual([500, 'internal:error'])
  expect(await counts()).toEqual(before)
})

test('notes-29, notes-30, problem-14: the time of a recurring note and of one that was imported cannot change', async () => {
  const recurring = await create({ repeat: { interval: 'DAY', occurrences: 2 } })
  const imported = await create()
  await api.db.updateTable('notes').set({ source: 'GOOGLE_IMPORT' }).where('id', '=', imported.id).execute()
  for (const { id, scheduledAt } of [recurring, imported]) {
    const body = { content: 'moved', scheduledAt: '2030-06-01T10:00:01Z' }
    expect(reported(await patch(id, body))).toEqual([400, 'note:scheduled_at_not_updatable', 'scheduledAt'])
    const kept = (await api.request('GET', `/v1/notes/${id}`)).body
    expect(kept).toMatchObject({ scheduledAt, content: 'Call the baker' })
  }
})

describe('the query of a list', () => {
  test('notes-01, notes-02, notes-03, notes-07: names a social set and both ends of a range', async () => {
    const { socialSetId } = api
    const [from, before] = RANGE.split('&')
    expect(reported(await list(RANGE))).toEqual([400, 'request:invalid_query', 'socialSetId'])
    expect(reported(await list(`socialSetId=${socialSetId}&${before}`))).toEqual([
      400,
      'request:invalid_query',
      'filters[startDate]',
    ])
    expect(reported(await list(`socialSetId=${socialSetId}&${from}`))).toEqual([
      400,
      'request:invalid_query',
      'filters[endDate]',
    ])
    for (const more of ['page=1', 'size=10', 'colour=red']) {
      const [name] = more.split('=')
      expect(reported(await list(`socialSetId=${socialSetId}&${RANGE}&${more}`))).toEqual([
        400,
        'request:invalid_query',
        name,
      ])
    }
  })

  test.each([
    ['wider than 366 days', '2030-01-01', '2031-01-03'],
    ['wider by a millisecond', '2030-01-01T00:00:00', '2031-01-02T00:00:00.001'],
    ['reversed', '2030-01-02', '2030-01-01'],
    ['reversed by a millisecond', '2030-01-01T00:00:00.001Z', '2030-01-01T00:00:00Z'],
  ])('notes-04, notes-05, errors-03, limits-06, problem-13: a range that is %s', async (_, from, before) => {
    expect(reported(await range(from, before))).toEqual([400, 'note:invalid_range'])
  })

  test('a range is as wide as the days of the social set: an hour more by the clock of the world is none', async () => {
    expect((await range('2029-11-01T00:00:00', '2030-11-02T00:00:00')).status).toBe(200)
    const wide = await range('2030-03-31T00:00:00+01:00', '2031-04-01T00:00:00+01:00')
    expect(reported(wide)).toEqual([400, 'note:invalid_range'])
  })

  test('a range with more notes than one list has', async () => {
    await sql`insert into all_notes (id, account_id, social_set_id, type, source, content, hex_color, scheduled_at)
      select gen_random_uuid(), ${api.accountId}, ${api.socialSetId}, 'ONE_TIME', 'APP', 'n', '#faf785',
        '2040-06-01T00:00:00Z'::timestamptz + n * interval '1 minute' from generate_series(0, 10000) n`.execute(api.db)
    expect(reported(await range('2040-05-01', '2040-07-01'))).toEqual([400, 'note:invalid_range'])
    const shorter = await range('2040-06-01T00:01:00Z', '2040-07-01')
    expect([shorter.status, shorter.body.length]).toEqual([200, 10_000])
  })

  test('a range without ends, or with words for one', async () => {
    const code = 'request:invalid_query'
    const nothing = await list(`socialSetId=${api.socialSetId}`)
    expect(reported(nothing)).toEqual([400, code, 'filters[startDate]', 'filters[endDate]'])
    expect(reported(await range('soon', '2030-01-01'))).toEqual([400, code, 'filters[startDate]'])
  })
})

describe('who may', () => {
  test('notes-11, notes-23, auth-10, auth-15, extension-01: notes:write is needed to write, and nothing to read', async () => {
    const { id } = await create()
    const key = await api.newKey({ scopes: SCOPES.filter((scope) => scope !== 'notes:write') })
    for (const answer of [
      await post(note(), { key }),
      await patch(id, {}, { key }),
      await api.request('DELETE', `/v1/notes/${id}`, { key }),
    ]) {
      expect(reported(answer)).toEqual([403, 'auth:insufficient_scope'])
      expect(answer.body.detail).toContain('notes:write')
    }
    expect((await api.request('GET', `/v1/notes/${id}`, { key })).status).toBe(200)
    expect((await list(`socialSetId=${api.socialSetId}&${RANGE}`, { key })).status).toBe(200)
    const writer = await api.newKey({ scopes: ['notes:write'] })
    expect((await post(note(), { key: writer })).status).toBe(201)
    expect((await patch(id, { content: 'x' }, { key: writer })).status).toBe(200)
  })

  test('notes-09, notes-10, notes-32, auth-14, shape-04, problem-25, key-01: what is not there, is of another account or lies outside of the key is 404, and stays', async () => {
    const inside = await create()
    const theirs = await api.newKey({ accountId: await api.newAccount() })
    const restricted = await api.newKey({ socialSetIds: [await api.newSocialSet()] })
    for (const [id, key] of [
      [newId(), api.key],
      ['x', api.key],
      ['%00', api.key],
      [inside.id, theirs],
      [inside.id, restricted],
    ] as const) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const body = method === 'PATCH' ? { body: { nonsense: 1 } } : {}
        expect(reported(await api.request(method, `/v1/notes/${id}`, { key, ...body }))).toEqual([
          404,
          'note:not_found',
        ])
      }
    }
    for (const key of [theirs, restricted]) {
      const refused = [404, 'social-set:not_found']
      expect(reported(await list(`socialSetId=${api.socialSetId}&${RANGE}`, { key }))).toEqual(refused)
      expect(reported(await post(note({ nonsense: 1 }), { key }))).toEqual(refused)
    }
    for (const socialSetId of [newId(), 'x', '']) {
      expect(reported(await post(note({ socialSetId })))).toEqual([404, 'social-set:not_found'])
      expect(reported(await list(`socialSetId=${socialSetId}&page=1`))).toEqual([404, 'social-set:not_found'])
    }
    expect((await api.request('GET', `/v1/notes/${inside.id}`)).body).toEqual(inside)
  })
})
