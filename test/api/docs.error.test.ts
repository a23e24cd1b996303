import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

test('pages that there are not', async () => {
  for (const path of [
    '/docs/nothing',
    '/docs/nothing.md',
    '/docs/.md',
    '/docs/states.html',
    '/docs/states.md.md',
    '/docs/interface/states',
    '/docs/conformance',
    '/docs/toString',
    '/docs/__proto__',
    '/docs/..%2F..%2Fpackage.json',
    '/docs/%2e%2e/operating',
    '/docs/errors%2Froute:not_found%00',
    '/docs/errors/',
    '/docs/errors/.md',
    '/docs/errors/x',
    '/docs/errors/toString.md',
    '/docs/errors/__proto__',
    '/docs/errors/%3Cscript%3E',
    '/docs/errors/route:not_found/more',
    '/llms.txt.md',
    '/docs/style.css.md',
    '/docs/screens/',
    '/docs/screens/nothing.png',
    '/docs/screens/..%2Findex.md',
    '/docs/screens/..%2F..%2Fpackage.json',
  ]) {
    const { status, headers, body } = await api.request('GET', path, { key: null })
    expect([status, body.code], path).toEqual([404, 'route:not_found'])
    expect(headers.get('content-type'), path).toMatch(/^application\/problem\+json/)
  }
})

test('methods that pages do not take', async () => {
  for (const path of ['/docs', '/docs/states', '/docs/states.md', '/docs/errors/route:not_found', '/llms.txt']) {
    const { status, headers, body } = await api.request('POST', path, { key: null })
    expect([status, body.code, headers.get('allow')], path).toEqual([
      405,
      'request:method_not_allowed',
      'GET, HEAD, OPTIONS',
    ])
  }
})

test('pages are no part of the API: no key, no rate', async () => {
  const { status, headers } = await api.request('GET', '/docs/limits', { key: 'alm_wrong' })
  expect(status).toBe(200)
  expect(headers.get('x-ratelimit-limit')).toBeNull()
})
