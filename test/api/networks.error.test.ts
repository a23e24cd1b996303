import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

test.each([
  ['page=0', 'page'],
  ['size=101', 'size'],
  ['accountType=BLUESKY', 'accountType'],
])('?%s is refused by its name', async (query, name) => {
  const { status, body } = await api.request('GET', `/v1/networks?${query}`)
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'request:invalid_query', errors: [{ path: name }] })
})

test('without a key it is 401', async () => {
  expect((await api.request('GET', '/v1/networks', { key: null })).status).toBe(401)
})
