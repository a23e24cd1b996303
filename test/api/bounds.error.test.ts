import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '#contract'
import type { RateLimiter } from '#http'
import { type Api, startApi } from '../_util/api/api.ts'
import { ABSENT } from '../_util/api/bad-input.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

/** What a request may hold, reported before it costs. */

let api: Api
let owner: Person
beforeAll(async () => {
  api = await startApi()
  owner = await signInAs(api, 'owner')
})
afterAll(() => api.close())

const ours = { origin: 'https://almanac.test', 'sec-fetch-site': 'same-origin' }
const elements = (count: number) =>
  `{"posts":[${Array(count - 1)
    .fill('0')
    .join()}]}`
const WITH_KEY = [
  ['POST', '/v1/post-sets'],
  ['POST', '/v1/post-sets/validate'],
  ['PATCH', `/v1/post-sets/${ABSENT}`],
  ['POST', '/v1/notes'],
  ['PATCH', `/v1/notes/${ABSENT}`],
  ['POST', '/v1/media-upload'],
] as const
const OPEN = [
  ['POST', '/internal/session'],
  ['DELETE', '/internal/session'],
  ['POST', '/internal/session/second-step'],
  ['POST', '/internal/setup'],
  ['POST', '/internal/password-resets'],
  ['POST', '/internal/password-resets/look'],
  ['POST', '/internal/password-resets/redeem'],
  ['POST', '/internal/email-changes/redeem'],
  ['POST', '/internal/invitations/look'],
  ['POST', '/internal/invitations/accept'],
] as const

describe('a body that holds more than 20,000 keys and elements, or nests deeper than 50 levels', () => {
  const refused = {
    code: 'request:invalid_body',
    errors: [expect.objectContaining({ path: '', pointer: '#' })],
  }

  test.each(WITH_KEY)('is one problem that names the bound: %s %s', async (method, path) => {
    const many = await api.request(method, path, { raw: elements(20_001) })
    expect(many).toMatchObject({ status: 400, body: refused })
    expect(many.body.detail).toMatch(/20000 keys and elements.*Send less/)
    expect(many.body.errors[0].limit).toBe(20_000)
    const deep = await api.request(method, path, { raw: `${'['.repeat(51)}${']'.repeat(51)}` })
    expect(deep).toMatchObject({ status: 400, body: refused })
    expect(deep.body.detail).toMatch(/deeper than 50 levels/)
  })

  test.each(WITH_KEY)('is the same to a member: %s %s', async (method, path) => {
    const { status, body } = await owner.request(method, path.replace('/v1', ''), { body: Array(20_001).fill(0) })
    expect(status).toBe(400)
    expect(body).toMatchObject(refused)
  })

  test('comes after the scope, and before what the path names', async () => {
    const reader = await api.newKey({ scopes: [] })
    const { status, body } = await api.request('POST', '/v1/post-sets', { key: reader, raw: elements(20_001) })
    expect([status, body.code]).toEqual([403, 'auth:insufficient_scope'])
  })

  test('at the bound is looked at like every other', async () => {
    const { status, body } = await api.request('POST', '/v1/post-sets/validate', { raw: elements(20_000) })
    expect(status).toBe(200)
    expect(body.problems.length).toBeGreaterThan(1)
  })
})

describe('routes that answer without a session', () => {
  test.each(OPEN)('take 16 KiB at most: %s %s', async (method, path) => {
    const body = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`
    const headers = ours
    const over = await api.request(method, path, { key: null, headers, raw: body(LIMITS.openBodyBytes + 1) })
    expect([over.status, over.body.code]).toEqual([413, 'request:too_large'])
    expect(over.body.detail).toMatch(/16 KiB/)
    const within = await api.request(method, path, { key: null, headers, raw: body(LIMITS.openBodyBytes) })
    expect(within.status).not.toBe(413)
  })

  test('others take a mebibyte', async () => {
    const over = await api.request('POST', '/v1/post-sets/validate', { raw: `"${'x'.repeat(LIMITS.bodyBytes - 1)}"` })
    expect([over.status, over.body.code]).toEqual([413, 'request:too_large'])
    expect(over.body.detail).toMatch(/1024 KiB/)
  })
})

describe('problems', () => {
  test('of a shape are reported for the first hundred', async () => {
    const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`a${index}`, 0]))
    const { status, body } = await api.request('POST', '/v1/notes', { body: fields })
    expect(status).toBe(400)
    expect(body.errors).toHaveLength(100)
    expect(body.detail).toMatch(/There are 100 problems or more; errors lists the first 100\./)
  })

  test('of posts are reported for the first hundred, when they are refused and when they are asked for', async () => {
    const media = Array.from({ length: 50 }, () => ({ mediaLibraryId: ABSENT }))
    const posts = ['BLUESKY', 'THREADS', 'TWITTER'].map((accountType) => ({ accountType, caption: 'a', media }))
    const body = api.draft({ posts })
    const refused = await api.request('POST', '/v1/post-sets', { body })
    expect([refused.status, refused.body.code]).toEqual([422, 'post-set:invalid_posts'])
    expect(refused.body.errors).toHaveLength(100)
    expect(refused.body.detail).toMatch(/The posts have 100 problems or more; errors lists the first 100\./)
    const asked = await api.request('POST', '/v1/post-sets/validate', { body })
    expect(asked.body.problems).toHaveLength(100)
  })
})

describe('an address that has asked too often is refused before its body comes', () => {
  /** Its second does not end, however long the machine takes. */
  let limited: Api
  beforeAll(async () => {
    const used = new Map<string, number>()
    const takeHere: RateLimiter['takeHere'] = (subject, limit) => {
      used.set(subject, (used.get(subject) ?? 0) + 1)
      const left = limit - (used.get(subject) ?? 0)
      return { limit, remaining: Math.max(left, 0), resetAt: new Date(), allowed: left >= 0 }
    }
    const take: RateLimiter['take'] = async (subject, limit) => takeHere(subject, limit)
    limited = await startApi({
      addressLimit: 10,
      rate: () => ({ take, takeHere, look: take, inDatabase: async () => null, countsInMemory: () => false }),
    })
  })
  afterAll(() => limited.close())

  /** The status of an answer to headers alone: the body they announce is never sent. */
  async function statusOfHeaders(path: string, headers: Record<string, string>): Promise<string> {
    const { hostname, port } = new URL(limited.url)
    const socket = connect(Number(port), hostname)
    const lines = Object.entries({
      host: hostname,
      'content-type': 'application/json',
      'content-length': '10000',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
    const [answer] = await once(socket, 'data')
    socket.destroy()
    return String(answer).split(' ')[1] ?? ''
  }

  test.each([
    ['/internal/session', LIMITS.requestsPerSecondPerMember, ours],
    ['/v1/post-sets', 10, { authorization: 'Bearer alm_0000000000000000000000000000000000000000' }],
  ] as const)('%s', async (path, limit, headers) => {
    const ask = () => limited.request('POST', path, { key: null, headers, body: {} })
    const asked = await Promise.all(Array.from({ length: limit }, ask))
    expect(asked.map(({ status }) => status)).not.toContain(429)
    expect(await statusOfHeaders(path, headers)).toBe('429')
  })
})
