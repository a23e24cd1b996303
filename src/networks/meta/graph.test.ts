import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { HttpAnswer, HttpRequest, HttpResult } from '../kit/http.ts'
import type { Attempt } from '../network.ts'
import { parseQuota } from './containers.ts'
import { parseError } from './errors.ts'
import { call, list, parseId, parsePage } from './graph.ts'

const parseEntry = (body: unknown) => {
  const id = parseId(body)
  return id === undefined ? undefined : { id }
}

test('a quota', () => {
  const quota = { data: [{ quota_usage: 2, config: { quota_total: 50, quota_duration: 86400 } }] }
  expect(parseQuota(quota)).toEqual({ used: 2, total: 50 })
  for (const body of [null, {}, { data: [] }, { data: [{ quota_usage: 4 }] }]) expect(parseQuota(body)).toBeUndefined()
})

test('a page leaves out what it cannot read, and ends without a next one', () => {
  const parse = parsePage(parseEntry)
  const cursors = { before: 'b', after: 'a' }
  expect(parse({ data: [{ id: '1' }, {}], paging: { cursors, next: 'https://elsewhere.example' } })).toMatchObject({
    entries: [{ id: '1' }],
    next: 'a',
  })
  expect(parse({ data: [], paging: { cursors } })).toEqual({ entries: [], next: null })
  expect(parse({ data: {} })).toBeUndefined()
})

test('an error, with words for users before those for programmers', () => {
  const error = { message: 'Internal', code: 1, error_subcode: 2, is_transient: true, error_user_msg: ' Try\nagain ' }
  const answer = { kind: 'answer', status: 400, headers: {}, text: '' } as const
  expect(parseError({ ...answer, json: { error } })).toMatchObject({
    code: 1,
    subcode: 2,
    message: 'Try again',
    transient: true,
  })
  expect(parseError({ ...answer, json: { error: 'no' } })).toMatchObject({ code: null, subcode: null, message: '' })
  expect(parseError({ ...answer, json: [] })).toMatchObject({ code: null })
})

const TOKEN = 'IGSANDBOX.abcdefghijklmnopqrstuvwxyz'

function attemptWith(
  answers: (request: HttpRequest) => HttpResult,
  { secret = '', ...more }: { secret?: string; userToken?: string } = {},
): Attempt {
  return {
    credentials: { accessToken: TOKEN, ...more },
    endpoint: () => 'https://graph.example',
    setting: (name: string) => (name === 'CLIENT_SECRET' ? secret : 'v25.0'),
    http: async (request: HttpRequest) => answers(request),
    signal: new AbortController().signal,
  } satisfies Partial<Attempt> as unknown as Attempt
}
const success = (json: unknown): HttpResult => ({
  kind: 'answer',
  status: 200,
  headers: {},
  text: JSON.stringify(json),
  json,
})

describe("the proof of the app's secret", () => {
  const proofOf = (token: string) => createHmac('sha256', 'the secret').update(token).digest('hex')
  const proofIn = ({ url }: HttpRequest) => new URL(url).searchParams.get('appsecret_proof')
  const refusal = (message: string, code = 100): HttpResult => ({
    ...(success({ error: { message, type: 'GraphMethodException', code } }) as HttpAnswer),
    status: 400,
  })
  /** Makes a call, and gives the proof of each request. */
  async function proofs(
    more: { secret?: string; userToken?: string },
    answers: (request: HttpRequest) => HttpResult = () => success({ id: '1' }),
    method: 'GET' | 'POST' = 'POST',
  ) {
    const seen: (string | null)[] = []
    const attempt = attemptWith((request) => {
      seen.push(proofIn(request))
      return answers(request)
    }, more)
    return { seen, called: await call(attempt, { method, path: '1/media', json: {}, parse: parseId }) }
  }

  test('goes with every call, and is that of its own token', async () => {
    expect((await proofs({ secret: 'the secret' })).seen).toEqual([proofOf(TOKEN)])
    const refused = (request: HttpRequest) =>
      request.headers?.authorization === `Bearer ${TOKEN}` ? refusal('(#10) No.', 10) : success({ id: '1' })
    const { seen, called } = await proofs({ secret: 'the secret', userToken: 'of the person' }, refused, 'GET')
    expect(seen).toEqual([proofOf(TOKEN), proofOf('of the person')])
    expect(called.kind).toBe('ok')
  })

  test('is left out where the secret is not known', async () => {
    expect((await proofs({})).seen).toEqual([null])
  })

  test('that is refused, because another app was given the token, is left out', async () => {
    const strict = (request: HttpRequest) =>
      proofIn(request) ? refusal('Invalid appsecret_proof provided in the API argument') : success({ id: '1' })
    const { seen, called } = await proofs({ secret: 'the secret' }, strict)
    expect([seen, called.kind]).toEqual([[proofOf(TOKEN), null], 'ok'])
  })

  test('is no reason to make another refused call again', async () => {
    expect((await proofs({ secret: 'the secret' }, () => refusal('Invalid parameter'))).seen).toHaveLength(1)
  })
})

test('a listing is read page by page, and not without end', async () => {
  const page = (after: number, more: boolean) => ({
    data: [{ id: String(after) }],
    paging: { cursors: { after: String(after) }, ...(more ? { next: 'https://elsewhere.example' } : {}) },
  })
  const reading = (pages: number) => {
    let asked = 0
    const attempt = attemptWith(({ url }) => {
      expect(new URL(url).searchParams.get('after')).toBe(asked === 0 ? null : String(asked))
      asked++
      return success(page(asked, asked < pages))
    })
    return list(attempt, { path: '1/media', query: { limit: '1' }, parse: parseEntry })
  }
  expect(await reading(3)).toMatchObject({
    kind: 'ok',
    value: { entries: [{ id: '1' }, { id: '2' }, { id: '3' }], whole: true },
  })
  expect(await reading(100)).toMatchObject({ kind: 'ok', value: { whole: false } })
})
