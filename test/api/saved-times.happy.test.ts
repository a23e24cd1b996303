import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

let api: Api
let editor: Person
beforeAll(async () => {
  api = await startApi()
  editor = await signInAs(api, 'editor')
})
afterEach(() => api.setClock(null))
afterAll(() => api.close())

const NOON = '2026-11-23T12:00:00Z'
const times = (...all: string[]) => all.map((text) => ({ weekday: Number(text[0]), time: text.slice(2) }))
const put = (id: string, all: object[]) =>
  editor.request('PUT', `/social-sets/${id}/saved-times`, { body: { times: all } })
async function brand(...all: string[]): Promise<string> {
  const id = await api.newSocialSet({ connected: ['BLUESKY'] })
  expect((await put(id, times(...all))).status).toBe(200)
  return id
}
async function slots(id: string, query = ''): Promise<string[]> {
  const answer = await editor.request('GET', `/social-sets/${id}/free-slots${query}`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.slots.map(({ wall }: { wall: string }) => wall)
}

test('saved times are kept in order, each once, and are those of the brand alone', async () => {
  const id = await api.newSocialSet()
  const read = async (socialSetId = id) => (await editor.request('GET', `/social-sets/${socialSetId}/saved-times`)).body
  expect(await read()).toEqual({ timezone: 'Europe/Berlin', times: [] })
  const saved = { timezone: 'Europe/Berlin', times: times('1 09:00', '1 17:30', '3 00:00', '7 23:59') }
  const answer = await put(id, times('7 23:59', '1 17:30', '1 09:00', '3 00:00', '1 09:00'))
  expect(answer.body).toEqual(saved)
  expect(await read()).toEqual(saved)
  expect((await read(await api.newSocialSet())).times).toEqual([])
  expect((await put(id, [])).body.times).toEqual([])
  expect((await read()).times).toEqual([])
})

test('seventy of them are kept', async () => {
  const all = Array.from({ length: 70 }, (_, at) => `${(at % 7) + 1} ${String(Math.floor(at / 7)).padStart(2, '0')}:05`)
  const id = await brand(...all)
  expect(await slots(id, '?limit=50')).toHaveLength(50)
})

test('slots to come, by the clock of the brand and as moments', async () => {
  const id = await brand('1 13:00', '1 14:00', '4 09:30')
  await api.setClock(NOON)
  const { body } = await editor.request('GET', `/social-sets/${id}/free-slots?limit=3`)
  expect(body).toEqual({
    timezone: 'Europe/Berlin',
    // What is due at this moment is none of them.
    slots: [
      { at: '2026-11-23T13:00:00.000Z', wall: '2026-11-23T14:00' },
      { at: '2026-11-26T08:30:00.000Z', wall: '2026-11-26T09:30' },
      { at: '2026-11-30T12:00:00.000Z', wall: '2026-11-30T13:00' },
    ],
  })
  expect(await slots(id)).toHaveLength(10)
})

test('slots at or after a time, which may be given by the clock of the brand, and never in the past', async () => {
  const id = await brand('1 09:00', '4 09:00')
  await api.setClock(NOON)
  expect(await slots(id, '?limit=1&from=2027-02-04T09:00:00')).toEqual(['2027-02-04T09:00'])
  expect(await slots(id, '?limit=1&from=2027-02-04T08:00:00Z')).toEqual(['2027-02-04T09:00'])
  expect(await slots(id, '?limit=1&from=2027-02-04T08:00:01Z')).toEqual(['2027-02-08T09:00'])
  expect(await slots(id, '?limit=1&from=2020-01-01')).toEqual(['2026-11-26T09:00'])
  // Nothing is scheduled after the year 2100.
  expect(await slots(id, '?from=2100-12-25')).toEqual(['2100-12-27T09:00', '2100-12-30T09:00'])
})

test('a slot at which a post is on the calendar is not free, in any state of the post, and is again when it leaves', async () => {
  const id = await brand('1 09:00', '2 09:00', '3 09:00')
  const other = await brand('1 09:00')
  await api.setClock(NOON)
  const at = (scheduledAt: string, more: object = {}) => api.create({ socialSetId: id, scheduledAt, ...more })
  await at('2026-11-24T09:00:00+01:00', { status: 'SCHEDULED' })
  const draft = await at('2026-11-25T09:00:59+01:00')
  await at('2026-11-30T08:59:59+01:00')
  await at('2026-12-01T09:01:00+01:00')
  await api.create({ socialSetId: other, scheduledAt: '2026-12-02T09:00:00+01:00' })
  expect(await slots(id, '?limit=3')).toEqual(['2026-11-30T09:00', '2026-12-01T09:00', '2026-12-02T09:00'])
  await editor.request('DELETE', `/post-sets/${draft.id}`)
  expect(await slots(id, '?limit=2')).toEqual(['2026-11-25T09:00', '2026-11-30T09:00'])
})

test('a gap of the clocks is left out, and of an hour that is there twice the first is meant', async () => {
  const id = await brand('7 02:30')
  await api.setClock('2027-03-20T12:00:00Z')
  expect(await slots(id, '?limit=3')).toEqual(['2027-03-21T02:30', '2027-04-04T02:30', '2027-04-11T02:30'])
  const twice = async () =>
    (await editor.request('GET', `/social-sets/${id}/free-slots?limit=1&from=2027-10-30`)).body.slots
  expect(await twice()).toEqual([{ at: '2027-10-31T00:30:00.000Z', wall: '2027-10-31T02:30' }])
  // The second one is another time.
  await api.create({ socialSetId: id, scheduledAt: '2027-10-31T02:30:00+01:00' })
  expect(await twice()).toHaveLength(1)
  await api.create({ socialSetId: id, scheduledAt: '2027-10-31T02:30:00+02:00' })
  expect((await twice())[0].wall).toBe('2027-11-07T02:30')
})

test('half a year is looked at: there may be fewer than asked for, or none', async () => {
  const id = await brand('1 09:00')
  await api.setClock(NOON)
  expect(await slots(id, '?limit=50')).toHaveLength(26)
  const repeat = { interval: 'WEEK', occurrences: 26 }
  await api.create({ socialSetId: id, scheduledAt: '2026-11-30T09:00:00+01:00', repeat })
  expect(await slots(id)).toEqual([])
  expect(await slots(await api.newSocialSet())).toEqual([])
})

test('another timezone keeps the saved times', async () => {
  const id = await brand('1 09:00')
  const owner = await signInAs(api, 'owner')
  await owner.request('PATCH', `/social-sets/${id}`, { body: { timezone: 'America/New_York', keep: 'clock' } })
  await api.setClock(NOON)
  const { body } = await editor.request('GET', `/social-sets/${id}/free-slots?limit=1`)
  expect(body).toEqual({
    timezone: 'America/New_York',
    slots: [{ at: '2026-11-23T14:00:00.000Z', wall: '2026-11-23T09:00' }],
  })
})

test('slots are found with the same queries, however many are taken', async () => {
  const id = await brand('1 09:00', '2 09:00', '3 09:00')
  await api.setClock(NOON)
  const cost = async () => {
    const before = api.queries()
    await slots(id, '?limit=5')
    return api.queries() - before
  }
  const free = await cost()
  const repeat = { interval: 'WEEK', occurrences: 20 }
  await api.create({ socialSetId: id, scheduledAt: '2026-11-24T09:00:00+01:00', repeat })
  expect(await cost()).toBe(free)
})
