import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERRORS, MEDIA_UPLOAD_ERRORS, POST_PROBLEMS } from '#contract'
import { openDatabase } from '#persistence'
import { type Api, startApi } from '../_util/api/api.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const UUIDV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('problem-05: every answer names its request, and API answers are not cached', async () => {
  const first = await api.request('GET', '/v1/social-sets', { headers: { 'x-request-id': 'mine' } })
  const second = await api.request('GET', '/v1/nothing')
  const ids = [first, second].map(({ headers }) => headers.get('x-request-id'))
  expect(ids[0]).toMatch(UUIDV7)
  expect(second.body.requestId).toBe(ids[1])
  expect(new Set(ids).size).toBe(2)
  for (const { headers } of [first, second]) {
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  expect(api.logged()).toContain(ids[1])
})

test('health needs no key', async () => {
  const { status, body } = await api.request('GET', '/healthz', { key: null })
  expect([status, body]).toEqual([200, { status: 'ok', problems: [], lastWriteAt: null }])
})

test('a process that lives says what is wrong, and that it should get no requests meanwhile', async () => {
  const problems = ['The database does not answer.']
  const lastWriteAt = new Date('2030-06-01T08:00:00Z')
  const oldest = { dueAt: new Date('2030-06-01T07:00:00Z'), pastLeaseAt: null }
  const unwell = await startApi({
    health: {
      live: async () => ({ ok: true, problems, lastWriteAt, oldest }),
      // What could not be read is left out.
      ready: async () => ({ ok: false, problems, lastWriteAt, oldest: null }),
    },
  })
  const answers = ['/healthz', '/readyz'].map(async (path) => {
    const answer = await fetch(`${unwell.url}${path}`)
    return [answer.status, answer.headers.get('cache-control'), await answer.json()]
  })
  expect(await Promise.all(answers)).toEqual([
    [
      200,
      'no-store',
      {
        status: 'ok',
        problems,
        lastWriteAt: '2030-06-01T08:00:00.000Z',
        oldestDueAt: '2030-06-01T07:00:00.000Z',
        oldestPastLeaseAt: null,
      },
    ],
    [503, 'no-store', { status: 'unavailable', problems, lastWriteAt: '2030-06-01T08:00:00.000Z' }],
  ])
  await unwell.close()
})

test('a request under way is answered while the server ends', async () => {
  const ending = await startApi()
  const { id } = await ending.create()
  const other = openDatabase(ending.databaseUrl, { poolSize: 1 })
  const { change, closed } = await other.transaction().execute(async (trx) => {
    await trx.selectFrom('post_sets').select('id').where('id', '=', id).forUpdate().execute()
    const change = ending.request('PATCH', `/v1/post-sets/${id}`, { body: { approval: 'PENDING' } })
    await untilSomeoneWaits(ending.db)
    const closed = ending.stop()
    await expect(fetch(ending.url)).rejects.toThrow()
    return { change, closed }
  })
  expect((await change).status).toBe(200)
  await closed
  await other.destroy()
  await ending.close()
})

test('OPTIONS answers what a path takes', async () => {
  for (const [path, allow] of [
    ['/v1/post-sets', 'GET, HEAD, POST, OPTIONS'],
    ['/v1/post-sets/x', 'DELETE, GET, HEAD, PATCH, OPTIONS'],
    ['/healthz', 'GET, HEAD, OPTIONS'],
  ]) {
    const { status, headers } = await api.request('OPTIONS', path ?? '')
    expect([status, headers.get('allow')]).toEqual([204, allow])
  }
})

describe('pages of errors', () => {
  test('problem-03: there is one for every code', async () => {
    for (const code of Object.keys({ ...ERRORS, ...POST_PROBLEMS, ...MEDIA_UPLOAD_ERRORS })) {
      const { status, headers, body } = await api.request('GET', `/docs/errors/${code}`, { key: null })
      expect(status, code).toBe(200)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(body).toContain(code)
    }
  })

  test('problem-03: the type of a problem leads there', async () => {
    const { body } = await api.request('GET', '/v1/post-sets')
    expect(body.type).toBe('https://almanac.test/docs/errors/request:invalid_query')
    expect((await api.request('GET', new URL(body.type).pathname, { key: null })).status).toBe(200)
  })

  test('there is none for other words', async () => {
    for (const code of ['x', 'toString', '__proto__', '%3Cscript%3E']) {
      const { status, body } = await api.request('GET', `/docs/errors/${code}`, { key: null })
      expect([status, body.code]).toEqual([404, 'route:not_found'])
    }
  })
})

