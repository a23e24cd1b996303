import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const move = (id: string, body: object) => person.request('POST', `/post-sets/${id}/move`, { body })
const versions = async () => {
  const rows = await api.db.selectFrom('post_sets').select('version').orderBy('id').execute()
  return rows.map(({ version }) => version)
}

test('when the named set cannot be moved, none is', async () => {
  const repeat = { interval: 'DAY', occurrences: 3 }
  const { id } = await api.create({ repeat })
  const before = await versions()
  const body = { scheduledAt: '2030-06-02T10:00:00Z', scope: 'all' }
  await actionsOf(person).lock(id)
  expect(statusAndCode(await move(id, body))).toEqual([412, 'post-set:locked'])
  expect(statusAndCode(await move(id, { ...body, preview: true }))).toEqual([412, 'post-set:locked'])
  await actionsOf(person).lock(id, false)
  await api.db.updateTable('post_sets').set({ status: 'PUBLISHING' }).where('id', '=', id).execute()
  expect(statusAndCode(await move(id, body))).toEqual([412, 'post-set:read_only'])
  await api.db.updateTable('post_sets').set({ status: 'DRAFT', version: 1 }).where('id', '=', id).execute()
  expect(await versions()).toEqual(before)
})

test('the named set is held to the rules of its networks, and in a preview too', async () => {
  const { id } = await api.create({ status: 'SCHEDULED' })
  const body = { scheduledAt: '2030-06-02T10:00:00Z', scope: 'this' }
  await api.db.updateTable('connections').set({ status: 'RECONNECT_REQUIRED' }).execute()
  for (const preview of [true, false]) {
    expect(statusAndCode(await move(id, { ...body, preview }))).toEqual([422, 'post-set:invalid_posts'])
  }
  await api.db.updateTable('connections').set({ status: 'CONNECTED' }).execute()
  expect((await move(id, body)).status).toBe(200)
})

test('sets that would leave the years that there are stay, and say so', async () => {
  const { id } = await api.create({
    scheduledAt: '2100-10-01T10:00:00Z',
    repeat: { interval: 'MONTH', occurrences: 3 },
  })
  const { body } = await move(id, { scheduledAt: '2100-11-15T10:00:00Z', scope: 'all' })
  expect(body.moved).toHaveLength(2)
  expect(body.left).toEqual([
    { id: expect.any(String), why: expect.objectContaining({ message: expect.stringContaining('2000 to 2100') }) },
  ])
})

test('a set that is where it is asked to be is not moved', async () => {
  const { id } = await api.create({ repeat: { interval: 'DAY', occurrences: 2 } })
  const before = await versions()
  const { body } = await move(id, { scheduledAt: '2030-06-01T12:00:00+02:00', scope: 'all' })
  expect(body).toEqual({
    moved: [],
    left: [{ id: expect.any(String), why: expect.objectContaining({ message: 'It is already there.' }) }],
  })
  expect(await versions()).toEqual(before)
})
