import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NOTE_COLORS, type Note } from '#contract'
import { type Api, startApi } from '../_util/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const body = (more: object = {}) => ({
  socialSetId: api.socialSetId,
  content: 'Ask for the photos',
  hexColor: '#faf785',
  scheduledAt: '2030-06-01T10:00:00Z',
  ...more,
})
async function create(more: object = {}): Promise<Note> {
  const answer = await api.request('POST', '/v1/notes', { body: body(more) })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const patch = (id: string, change: object) => api.request('PATCH', `/v1/notes/${id}`, { body: change })
const read = async (id: string) => (await api.request('GET', `/v1/notes/${id}`)).body as Note
async function list(socialSetId: string, from: string, before: string): Promise<Note[]> {
  const query = new URLSearchParams({ socialSetId, 'filters[startDate]': from, 'filters[endDate]': before })
  const answer = await api.request('GET', `/v1/notes?${query}`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('a new note', () => {
  test('is answered as it is stored, and read again', async () => {
    const note = await create()
    expect(note).toEqual({
      id: expect.stringMatching(ID),
      socialSetId: api.socialSetId,
      type: 'ONE_TIME',
      source: { type: 'APP' },
      content: 'Ask for the photos',
      hexColor: '#faf785',
      scheduledAt: '2030-06-01T10:00:00.000Z',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(await read(note.id)).toEqual(note)
    expect(await read(note.id.toUpperCase())).toEqual(note)
  })

  test.each([...NOTE_COLORS])('may be %s', async (hexColor) => {
    expect((await create({ hexColor })).hexColor).toBe(hexColor)
  })

  test('has 1 to 1024 characters, counted as code points', async () => {
    for (const content of ['x', '😀'.repeat(1024), ' ', '👩‍👩‍👧'.repeat(204)]) {
      expect((await create({ content })).content).toBe(content)
    }
  })

  test('without an offset is in the timezone of its social set', async () => {
    expect((await create({ scheduledAt: '2030-06-01T10:00:00' })).scheduledAt).toBe('2030-06-01T08:00:00.000Z')
    expect((await create({ scheduledAt: '2030-06-01' })).scheduledAt).toBe('2030-05-31T22:00:00.000Z')
    expect((await create({ repeat: null })).type).toBe('ONE_TIME')
  })
})

describe('a recurring note', () => {
  test('is as many notes as it has occurrences, each with an id, at the same local time', async () => {
    const socialSetId = await api.newSocialSet()
    const first = await create({
      socialSetId,
      scheduledAt: '2030-03-30T09:00:00',
      repeat: { interval: 'DAY', occurrences: 3 },
    })
    const notes = await list(socialSetId, '2030-01-01', '2030-12-31')
    expect(notes.map(({ scheduledAt }) => scheduledAt)).toEqual([
      '2030-03-30T08:00:00.000Z',
      '2030-03-31T07:00:00.000Z',
      '2030-04-01T07:00:00.000Z',
    ])
    expect(notes[0]).toEqual(first)
    expect(notes.map(({ type, content }) => [type, content])).toEqual(Array(3).fill(['RECURRING', first.content]))
    expect(new Set(notes.map(({ id }) => id)).size).toBe(3)
  })

  test('has up to a hundred of them, made with as many queries as two', async () => {
    const queries = async (occurrences: number) => {
      const socialSetId = await api.newSocialSet()
      const before = api.queries()
      await create({ socialSetId, repeat: { interval: 'DAY', occurrences } })
      const made = api.queries() - before
      expect(await list(socialSetId, '2030-06-01', '2030-12-01')).toHaveLength(occurrences)
      return made
    }
    await queries(2)
    expect(await queries(100)).toBe(await queries(2))
  })

  test('changes one by one', async () => {
    const socialSetId = await api.newSocialSet()
    const first = await create({ socialSetId, repeat: { interval: 'WEEK', occurrences: 2 } })
    const { status, body: changed } = await patch(first.id, { content: 'Only this one', hexColor: '#f2f2f2' })
    expect([status, changed]).toEqual([200, { ...first, content: 'Only this one', hexColor: '#f2f2f2' }])
    const [, second] = await list(socialSetId, '2030-06-01', '2030-07-01')
    expect([second?.content, second?.hexColor]).toEqual([first.content, first.hexColor])
  })
})

describe('a change', () => {
  test('leaves what it does not name', async () => {
    const note = await create()
    const moved = await patch(note.id, { scheduledAt: '2031-01-01T12:00:00' })
    expect(moved.body).toEqual({ ...note, scheduledAt: '2031-01-01T11:00:00.000Z' })
    expect((await patch(note.id, { content: 'x' })).body).toEqual({ ...moved.body, content: 'x' })
    expect(await read(note.id)).toEqual({ ...moved.body, content: 'x' })
  })

  test('that sends back what was read changes nothing, whatever the note is', async () => {
    const imported = await create()
    await sql`update notes set source = 'GOOGLE_IMPORT' where id = ${imported.id}`.execute(api.db)
    for (const { id } of [await create(), await create({ repeat: { interval: 'DAY', occurrences: 2 } }), imported]) {
      const note = await read(id)
      const stamp = () => api.db.selectFrom('notes').select('updated_at').where('id', '=', id).executeTakeFirst()
      const before = await stamp()
      expect((await patch(id, note)).body).toEqual(note)
      expect((await patch(id, {})).body).toEqual(note)
      const sameInstant = { scheduledAt: note.scheduledAt.replace('.000Z', '+00:00') }
      expect((await patch(id, sameInstant)).body).toEqual(note)
      expect(await stamp()).toEqual(before)
    }
  })

  test('of notes from elsewhere may be of their content', async () => {
    for (const source of ['SHARED_CALENDAR', 'GOOGLE_IMPORT'] as const) {
      const { id } = await create()
      await sql`update notes set source = ${source} where id = ${id}`.execute(api.db)
      const { body: changed } = await patch(id, { content: 'anew' })
      expect([changed.content, changed.source]).toEqual(['anew', { type: source }])
    }
    const shared = await create()
    await sql`update notes set source = 'SHARED_CALENDAR' where id = ${shared.id}`.execute(api.db)
    expect((await patch(shared.id, { scheduledAt: '2031-01-01' })).status).toBe(200)
  })
})

describe('the list', () => {
  test('has all notes of the range by time, from its start on and before its end', async () => {
    const socialSetId = await api.newSocialSet({ timezone: 'UTC' })
    for (const time of ['03T00:00:00Z', '01T00:00:00Z', '02T12:00:00Z', '02T12:00:00Z', '01T23:59:59.999Z']) {
      await create({ socialSetId, scheduledAt: `2030-06-${time}` })
    }
    const times = async (from: string, before: string) =>
      (await list(socialSetId, from, before)).map(({ scheduledAt }) => scheduledAt.slice(8, 16))
    expect(await times('2030-06-01', '2030-06-03')).toEqual(['01T00:00', '01T23:59', '02T12:00', '02T12:00'])
    expect(await times('2030-06-02', '2030-06-03T00:00:00.001Z')).toEqual(['02T12:00', '02T12:00', '03T00:00'])
    expect(await times('2030-06-02', '2030-06-02')).toEqual([])
    const ids = (await list(socialSetId, '2030-06-02', '2030-06-03')).map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted())
  })

  test('is not cut into pages', async () => {
    const socialSetId = await api.newSocialSet()
    for (let round = 0; round < 3; round++) await create({ socialSetId, repeat: { interval: 'DAY', occurrences: 100 } })
    expect(await list(socialSetId, '2030-06-01', '2031-06-01')).toHaveLength(300)
  })

  test('spans 366 days by the calendar of the social set, where a day may have 23 or 25 hours', async () => {
    const socialSetId = await api.newSocialSet()
    expect(await list(socialSetId, '2030-03-01T00:00:00+01:00', '2031-03-02T00:00:00+01:00')).toEqual([])
    // Longer than 366 times 24 hours: summer time has ended, and has not begun again.
    expect(await list(socialSetId, '2029-11-01T00:00:00', '2030-11-02T00:00:00')).toEqual([])
    expect(await list(socialSetId, '2030-03-30T12:00:00', '2031-03-31T12:00:00')).toEqual([])
  })

  test('takes two queries beside those of the key, however long it is', async () => {
    const socialSetId = await api.newSocialSet()
    await create({ socialSetId, repeat: { interval: 'DAY', occurrences: 100 } })
    const before = api.queries()
    await list(socialSetId, '2030-06-01', '2030-12-01')
    expect(api.queries() - before).toBeLessThanOrEqual(4)
  })
})

test('a deleted note is gone, and the others of its series stay', async () => {
  const socialSetId = await api.newSocialSet()
  const first = await create({ socialSetId, repeat: { interval: 'DAY', occurrences: 3 } })
  const answer = await api.request('DELETE', `/v1/notes/${first.id}`)
  expect([answer.status, answer.body]).toEqual([204, ''])
  expect((await api.request('GET', `/v1/notes/${first.id}`)).status).toBe(404)
  expect((await api.request('DELETE', `/v1/notes/${first.id}`)).body.code).toBe('note:not_found')
  expect(await list(socialSetId, '2030-06-01', '2030-07-01')).toHaveLength(2)
})
