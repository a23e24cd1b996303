import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { newKeyedClient, type Raw } from '../_util/api/keyed-requests.ts'
import { endedSet, POSTED, REFUSED } from '../_util/api/results.ts'
import { FLOW, webhookOf } from '../_util/webhooks/webhooks.ts'

/** `Idempotency-Key`: a request that is repeated gets the first answer, and changes nothing again. */

let api: Api
let ask: ReturnType<typeof newKeyedClient>
beforeAll(async () => {
  api = await startApi()
  ask = newKeyedClient(api)
})
afterAll(() => api.close())

const count = async (table: 'notes' | 'post_sets' | 'media_uploads' | 'idempotency_keys') => {
  const query = api.db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'))
  return (await query.executeTakeFirstOrThrow()).count
}
const note = (more: object = {}) => ({
  socialSetId: api.socialSetId,
  content: 'Flour is delivered',
  hexColor: '#e4f8e2',
  scheduledAt: '2030-06-03T07:00:00Z',
  ...more,
})
const upload = () => ({ socialSetId: api.socialSetId, url: 'https://example.com/photo.jpg' })

/** Headers that belong to the one answer, and not to the first one that is repeated. */
const OWN = ['date', 'x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
const without = (answer: Raw, ...names: string[]) => {
  const headers = Object.fromEntries(
    Object.entries(answer.headers).filter(([name]) => ![...OWN, ...names].includes(name)),
  )
  return { ...answer, headers }
}

describe('a request that is repeated with its key gets the first answer, byte by byte, from', () => {
  type Asked = { method: string; path: string; body: object; status?: number }
  const ROUTES: [name: string, request: () => Promise<Asked>][] = [
    ['POST /v1/notes', async () => ({ method: 'POST', path: '/v1/notes', body: note() })],
    [
      'POST /v1/notes of a series',
      async () => ({ method: 'POST', path: '/v1/notes', body: note({ repeat: { interval: 'DAY', occurrences: 3 } }) }),
    ],
    [
      'PATCH /v1/notes/{id}',
      async () => {
        const { body } = await api.request('POST', '/v1/notes', { body: note() })
        return { method: 'PATCH', path: `/v1/notes/${body.id}`, body: { content: 'Sugar' } }
      },
    ],
    ['POST /v1/post-sets', async () => ({ method: 'POST', path: '/v1/post-sets', body: api.draft() })],
    [
      'POST /v1/post-sets with media',
      async () => ({
        method: 'POST',
        path: '/v1/post-sets',
        body: api.draft({ posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId: await api.newMedia() }] }] }),
      }),
    ],
    [
      'PATCH /v1/post-sets/{id}',
      async () => ({
        method: 'PATCH',
        path: `/v1/post-sets/${(await api.create()).id}`,
        body: { scheduledAt: '2030-07-01T10:00:00Z' },
      }),
    ],
    [
      'PATCH /v1/post-sets/{id} that begins a series',
      async () => ({
        method: 'PATCH',
        path: `/v1/post-sets/${(await api.create()).id}`,
        body: { repeat: { interval: 'WEEK', occurrences: 4 } },
      }),
    ],
    [
      'POST /v1/post-sets/bulk',
      async () => ({
        ...{ method: 'POST', path: '/v1/post-sets/bulk', status: 200 },
        body: { postSets: [api.draft(), api.draft()] },
      }),
    ],
    [
      'POST /v1/post-sets/{id}/retry',
      async () => ({
        method: 'POST',
        path: `/v1/post-sets/${await endedSet(api, [{ result: POSTED }, { result: REFUSED }])}/retry`,
        body: {},
        status: 200,
      }),
    ],
    ['POST /v1/webhooks', async () => ({ method: 'POST', path: '/v1/webhooks', body: { url: FLOW } })],
    [
      'PATCH /v1/webhooks/{id}',
      async () => ({
        method: 'PATCH',
        path: `/v1/webhooks/${(await webhookOf(api, api.key)).id}`,
        body: { description: 'Ours' },
      }),
    ],
    ...(['rotate-secret', 'test', 'resend'] as const).map((action): [string, () => Promise<Asked>] => [
      `POST /v1/webhooks/{id}/${action}`,
      async () => ({
        method: 'POST',
        path: `/v1/webhooks/${(await webhookOf(api, api.key)).id}/${action}`,
        body: action === 'resend' ? { since: '2030-06-01' } : {},
        status: action === 'test' ? 201 : 200,
      }),
    ]),
    [
      'POST /v1/webhooks/{id}/adopt',
      async () => {
        const { id } = await webhookOf(api, api.key)
        const closed = { closed_at: new Date(), closed_why: 'GONE' as const, closed_position: 0 }
        await api.db.updateTable('webhooks').set(closed).where('id', '=', id).execute()
        return { method: 'POST', path: `/v1/webhooks/${id}/adopt`, body: {}, status: 200 }
      },
    ],
    ['POST /v1/media-upload', async () => ({ method: 'POST', path: '/v1/media-upload', body: upload() })],
  ]

  test.each(ROUTES)('idempotency-01: %s', async (_, request) => {
    const { status, ...asked } = await request()
    const sent = { ...asked, key: newId() }
    const first = await ask(sent)
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([
      status ?? (sent.method === 'POST' ? 201 : 200),
      undefined,
    ])
    const rows = [await count('notes'), await count('post_sets'), await count('media_uploads')]
    const again = await ask(sent)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(without(again, 'idempotency-replayed')).toEqual(without(first))
    expect([await count('notes'), await count('post_sets'), await count('media_uploads')]).toEqual(rows)
  })

  // The requests of the upload protocol repeat by themselves: offsets say what is there.
  test('idempotency-01: every route below /v1 that writes by POST or PATCH', () => {
    const writes = api.routes.filter(
      ({ url, method, right }) =>
        url.startsWith('/v1/') && ['POST', 'PATCH'].includes(method) && right !== null && !ofProtocol(url),
    )
    const named = ROUTES.map(([name]) => name.split(' ').slice(0, 2).join(' ').replace('{id}', ':id'))
    expect([...new Set(named)].sort()).toEqual(writes.map(({ method, url }) => `${method} ${url}`).sort())
  })
})

