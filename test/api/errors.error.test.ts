import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERRORS, POST_PROBLEMS } from '#contract'
import { newId } from '#domain'
import { type Answer, type Api, BLUESKY_POST, type Body, type RequestOptions, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const reported = ({ status, body }: Answer) => [status, body.code]
const NOT_FOUND = [404, 'route:not_found']

test('errors-01, versions-01, problem-01, problem-29: routes that there are not', async () => {
  for (const path of ['/v1/nothing', '/v1', '/v1/', '/v1/post-set', '/nothing', '/v2/post-sets', '/v1//post-sets']) {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      expect(reported(await api.request(method, path)), `${method} ${path}`).toEqual(NOT_FOUND)
    }
  }
  expect(reported(await api.request('POST', '/v1/nothing', { raw: '{"' }))).toEqual(NOT_FOUND)
  expect(
    reported(await api.request('POST', '/nothing', { raw: 'x', headers: { 'content-type': 'text/csv' } })),
  ).toEqual(NOT_FOUND)
  expect(reported(await api.request('GET', '/v1/post-sets/%zz'))).toEqual(NOT_FOUND)
})

test('problem-01, problem-30: methods that a route does not take', async () => {
  for (const [method, path, allow] of [
    ['DELETE', '/v1/post-sets', 'GET, HEAD, POST, OPTIONS'],
    ['PUT', '/v1/post-sets/x', 'DELETE, GET, HEAD, PATCH, OPTIONS'],
    ['POST', '/v1/social-sets?page=x', 'GET, HEAD, OPTIONS'],
    ['POST', '/openapi.json', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/v1/social-sets', 'GET, HEAD, OPTIONS'],
  ] as const) {
    const answer = await api.request(method, path)
    expect(reported(answer), `${method} ${path}`).toEqual([405, 'request:method_not_allowed'])
    expect(answer.headers.get('allow')).toBe(allow)
  }
  const body = await api.request('PUT', '/v1/post-sets', { raw: '{"', headers: { 'content-type': 'text/plain' } })
  expect(reported(body)).toEqual([405, 'request:method_not_allowed'])
})

test('problem-31: answers in another form than JSON', async () => {
  const accept = async (value: string) =>
    reported(await api.request('GET', '/v1/social-sets', { headers: { accept: value } }))
  for (const value of ['text/html', 'application/xml;q=1, text/*', 'application/json;q=0', 'application/*;q=0.0']) {
    expect(await accept(value), value).toEqual([406, 'request:not_acceptable'])
  }
  for (const value of [
    '*/*',
    'application/json',
    'APPLICATION/JSON; charset=utf-8',
    'text/html, application/*;q=0.1',
    '',
  ]) {
    expect((await accept(value))[0], value).toBe(200)
  }
})

describe('bodies', () => {
  const post = (raw: string | Uint8Array, headers: Record<string, string> = {}) =>
    api.request('POST', '/v1/post-sets', { raw, headers })

  test('problem-01, problem-10: that are no JSON', async () => {
    const inUtf16 = Buffer.from('{"a":"ä"}', 'utf16le')
    for (const raw of ['', '{', "{'a':1}", 'undefined', '{"a":1}x', Buffer.from([0x22, 0xff, 0x22]), inUtf16]) {
      const answer = await post(raw)
      expect(reported(answer)).toEqual([400, 'request:invalid_json'])
      expect(answer.body.errors).toEqual([])
    }
  })

  test('service-01, problem-33: of another form', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'application/jsonx',
      'x',
      'application/json; charset=utf-16',
    ]) {
      expect(reported(await post('{}', { 'content-type': type })), type).toEqual([
        415,
        'request:unsupported_media_type',
      ])
    }
    const packed = await post(gzipSync(JSON.stringify(api.draft())), { 'content-encoding': 'gzip' })
    expect(reported(packed)).toEqual([415, 'request:unsupported_media_type'])
    for (const type of ['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"']) {
      const answer = await post(JSON.stringify(api.draft()), { 'content-type': type })
      expect(answer.status, type).toBe(201)
    }
  })

  test('that are missing', async () => {
    expect(reported(await api.request('POST', '/v1/post-sets'))).toEqual([400, 'request:invalid_body'])
  })

  test('problem-32: that are too large, declared or not', async () => {
    const raw = JSON.stringify({ filler: 'x'.repeat(1_048_576) })
    expect(reported(await post(raw))).toEqual([413, 'request:too_large'])
    const response = await fetch(`${api.url}/v1/post-sets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
      body: new Blob([raw]).stream(),
      duplex: 'half',
    })
    const { code } = (await response.json()) as { code: string }
    expect([response.status, code]).toEqual([413, 'request:too_large'])
  })

  test('with names that mean something to JavaScript are bodies like others', async () => {
    const { status, body } = await post('{"__proto__":{"status":"DRAFT"},"constructor":1}')
    expect(status).toBe(400)
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['__proto__', 'constructor']),
    )
    const { status: stored } = await post(
      JSON.stringify(api.draft()).replace('"BLUESKY"', '"BLUESKY","__proto__":{"x":1}'),
    )
    expect(stored).toBe(400)
  })

  test('with two thousand problems are answered with the first hundred', async () => {
    const extra = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`x${index}`, '\0']))
    const { status, body } = await api.request('POST', '/v1/post-sets', { body: api.draft(extra) })
    expect(status).toBe(400)
    expect(body.errors).toHaveLength(100)
  })
})

describe('what is hardly HTTP', () => {
  const send = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => socket.write(text))
      let answer = ''
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.on('end', () => resolve(answer))
      socket.on('error', reject)
    })

  test('errors-01, problem-01: is answered with a problem all the same', async () => {
    const answer = await send('GET\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*content-type: application\/problem\+json[\s\S]*"code":"request:/)
  })

  test('headers that are too large', async () => {
    const answer = await send(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"request:too_large"/)
  })
})

const MEMBERS = ['code', 'detail', 'errors', 'message', 'requestId', 'status', 'title', 'type']
const ENTRY_MEMBERS = ['accountType', 'actual', 'code', 'limit', 'message', 'path', 'pointer']

const broken = () => ({
  body: api.draft({ status: 'SCHEDULED', posts: [{ ...BLUESKY_POST, caption: 'x'.repeat(301) }] }),
})
const readOnly = async () => {
  const { id } = await api.create()
  await api.db.updateTable('post_sets').set({ status: 'PUBLISHED' }).where('id', '=', id).execute()
  return `/v1/post-sets/${id}`
}

test.each<[number, string, () => Promise<[string, string, RequestOptions?]>]>([
  [400, 'a body that is no JSON', async () => ['POST', '/v1/post-sets', { raw: '{' }]],
  [400, 'a body of another shape', async () => ['POST', '/v1/post-sets', { body: { nonsense: 1 } }]],
  [400, 'a query', async () => ['GET', '/v1/post-sets?colour=red']],
  [401, 'no credential', async () => ['GET', '/v1/social-sets', { key: null }]],
  [401, 'a wrong credential', async () => ['GET', '/v1/social-sets', { key: 'alm_x' }]],
  [403, 'a scope', async () => ['POST', '/v1/post-sets', { key: await api.newKey({ scopes: [] }), body: api.draft() }]],
  [404, 'a set', async () => ['GET', `/v1/post-sets/${newId()}`]],
  [404, 'a route', async () => ['GET', '/v1/nothing']],
  [405, 'a method', async () => ['PUT', '/v1/post-sets']],
  [406, 'another form', async () => ['GET', '/v1/social-sets', { headers: { accept: 'text/html' } }]],
  [412, 'a state', async () => ['PATCH', await readOnly(), { body: {} }]],
  [413, 'a large body', async () => ['POST', '/v1/post-sets', { raw: JSON.stringify('x'.repeat(1_100_000)) }]],
  [
    415,
    'a body of another type',
    async () => ['POST', '/v1/post-sets', { raw: 'x', headers: { 'content-type': 'text/csv' } }],
  ],
  [422, 'rules', async () => ['POST', '/v1/post-sets', broken()]],
])(
  'problem-01, problem-02, problem-04, problem-06, problem-09: %i because of %s has the members of a problem, all of them and no other',
  async (status, _, make) => {
    const [method, path, options] = await make()
    const { body, headers, ...answer } = await api.request(method, path, options)
    expect(answer.status).toBe(status)
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json(;|$)/)
    expect(Object.keys(body).toSorted()).toEqual(MEMBERS)
    expect(body).toMatchObject({
      type: `https://almanac.test/docs/errors/${body.code}`,
      title: ERRORS[body.code as keyof typeof ERRORS].title,
      status,
      message: body.detail,
      requestId: headers.get('x-request-id'),
    })
    expect(ERRORS[body.code as keyof typeof ERRORS].status).toBe(status)
    for (const entry of body.errors as Body[]) {
      expect(ENTRY_MEMBERS).toEqual(expect.arrayContaining(Object.keys(entry)))
      expect(Object.keys({ ...ERRORS, ...POST_PROBLEMS })).toContain(entry.code)
      expect(entry.pointer).toMatch(/^#/)
    }
  },
)
