import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

describe('everything below /v1 wants a key', () => {
  test('for every resource, however the path is written', async () => {
    for (const [method, path] of [
      ['GET', '/v1'],
      ['GET', '/v1/nothing'],
      ['DELETE', '/v1/post-sets'],
      ['OPTIONS', '/v1/post-sets'],
      ['HEAD', '/v1/social-sets'],
      ['GET', '/%76%31/social-sets'],
      ['GET', '/v1/%73ocial-sets'],
      ['GET', '/%761/nothing'],
    ] as const) {
      const { status } = await api.request(method, path, { key: null })
      expect(status, `${method} ${path}`).toBe(401)
    }
  })

  test('also through an absolute address', async () => {
    const { request } = await import('node:http')
    const status = await new Promise((resolve) => {
      request(api.url, { path: `${api.url}/v1/social-sets` }, (response) => resolve(response.statusCode)).end()
    })
    expect(status).toBe(401)
  })
})

test('errors-01, problem-02, problem-39: of an error of ours, nothing is reported but the request', async () => {
  await sql`alter table post_sets rename to gone`.execute(api.db)
  const { status, body, headers } = await api.request('GET', `/v1/post-sets?socialSetId=${api.socialSetId}`)
  await sql`alter table gone rename to post_sets`.execute(api.db)
  expect(status).toBe(500)
  expect(body).toEqual({
    type: 'https://almanac.test/docs/errors/internal:error',
    title: 'Something went wrong on our side',
    status: 500,
    detail: body.message,
    code: 'internal:error',
    message: expect.not.stringMatching(/relation|post_sets|select/),
    requestId: headers.get('x-request-id'),
    errors: [],
  })
  const line = api
    .logged()
    .split('\n')
    .find((text) => text.includes(body.requestId) && text.includes('"level":50'))
  expect(line).toContain('post_sets')
})

test('an error page runs nothing', async () => {
  const { headers } = await api.request('GET', '/docs/errors/internal:error', { key: null })
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})