test('idempotency-08: the first answer comes although the set has changed and has gone', async () => {
  const sent = { method: 'POST', path: '/v1/post-sets', key: newId(), body: api.draft() }
  const first = await ask(sent)
  const { id: postSetId } = JSON.parse(first.text)
  const moved = { path: `/v1/post-sets/${postSetId}`, method: 'PATCH', key: newId() }
  const change = { ...moved, body: { scheduledAt: '2030-07-01T10:00:00Z' }, headers: { 'if-match': '"1"' } }
  const changed = await ask(change)
  expect([changed.status, changed.headers.etag]).toEqual([200, '"2"'])
  expect((await ask(sent)).text).toBe(first.text)
  await api.request('DELETE', `/v1/post-sets/${postSetId}`)
  expect((await ask(sent)).text).toBe(first.text)
  // Of the version that it named, the set has none now.
  const repeated = await ask(change)
  expect([repeated.text, repeated.headers.etag]).toEqual([changed.text, '"2"'])
})

test('spaces and escapes of a body make no difference', async () => {
  const key = newId()
  const first = await ask({ method: 'POST', path: '/v1/notes', body: note(), key })
  const raw = JSON.stringify(note(), null, 2).replace('Flour', '\\u0046lour')
  expect((await ask({ method: 'POST', path: '/v1/notes', raw, key })).text).toBe(first.text)
})

test('a key may be anything of 1 to 255 visible characters', async () => {
  for (const key of ['a', `"${newId()}"`, 'order 7, line 2', '~'.repeat(255)]) {
    const first = await ask({ method: 'POST', path: '/v1/notes', body: note(), key })
    expect((await ask({ method: 'POST', path: '/v1/notes', body: note(), key })).text).toBe(first.text)
  }
})

