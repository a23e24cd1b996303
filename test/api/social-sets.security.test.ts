import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, type Body, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const names = async (key: string) => {
  const { body } = await api.request('GET', '/v1/social-sets', { key })
  expect(body.pagination.total).toBe(body.data.length)
  return body.data.map(({ name }: Body) => name)
}

test('social-sets-01, shape-43: a key sees the social sets of its account, a restricted one only its own', async () => {
  const other = await api.newSocialSet({ name: 'Other' })
  const accountId = await api.newAccount()
  await api.newSocialSet({ accountId, name: 'Theirs' })
  expect(await names(api.key)).toEqual(['Brand', 'Other'])
  expect(await names(await api.newKey({ accountId }))).toEqual(['Theirs'])
  expect(await names(await api.newKey({ socialSetIds: [other] }))).toEqual(['Other'])
})

test('shape-42: an answer never holds what reaches a network', async () => {
  const { body } = await api.request('GET', '/v1/social-sets')
  expect(JSON.stringify(body)).not.toMatch(/sealed|secret|token|me of /)
})

test('no list without a key', async () => {
  const { status, body } = await api.request('GET', '/v1/social-sets', { key: null })
  expect([status, body.code]).toEqual([401, 'auth:missing_credential'])
})