describe('the description of the API', () => {
  test('service-03: every operation that clients know is there, and all operations are below /v1', () => {
    const operations = Object.entries(api.openApi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(operations).toEqual(
      expect.arrayContaining([
        'GET /v1/notes',
        'GET /v1/notes/{id}',
        'POST /v1/notes',
        'PATCH /v1/notes/{id}',
        'GET /v1/post-sets',
        'GET /v1/post-sets/{id}',
        'POST /v1/post-sets',
        'PATCH /v1/post-sets/{id}',
        'GET /v1/social-sets',
        'POST /v1/media-upload',
        'GET /v1/media-upload/{id}',
        'GET /v1/media-library',
        'GET /v1/media-library/{id}',
      ]),
    )
    expect(operations.filter((operation) => !operation.includes(' /v1/'))).toEqual([])
  })

  test('service-26, events-01, extension-08: is OpenAPI 3.1 with every operation, its problems, its key and its name', () => {
    const { openapi, paths } = api.openApi
    expect(openapi).toBe('3.1.0')
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...(operation as object) })),
    ) as { path: string; method: string; operationId: string; security: object[]; responses: object; tags: string[] }[]
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual([
      'adoptWebhook',
      'appendToUpload',
      'beginUpload',
      'createMediaUpload',
      'createNote',
      'createPostSet',
      'createPostSets',
      'createWebhook',
      'deleteNote',
      'deletePostSet',
      'deleteWebhook',
      'describeUploads',
      'getMediaLibrary',
      'getMediaUpload',
      'getNote',
      'getPostSet',
      'getWebhook',
      'listEvents',
      'listFreeSlots',
      'listLabels',
      'listMediaLibrary',
      'listNetworks',
      'listNotes',
      'listPostSets',
      'listSocialSets',
      'listWebhookAttempts',
      'listWebhooks',
      'removeUpload',
      'resendWebhookEvents',
      'retryPostSet',
      'rotateWebhookSecret',
      'testWebhook',
      'updateNote',
      'updatePostSet',
      'updateWebhook',
      'validatePostSet',
    ])
    for (const { responses, security, tags } of operations) {
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '406', '500']))
      expect(security).toEqual([{ apiKey: [] }])
      expect(tags).toHaveLength(1)
    }
    expect(Object.keys(paths['/v1/post-sets/{id}']?.patch?.responses ?? {})).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '406',
      '409',
      '412',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ])
  })

  test('gives schemas names and repeats none', () => {
    const { schemas } = api.openApi.components
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        'PostSet',
        'PostSetCreate',
        'InstagramPost',
        'LinkedinPagePostInput',
        'Problem',
        'SocialSet',
      ]),
    )
    expect(JSON.stringify(schemas.PostSet)).toContain('"$ref":"#/components/schemas/GmbPost"')
    const operations = Object.values(api.openApi.paths).flatMap((methods) => Object.keys(methods)).length
    const { webhooks, ...described } = api.openApi as typeof api.openApi & { webhooks: object }
    expect(JSON.stringify(webhooks).length).toBeLessThan(Object.keys(webhooks).length * 1_000)
    expect(JSON.stringify(described).length).toBeLessThan(operations * 8_700)
  })

  test('names the parameters of lists as they are written', () => {
    const operation = api.openApi.paths['/v1/post-sets']?.get as { parameters?: { name: string }[] } | undefined
    expect(operation?.parameters?.map(({ name }) => name)).toEqual([
      'socialSetId',
      'page',
      'size',
      'filters[startDate]',
      'filters[endDate]',
      'filters[status][]',
      'filters[socialNetworks][]',
      'filters[approval][]',
      'filters[labelsId][]',
      'filters[search]',
      'filters[externalId]',
      'sort[scheduledAt]',
      'sort[createdAt]',
    ])
  })
})
