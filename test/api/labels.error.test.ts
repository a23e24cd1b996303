import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, type Body, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

test.each([
  ['page=0&size=101', ['page', 'size']],
  ['size=x', ['size']],
  ['page=101&size=100', ['page']],
  ['socialSetId=1&filters[search]=abc', ['socialSetId', 'filters[search]']],
  ['page=1&page[]=2', ['page']],
])('%s', async (query, paths) => {
  const { status, body } = await api.request('GET', `/v1/labels?${query}`)
  expect([status, body.code]).toEqual([400, 'request:invalid_query'])
  expect(body.errors.map(({ path }: Body) => path)).toEqual(paths)
})

test('labels are read here and nothing else', async () => {
  for (const method of ['POST', 'PATCH', 'DELETE']) {
    const { status, headers, body } = await api.request(method, '/v1/labels', { body: { name: 'Autumn' } })
    expect([status, body.code]).toEqual([405, 'request:method_not_allowed'])
    expect(headers.get('allow')).toContain('GET')
  }
  const { status, body } = await api.request('GET', `/v1/labels/${api.accountId}`)
  expect([status, body.code]).toEqual([404, 'route:not_found'])
  expect(await api.db.selectFrom('labels').select('id').execute()).toEqual([])
})