test('another key, and a request without one, write again', async () => {
  const before = await count('notes')
  for (const key of [newId(), newId(), undefined, undefined]) {
    expect((await ask({ method: 'POST', path: '/v1/notes', body: note(), key })).status).toBe(201)
  }
  expect(await count('notes')).toBe(before + 4)
})

test('idempotency-10: after 24 hours the key is free for another request', async () => {
  const sent = { method: 'POST', path: '/v1/notes', body: note(), key: newId() }
  const first = await ask(sent)
  const age = async (interval: string) => {
    const old = new Date(Date.now() - Number(interval) * 3_600_000)
    await api.db.updateTable('idempotency_keys').set({ answered_at: old }).where('key', '=', sent.key).execute()
  }
  await age('23.9')
  expect((await ask(sent)).text).toBe(first.text)
  await age('24.1')
  const other = { ...sent, body: note({ content: 'Sugar' }) }
  const next = await ask(other)
  expect([next.status, next.headers['idempotency-replayed']]).toEqual([201, undefined])
  expect((await ask(other)).text).toBe(next.text)
})

test('idempotency-11: what does not take part ignores the header: validate, DELETE and reads', async () => {
  const before = await count('idempotency_keys')
  const key = newId()
  const answers = [
    await ask({ method: 'POST', path: '/v1/post-sets/validate', body: api.draft(), key }),
    await ask({ method: 'POST', path: '/v1/post-sets/validate', body: api.draft({ approval: 'PENDING' }), key: '' }),
    await ask({ method: 'GET', path: '/v1/social-sets', key }),
    await ask({ method: 'DELETE', path: `/v1/post-sets/${(await api.create()).id}`, key }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 204])
  expect(await count('idempotency_keys')).toBe(before)
})

test('without the header a request takes not one query more; with it three, and a repeated one none of the work', async () => {
  const queries = async (key: string | undefined) => {
    const before = api.queries()
    await ask({ method: 'POST', path: '/v1/notes', body: note(), key })
    return api.queries() - before
  }
  await queries(undefined)
  const plain = await queries(undefined)
  // That of the key, the social set, the timezone, the note, and the note as it is then.
  expect(plain).toBe(PLAIN_QUERIES)
  const key = newId()
  expect(await queries(key)).toBe(plain + 3)
  expect(await queries(key)).toBe(1 + 2)
})
const PLAIN_QUERIES = 5
/** Of the upload protocol, which takes no key. */
const ofProtocol = (path: string) => path.startsWith('/v1/media-upload/files')

test('the description of the API names the header, its answers and the mark of a repeated one', async () => {
  type Described = {
    parameters?: { name: string; in: string; schema?: object }[]
    responses: Record<string, { description: string; headers?: Record<string, unknown> }>
  }
  for (const [path, methods] of Object.entries(api.openApi.paths).filter(([each]) => !ofProtocol(each))) {
    for (const [method, operation] of Object.entries(methods)) {
      const { parameters = [], responses } = operation as unknown as Described
      const takes = ['post', 'patch'].includes(method) && !path.endsWith('/validate')
      const header = parameters.find(({ name }) => name === 'idempotency-key')
      expect([path, method, header !== undefined]).toEqual([path, method, takes])
      const done = responses['201'] ?? responses['200'] ?? responses['204']
      expect(Object.hasOwn(done?.headers ?? {}, 'Idempotency-Replayed'), `${method} ${path}`).toBe(takes)
      expect(responses['409'] !== undefined).toBe(takes)
      if (!takes) continue
      expect(header?.schema).toMatchObject({ type: 'string', minLength: 1, maxLength: 255 })
      expect(responses['400']?.description).toContain('request:invalid_header')
      expect(responses['409']?.description).toContain('request:in_progress')
      expect(responses['409']?.headers).toHaveProperty('Retry-After')
      expect(responses['422']?.description).toContain('request:idempotency_key_reused')
    }
  }
})
