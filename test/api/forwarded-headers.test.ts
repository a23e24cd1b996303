import { afterEach, expect, test } from 'vitest'
import { type Api, type ApiOptions, startApi } from '../_util/api/api.ts'

let api: Api
const start = async (options: ApiOptions = {}) => {
  api = await startApi(options)
}
afterEach(() => api.close())

const reported = () =>
  api
    .logged()
    .split('\n')
    .filter((line) => line.includes('ALMANAC_TRUST_PROXY'))
const ask = (headers: Record<string, string>, path = '/docs') => api.request('GET', path, { key: null, headers })

test.each([
  ['x-forwarded-for', '203.0.113.77'],
  ['forwarded', 'for=203.0.113.77;proto=https'],
  ['x-forwarded-proto', 'https'],
])('%s that no proxy is trusted to write is warned of once, without what it says', async (name, value) => {
  await start()
  await ask({})
  expect(reported()).toEqual([])
  for (const path of ['/docs', '/v1/labels', '/internal/setup', '/nothing']) await ask({ [name]: value }, path)
  expect(reported()).toHaveLength(1)
  const line = JSON.parse(reported()[0] ?? '')
  expect(line).toMatchObject({ level: 40, headers: [name] })
  expect(line.msg).toMatch(/off.*ALMANAC_TRUST_PROXY=1/)
  expect(api.logged()).not.toContain('203.0.113.77')
})

test('where a proxy is trusted nothing is said', async () => {
  await start({ trustProxy: 1 })
  await ask({ 'x-forwarded-for': '203.0.113.77', 'x-forwarded-proto': 'https', forwarded: 'for=203.0.113.77' })
  expect(reported()).toEqual([])
})
