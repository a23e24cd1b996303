import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SCOPES } from '#contract'
import { newId } from '#domain'
import { revokeKey } from '#operations'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { type TusAnswer, type TusClient, tusClient } from '../_util/api/tus-client.ts'

/** Beyond what test/api/routes.security.test.ts shows of every route. */

let api: Api
let owner: Person
let tus: TusClient
const OUR_PAGE = { origin: 'https://almanac.test', 'sec-fetch-site': 'same-origin' }
beforeAll(async () => {
  api = await startApi({
    plans: { PRO: { requestsPerSecond: 3 } },
    receiving: { recordMs: 10, checkMs: 50 },
  })
  owner = await signInAs(api, 'owner')
  tus = clientOf(api.key)
})
afterAll(() => api.close())

const clientOf = (key: string) => tusClient(api.url, { authorization: `Bearer ${key}` })
const codeOf = ({ status, body }: TusAnswer) => [status, body.code]
const bytes = (count: number) => Buffer.alloc(count, 'a')
const NOT_FOUND = [404, 'media-upload:not_found']
const rowOf = (id: string) =>
  api.db.selectFrom('media_uploads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const place = async () => ({ socialSetId: await api.newSocialSet() })

describe('who may', () => {
  test('another account, another social set or a key without the scope neither reads nor disturbs an upload', async () => {
    const { path, id } = await tus.begun(await place(), 10)
    await tus.send(path, 0, bytes(3))
    const before = await rowOf(id)
    const strangers = [
      await api.newKey({ accountId: await api.newAccount() }),
      await api.newKey({ socialSetIds: [await api.newSocialSet()] }),
    ]
    for (const stranger of strangers.map(clientOf)) {
      expect((await stranger.offset(path)).status).toBe(404)
      expect(codeOf(await stranger.send(path, 3, bytes(7)))).toEqual(NOT_FOUND)
      expect(codeOf(await stranger.ask('DELETE', path))).toEqual(NOT_FOUND)
    }
    const reader = clientOf(await api.newKey({ scopes: SCOPES.filter((scope) => scope !== 'media:write') }))
    expect((await reader.offset(path)).status).toBe(403)
    expect(codeOf(await reader.send(path, 3, bytes(7)))).toEqual([403, 'auth:insufficient_scope'])
    expect(await rowOf(id)).toEqual(before)
  })

  test('an import, or what is no id, is no upload that goes on', async () => {
    const url = 'https://example.com/photo.jpg'
    const { body } = await api.request('POST', '/v1/media-upload', { body: { ...(await place()), url } })
    for (const id of [body.id, newId(), 'none', '%2e%2e%2fincoming', '..%2f..%2fetc%2fpasswd', '%00']) {
      const path = `/v1/media-upload/files/${id}`
      expect((await tus.offset(path)).status, id).toBe(404)
      expect(codeOf(await tus.send(path, 0, bytes(1))), id).toEqual(NOT_FOUND)
    }
  })
})

test('every answer names the version of the protocol, problems too', async () => {
  const { path } = await tus.begun(await place(), 10)
  const stranger = clientOf('alm_none')
  const answers = [
    await tus.offset(path),
    await tus.offset(`/v1/media-upload/files/${newId()}`),
    await tus.send(path, 5, bytes(1)),
    await tus.send(path, 0, bytes(1), { 'content-type': 'image/jpeg' }),
    await tus.begin({ socialSetId: newId() }, 10),
    await tus.begin(await place(), 10, { 'tus-resumable': '0.2.2' }),
    await stranger.offset(path),
    await stranger.begin(await place(), 10),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 409, 415, 404, 412, 401, 401])
  for (const { headers } of answers) expect(headers['tus-resumable']).toBe('1.0.0')
})

