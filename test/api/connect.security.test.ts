import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'

let api: Api
let message = 'Over.'
beforeAll(async () => {
  api = await startApi({ finishAuthorization: async () => ({ kind: 'failed', message }), addressLimit: 5 })
})
afterAll(() => api.close())

const comeBack = (query: string) => fetch(`${api.url}/connect/bluesky/callback?${query}`)

test('a sign-in that fails is reported with 400, on a page that runs nothing and gives its address to no one', async () => {
  const page = await comeBack('state=s&code=c')
  expect(page.status).toBe(400)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  const policy = page.headers.get('content-security-policy') ?? ''
  for (const part of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'"])
    expect(policy).toContain(part)
  expect(policy).not.toContain('unsafe')
})

test('words that came through the address are shown as text', async () => {
  message = 'Pinterest says: “<script>alert(1)</script>”.'
  const html = await (await comeBack('state=s&error=x')).text()
  expect(html).toContain('&lt;script&gt;')
  expect(html).not.toContain('<script')
})

test('neither code nor state gets into the log', async () => {
  await comeBack('state=state-of-the-sign-in&code=code-of-the-network')
  expect(api.logged()).toContain('/connect/bluesky/callback')
  expect(api.logged()).not.toMatch(/state-of-the-sign-in|code-of-the-network/)
})

test('it is outside of the rate of the API, and limited for its address', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => comeBack('state=s')))
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([400, 429]))
  expect(all.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1')
  expect(all.some(({ headers }) => headers.has('ratelimit') || headers.has('x-ratelimit-limit'))).toBe(false)
})

test.each(['POST', 'HEAD'])('%s is not taken, so that no look uses up a sign-in', async (method) => {
  const answer = await fetch(`${api.url}/connect/bluesky/callback?state=looked-at`, { method })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, OPTIONS'])
})
