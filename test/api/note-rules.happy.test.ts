import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, type Body, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const COLORS = [...['#faf785', '#fff0db', '#ffe5e5', '#ffe4f7', '#f2edff', '#e1effc', '#e4f8e2', '#eee2d7', '#f2f2f2']]
const note = (more: object = {}) => ({
  socialSetId: api.socialSetId,
  content: 'Call the baker',
  hexColor: '#faf785',
  scheduledAt: '2030-06-01T10:00:00Z',
  ...more,
})
async function create(more: object = {}): Promise<Body> {
  const { status, body } = await api.request('POST', '/v1/notes', { body: note(more) })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
async function change(id: string, more: object): Promise<Body> {
  const { status, body } = await api.request('PATCH', `/v1/notes/${id}`, { body: more })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(await read(id)).toEqual(body)
  return body
}
const read = async (id: string): Promise<Body> => (await api.request('GET', `/v1/notes/${id}`)).body
async function list(socialSetId: string, from: string, before: string): Promise<Body[]> {
  const query = `socialSetId=${socialSetId}&filters[startDate]=${from}&filters[endDate]=${before}`
  const { status, body } = await api.request('GET', `/v1/notes?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const timesOf = (notes: Body[]) => notes.map(({ scheduledAt }) => scheduledAt)

describe('a new note', () => {
  test('service-16, resources-04, resources-05, resources-09, states-24, notes-08, notes-12, notes-18, publish-18: is answered with all that it has, and is read and listed the same', async () => {
    const socialSetId = await api.newSocialSet()
    const created = await create({ socialSetId })
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      socialSetId,
      type: 'ONE_TIME',
      source: { type: 'APP' },
      content: 'Call the baker',
      hexColor: '#faf785',
      scheduledAt: '2030-06-01T10:00:00.000Z',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(await read(created.id)).toEqual(created)
    expect(await list(socialSetId, '2030-06-01', '2030-06-02')).toEqual([created])
    expect(await create({ socialSetId, repeat: null })).toMatchObject({ type: 'ONE_TIME' })
  })

  test('resources-08, notes-15, notes-26: has one of the nine colors, and keeps it', async () => {
    const { id } = await create()
    for (const hexColor of COLORS) {
      expect((await create({ hexColor })).hexColor).toBe(hexColor)
      expect((await change(id, { hexColor })).hexColor).toBe(hexColor)
    }
  })

  test('resources-07, notes-14, notes-25, limits-05, publish-19: has 1 to 1024 characters, which are code points', async () => {
    const { id } = await create()
    for (const content of ['x', '🥖', 'x'.repeat(1024), '🥖'.repeat(1024)]) {
      expect((await create({ content })).content).toBe(content)
      expect((await change(id, { content })).content).toBe(content)
    }
  })

  test('notes-16: is pinned to a time in the timezone of its social set', async () => {
    expect((await create({ scheduledAt: '2030-06-01' })).scheduledAt).toBe('2030-05-31T22:00:00.000Z')
    expect((await create({ scheduledAt: '2030-06-01T09:30:00' })).scheduledAt).toBe('2030-06-01T07:30:00.000Z')
  })
})

describe('a note that repeats', () => {
  test.each([
    ['DAY', ['2030-03-30T08:00', '2030-03-31T07:00', '2030-04-01T07:00']],
    ['WEEK', ['2030-03-30T08:00', '2030-04-06T07:00', '2030-04-13T07:00']],
    ['MONTH', ['2030-03-30T08:00', '2030-04-30T07:00', '2030-05-30T07:00']],
    ['YEAR', ['2030-03-30T08:00', '2031-03-30T07:00', '2032-03-30T07:00']],
  ])(
    'service-15, resources-03, resources-05, resources-24, states-24, notes-19, notes-20, notes-21, notes-22, series-01: by %s is that many notes of their own, at the same time of the day; the first is answered',
    async (interval, times) => {
      const socialSetId = await api.newSocialSet()
      const repeat = { interval, occurrences: 3 }
      const first = await create({ socialSetId, scheduledAt: '2030-03-30T09:00:00+01:00', repeat })
      const notes = []
      for (const time of times) notes.push(...(await list(socialSetId, time.slice(0, 10), `${time}:01Z`)))
      expect(timesOf(notes)).toEqual(times.map((time) => `${time}:00.000Z`))
      expect(notes[0]).toEqual(first)
      expect(new Set(notes.map(({ id }) => id)).size).toBe(3)
      for (const each of notes) {
        expect(each).toMatchObject({ type: 'RECURRING', content: 'Call the baker', hexColor: '#faf785' })
        expect(await read(each.id)).toEqual(each)
      }
    },
  )

  test('series-02: ends on the last day of a shorter month, counted from the first', async () => {
    const socialSetId = await api.newSocialSet({ timezone: 'UTC' })
    const repeat = { interval: 'MONTH', occurrences: 4 }
    await create({ socialSetId, scheduledAt: '2031-01-31T12:00:00Z', repeat })
    const days = timesOf(await list(socialSetId, '2031-01-01', '2031-12-31')).map((time) => time.slice(0, 10))
    expect(days).toEqual(['2031-01-31', '2031-02-28', '2031-03-31', '2031-04-30'])
  })

  test('resources-25, notes-06, notes-07, notes-17, limits-07: has 2 to 100 occurrences, and a list holds them all', async () => {
    for (const occurrences of [2, 100]) {
      const socialSetId = await api.newSocialSet()
      await create({ socialSetId, repeat: { interval: 'DAY', occurrences } })
      const notes = await list(socialSetId, '2030-06-01', '2031-06-01')
      expect(notes).toHaveLength(occurrences)
      expect(timesOf(notes)).toEqual(timesOf(notes).toSorted())
    }
  })
})

describe('a list of notes', () => {
  test('notes-01, notes-02, notes-03, notes-06, shape-32: is from its start on and before its end, earliest first, of one social set', async () => {
    const socialSetId = await api.newSocialSet()
    for (const minute of ['03', '01', '04', '02']) {
      await create({ socialSetId, scheduledAt: `2030-01-01T10:${minute}:00Z` })
    }
    await create({ scheduledAt: '2030-01-01T10:02:30Z' })
    const found = timesOf(await list(socialSetId, '2030-01-01T10:02:00Z', '2030-01-01T10:04:00Z'))
    expect(found).toEqual(['2030-01-01T10:02:00.000Z', '2030-01-01T10:03:00.000Z'])
    expect(await list(socialSetId, '2030-01-01T10:02:00Z', '2030-01-01T10:02:00Z')).toEqual([])
  })

  test('notes-04, limits-06, shape-33: spans 366 days of the calendar, no matter what the clocks do meanwhile', async () => {
    const socialSetId = await api.newSocialSet()
    expect(await list(socialSetId, '2035-03-01', '2036-03-01')).toEqual([])
    for (const [from, last, wider] of [
      ['2030-03-30T11:00:00Z', '2031-03-31T10:00:00Z', '2031-03-31T10:00:00.001Z'],
      ['2030-10-26T10:00:00Z', '2031-10-27T11:00:00Z', '2031-10-27T11:00:00.001Z'],
    ] as const) {
      expect(await list(socialSetId, from, last)).toEqual([])
      const query = `socialSetId=${socialSetId}&filters[startDate]=${from}&filters[endDate]=${wider}`
      const { status, body } = await api.request('GET', `/v1/notes?${query}`)
      expect([status, body.code]).toEqual([400, 'note:invalid_range'])
    }
  })

  test('resources-06, resources-10: holds notes of every source', async () => {
    const socialSetId = await api.newSocialSet()
    const sources = ['APP', 'SHARED_CALENDAR', 'GOOGLE_IMPORT'] as const
    for (const source of sources) {
      const { id } = await create({ socialSetId })
      await api.db.updateTable('notes').set({ source }).where('id', '=', id).execute()
      expect(await read(id)).toMatchObject({ source: { type: source } })
    }
    const notes = await list(socialSetId, '2030-06-01', '2030-06-02')
    expect(notes.map(({ source }) => source.type).toSorted()).toEqual(sources.toSorted())
  })
})

describe('a change of a note', () => {
  test('notes-24, notes-27, notes-31: leaves what it does not say', async () => {
    const created = await create()
    const renamed = await change(created.id, { content: 'Call the miller' })
    expect(renamed).toEqual({ ...created, content: 'Call the miller' })
    const coloured = await change(created.id, { hexColor: '#f2f2f2' })
    expect(coloured).toEqual({ ...renamed, hexColor: '#f2f2f2' })
    const moved = await change(created.id, { scheduledAt: '2030-06-02T09:00:00' })
    expect(moved).toEqual({ ...coloured, scheduledAt: '2030-06-02T07:00:00.000Z' })
    expect(await change(created.id, {})).toEqual(moved)
  })

  test('notes-28, series-05: of one that repeats is one of this occurrence alone', async () => {
    const socialSetId = await api.newSocialSet()
    await create({ socialSetId, repeat: { interval: 'DAY', occurrences: 3 } })
    const before = await list(socialSetId, '2030-06-01', '2030-06-10')
    const changed = await change(before[1].id, { content: 'Not today', hexColor: '#e1effc' })
    expect(changed).toEqual({ ...before[1], content: 'Not today', hexColor: '#e1effc' })
    expect(await list(socialSetId, '2030-06-01', '2030-06-10')).toEqual([before[0], changed, before[2]])
  })

  test('shape-38: may send back what was read, also of one whose time is fixed', async () => {
    const recurring = await create({ repeat: { interval: 'DAY', occurrences: 2 } })
    const imported = await create()
    await api.db.updateTable('notes').set({ source: 'GOOGLE_IMPORT' }).where('id', '=', imported.id).execute()
    for (const { id } of [recurring, imported, await create()]) {
      const current = await read(id)
      expect(await change(id, current)).toEqual(current)
      expect(await change(id, { scheduledAt: '2030-06-01T12:00:00+02:00' })).toEqual(current)
    }
  })

  test('moves a note of a shared calendar', async () => {
    const { id } = await create()
    await api.db.updateTable('notes').set({ source: 'SHARED_CALENDAR' }).where('id', '=', id).execute()
    expect(await change(id, { scheduledAt: '2031-01-01T00:00:00Z' })).toMatchObject({
      scheduledAt: '2031-01-01T00:00:00.000Z',
    })
  })
})

test('extension-01: a note that is deleted is gone, of a series that occurrence alone', async () => {
  const socialSetId = await api.newSocialSet()
  await create({ socialSetId, repeat: { interval: 'DAY', occurrences: 3 } })
  const [first, second, third] = await list(socialSetId, '2030-06-01', '2030-06-10')
  const writer = await api.newKey({ scopes: ['notes:write'] })
  expect((await api.request('DELETE', `/v1/notes/${second.id}`, { key: writer })).status).toBe(204)
  expect(await list(socialSetId, '2030-06-01', '2030-06-10')).toEqual([first, third])
  expect((await api.request('GET', `/v1/notes/${second.id}`)).body.code).toBe('note:not_found')
})