describe('a request that sends bytes ends soon when the right to send them does', () => {
  const size = 1_000_000
  const length = { 'content-length': String(size) }
  const begun = async (client: TusClient, path: string, id: string) => {
    const open = client.open(path, 0, length)
    open.answer.catch(() => {})
    open.request.write(bytes(100))
    await vi.waitFor(async () => expect((await rowOf(id)).bytes_received).toBe(100))
    return open
  }

  test('a key that is revoked', async () => {
    const own = clientOf(await api.newKey())
    const { path, id } = await own.begun(await place(), size)
    const open = await begun(own, path, id)
    const { id: keyId } = await api.db
      .selectFrom('api_keys')
      .select('id')
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    await revokeKey({ db: api.db }, keyId)
    expect(codeOf(await open.answer)).toEqual([401, 'auth:invalid_credential'])
    expect((await rowOf(id)).status).toBe('RECEIVING')
  })

  test('a key that no longer sees the social set', async () => {
    const own = clientOf(await api.newKey())
    const { path, id } = await own.begun(await place(), size)
    const open = await begun(own, path, id)
    await api.db.updateTable('api_keys').set({ social_set_ids: [] }).execute()
    const answer = await open.answer
    await api.db.updateTable('api_keys').set({ social_set_ids: null }).execute()
    expect(codeOf(answer)).toEqual(NOT_FOUND)
  })

  test('a member whose session ends', async () => {
    const person = await signInAs(api, 'owner')
    const own = tusClient(api.url, { ...OUR_PAGE, cookie: person.cookie }, 'internal')
    const { path, id } = await own.begun(await place(), size)
    const open = await begun(own, path, id)
    await api.db.deleteFrom('sessions').where('user_id', '=', person.userId).execute()
    expect(codeOf(await open.answer)).toEqual([401, 'auth:not_signed_in'])
  })
})

test('upload-04: members upload below /internal, from our own pages alone', async () => {
  const own = tusClient(api.url, { ...OUR_PAGE, cookie: owner.cookie }, 'internal')
  const begun = await own.begin(await place(), 2)
  expect(begun.headers.location).toMatch(/^https:\/\/almanac\.test\/internal\/media-upload\/files\/[0-9a-f-]{36}$/)
  const { pathname } = new URL(begun.headers.location ?? '')
  expect(await own.send(pathname, 0, bytes(1))).toMatchObject({ status: 204, headers: { 'upload-offset': '1' } })
  const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', cookie: owner.cookie }
  const evil = tusClient(api.url, elsewhere, 'internal')
  const answer = await evil.send(pathname, 1, bytes(1))
  expect(codeOf(answer)).toEqual([403, 'auth:cross_site_request'])
  for (const { headers } of [answer, begun]) expect(headers).not.toHaveProperty('access-control-allow-origin')
})

