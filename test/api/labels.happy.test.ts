import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLabel, labelPostSet } from '#operations'
import type { Actor } from '#persistence'
import { type Api, type Body, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const actor: Actor = { type: 'OPERATOR', id: null, name: 'operator' }
const label = (name: string, more: { accountId?: string; color?: string } = {}) =>
  createLabel(api, { accountId: api.accountId, name, color: null, ...more })
const mark = (postSetId: string, name: string, remove = false) =>
  labelPostSet(api, { postSetId, label: name, remove }, actor)
const version = async (id: string) =>
  (await api.db.selectFrom('post_sets').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version
const labelled = async (...ids: string[]) => {
  const filters = ids.map((id) => `filters[labelsId][]=${id}`)
  const { status, body } = await api.request(
    'GET',
    `/v1/post-sets?${[`socialSetId=${api.socialSetId}`, ...filters].join('&')}`,
  )
  expect(status).toBe(200)
  expect(body.pagination.total).toBe(body.data.length)
  return body.data.map(({ id }: Body) => id)
}

test('extension-07: the labels of the account by name', async () => {
  const accountId = await api.newAccount()
  const key = await api.newKey({ accountId })
  expect((await api.request('GET', '/v1/labels', { key })).body).toEqual({
    data: [],
    pagination: { page: 1, size: 25, total: 0, totalPages: 0, totalIsExact: true },
  })
  const winter = await label('Winter', { accountId })
  const autumn = await label('Autumn', { accountId, color: '#ff8800' })
  const { status, body } = await api.request('GET', '/v1/labels', { key })
  expect(status).toBe(200)
  const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(body).toEqual({
    data: [
      { id: autumn.id, name: 'Autumn', color: '#ff8800', createdAt },
      { id: winter.id, name: 'Winter', color: null, createdAt },
    ],
    pagination: { page: 1, size: 25, total: 2, totalPages: 1, totalIsExact: true },
  })
})

test('pages hold every label once, with two queries however many there are', async () => {
  const accountId = await api.newAccount()
  const key = await api.newKey({ accountId })
  const names = Array.from({ length: 30 }, (_, index) => `Label ${String(index).padStart(2, '0')}`)
  for (const name of names.toReversed()) await label(name, { accountId })
  const found: string[] = []
  for (const page of [1, 2, 3, 4]) {
    const { body } = await api.request('GET', `/v1/labels?page=${page}&size=10`, { key })
    expect(body.pagination).toEqual({ page, size: 10, total: 30, totalPages: 3, totalIsExact: true })
    found.push(...body.data.map(({ name }: Body) => name))
  }
  expect(found).toEqual(names)

  const cost = async (size: number) => {
    const before = api.queries()
    await api.request('GET', `/v1/labels?size=${size}`, { key })
    return api.queries() - before
  }
  expect(await cost(30)).toBe(await cost(1))
})

test('resources-17: a label shows on the sets that carry it, finds them, and raises their version each time', async () => {
  const { id: spring } = await label('Spring')
  const { id: summer } = await label('Summer')
  const [first, second, plain] = [await api.create(), await api.create(), await api.create()]
  await mark(first.id, 'Spring')
  await mark(first.id, summer)
  await mark(second.id, summer)
  const read = async (id: string) => (await api.request('GET', `/v1/post-sets/${id}`)).body
  expect((await read(first.id)).labelsId).toEqual([spring, summer].toSorted())
  expect((await read(second.id)).labelsId).toEqual([summer])
  expect((await read(plain.id)).labelsId).toEqual([])
  expect(await labelled(spring)).toEqual([first.id])
  expect((await labelled(spring, summer)).toSorted()).toEqual([first.id, second.id].toSorted())
  expect(await version(first.id)).toBe(3)
  expect(await version(plain.id)).toBe(1)

  await mark(first.id, 'Spring', true)
  expect(await version(first.id)).toBe(4)
  expect((await read(first.id)).labelsId).toEqual([summer])
  expect(await labelled(spring)).toEqual([])
  expect((await api.history(first.id)).map(({ action }) => action)).toEqual([
    'created',
    'label added',
    'label added',
    'label removed',
  ])
})

test('a label that is gone finds nothing and is on nothing', async () => {
  const { id } = await label('Gone')
  const set = await api.create()
  await mark(set.id, id)
  expect(await labelled(id)).toEqual([set.id])
  await api.db.deleteFrom('labels').where('id', '=', id).execute()
  expect(await labelled(id)).toEqual([])
  const { body } = await api.request('GET', `/v1/post-sets/${set.id}`)
  expect(body.labelsId).toEqual([])
  const list = await api.request('GET', '/v1/labels?size=100')
  expect(list.body.data.map((each: Body) => each.id)).not.toContain(id)
})
