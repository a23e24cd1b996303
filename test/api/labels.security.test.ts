import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLabel } from '#operations'
import { type Api, type Body, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const label = (accountId: string, name: string) => createLabel(api, { accountId, name, color: null })

test('extension-07: a key sees the labels of its account and no others, with any scopes and social sets', async () => {
  const accountId = await api.newAccount()
  await label(api.accountId, 'Ours')
  await label(accountId, 'Theirs')
  const names = async (key: string) => {
    const { body } = await api.request('GET', '/v1/labels', { key })
    expect(body.pagination.total).toBe(body.data.length)
    return body.data.map(({ name }: Body) => name)
  }
  expect(await names(api.key)).toEqual(['Ours'])
  expect(await names(await api.newKey({ scopes: [] }))).toEqual(['Ours'])
  expect(await names(await api.newKey({ socialSetIds: [await api.newSocialSet()] }))).toEqual(['Ours'])
  expect(await names(await api.newKey({ accountId }))).toEqual(['Theirs'])
})

test("another account's label finds nothing", async () => {
  const { id } = await label(await api.newAccount(), 'Elsewhere')
  await api.create()
  const { status, body } = await api.request(
    'GET',
    `/v1/post-sets?socialSetId=${api.socialSetId}&filters[labelsId][]=${id}`,
  )
  expect([status, body.data]).toEqual([200, []])
})

test('no list without a key', async () => {
  const { status, body } = await api.request('GET', '/v1/labels', { key: null })
  expect([status, body.code]).toEqual([401, 'auth:missing_credential'])
})