describe('the rate', () => {
  async function slowAccount() {
    const accountId = await api.newAccount({ plan: 'PRO' })
    const key = await api.newKey({ accountId })
    return { socialSetId: await api.newSocialSet({ accountId }), tus: clientOf(key) }
  }

  test('upload-08: does not count bytes that come, and every answer has its headers', async () => {
    const { socialSetId, tus: own } = await slowAccount()
    const { path } = await own.begun({ socialSetId }, 20)
    for (let offset = 0; offset < 20; offset += 1) {
      const answer = await own.send(path, offset, bytes(1))
      expect(answer.status).toBe(204)
      expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': expect.any(String) })
    }
  })

  test('upload-08: counts requests for what is not there, and those that bring nothing', async () => {
    const { socialSetId, tus: own } = await slowAccount()
    const absent = `/v1/media-upload/files/${newId()}`
    const answers = await Promise.all(Array.from({ length: 40 }, () => own.send(absent, 0, bytes(1))))
    expect(answers.map(({ status }) => status)).toContain(429)
    const { id, path } = await begunLater(own, socialSetId)
    await api.db.updateTable('media_uploads').set({ requests: 100 }).where('id', '=', id).execute()
    const idle = await Promise.all(Array.from({ length: 40 }, () => own.offset(path)))
    expect(idle.map(({ status }) => status)).toContain(429)
  })

  test.each<[string, number, (own: TusClient, path: string) => Promise<TusAnswer>]>([
    ['of another type', 415, (own, path) => own.send(path, 0, bytes(1), { 'content-type': 'image/jpeg' })],
    ['whose answers cannot be read', 406, (own, path) => own.offset(path, { accept: 'text/html' })],
  ])('upload-08: counts requests %s, which are refused before an upload is looked for', async (_, status, send) => {
    const { socialSetId, tus: own } = await slowAccount()
    const { path } = await own.begun({ socialSetId }, 20)
    const statuses = (await Promise.all(Array.from({ length: 40 }, () => send(own, path)))).map((each) => each.status)
    expect(new Set(statuses)).toEqual(new Set([status, 429]))
  })

  test('counts requests of a key without the scope', async () => {
    const accountId = await api.newAccount({ plan: 'PRO' })
    const own = clientOf(await api.newKey({ accountId, scopes: [] }))
    const answers = Array.from({ length: 40 }, () => own.send(`/v1/media-upload/files/${newId()}`, 0, bytes(1)))
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([403, 429]))
  })

  /** When the second is over that the test has used up. */
  async function begunLater(own: TusClient, socialSetId: string) {
    for (;;) {
      const { status, headers } = await own.begin({ socialSetId }, 20)
      const { pathname } = new URL(headers.location ?? 'http://none/')
      if (status === 201) return { path: pathname, id: pathname.split('/').at(-1) ?? '' }
      expect(status).toBe(429)
    }
  }
})

test.each(['../../etc/passwd', 'C:\\Windows\\system.ini', '%2e%2e%2f', 'a/../../b.png', 'CON', '__proto__'])(
  'a name like %s is a name and nothing else',
  async (name) => {
    const { path, id } = await tus.begun({ ...(await place()), name }, 1)
    await tus.send(path, 0, bytes(1))
    expect(await rowOf(id)).toMatchObject({ name, status: 'PENDING' })
  },
)

test.each([
  ['__proto__ e30=', 'request:invalid_header'],
  ['constructor e30=', 'request:invalid_header'],
  ['socialSetId', 'request:invalid_header'],
  ['socialSetId AA==', 'social-set:not_found'],
  [',,,', 'request:invalid_header'],
])('metadata like %s is refused', async (metadata, code) => {
  const answer = await tus.ask('POST', '/v1/media-upload/files', { 'upload-length': '1', 'upload-metadata': metadata })
  expect(answer.body.code).toBe(code)
})

test('members see what is unfinished in a brand, whoever began it, and end it', async () => {
  const fields = await place()
  const own = tusClient(api.url, { ...OUR_PAGE, cookie: owner.cookie }, 'internal')
  const mine = await own.begun({ ...fields, name: 'loaf.jpg' }, 10)
  const ofKey = await tus.begun(fields, 20)
  await tus.send(ofKey.path, 0, bytes(3))
  await tus.begun(await place(), 30)
  const list = () => owner.request('GET', `/media-upload?socialSetId=${fields.socialSetId}`)
  const [first, second] = (await list()).body.data
  expect([first, second]).toMatchObject([
    { id: ofKey.id, name: null, bytesReceived: 3, bytesTotal: 20, by: expect.any(String), mine: false },
    { id: mine.id, name: 'loaf.jpg', bytesReceived: 0, bytesTotal: 10, mine: true },
  ])
  expect((await owner.request('DELETE', `/media-upload/${ofKey.id}`)).status).toBe(204)
  expect((await list()).body.data).toMatchObject([{ id: mine.id }])
  expect(codeOf(await tus.send(ofKey.path, 3, bytes(7)))).toEqual(NOT_FOUND)
  expect((await owner.request('DELETE', `/media-upload/${ofKey.id}`)).status).toBe(404)
})
