import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, type Body, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

test.each([
  ['page=0&size=101', ['page', 'size']],
  ['page=x', ['page']],
  ['page=101&size=100', ['page']],
  ['socialSetId=1&filters[search]=abc', ['socialSetId', 'filters[search]']],
  ['page=1&page[]=2', ['page']],
])('shape-15, shape-16, shape-35: %s', async (query, paths) => {
  const { status, body } = await api.request('GET', `/v1/social-sets?${query}`)
  expect([status, body.code]).toEqual([400, 'request:invalid_query'])
  expect(body.errors.map(({ path }: Body) => path)).toEqual(paths)
})
