import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { HttpRequest, HttpResult } from '../kit/http.ts'
import { answer, callerOf } from '../kit/testing.ts'
import { parseQuota } from './containers.ts'
import { parseError } from './errors.ts'
import { call, parseId, parsePage } from './graph.ts'

test('a quota', () => {
  const quota = { data: [{ quota_usage: 2, config: { quota_total: 50, quota_duration: 86400 } }] }
  expect(parseQuota(quota)).toEqual({ used: 2, total: 50 })
  for (const body of [null, {}, { data: [] }, { data: [{ quota_usage: 4 }] }]) expect(parseQuota(body)).toBeUndefined()
})

test('a page leaves out what it cannot read, and ends without a next one', () => {
  const parse = parsePage(parseId)
  const cursors = { before: 'b', after: 'a' }
  expect(parse({ data: [{ id: '1' }, {}], paging: { cursors, next: 'https://elsewhere.example' } })).toMatchObject({
    entries: ['1'],
    next: 'a',
  })
  expect(parse({ data: [], paging: { cursors } })).toEqual({ entries: [], next: null })
  expect(parse({ data: {} })).toBeUndefined()
})

test('an error, with words for users before those for programmers', () => {
  const error = { message: 'Internal', code: 1, error_subcode: 2, is_transient: true, error_user_msg: ' Try\nagain ' }
  const read = { code: 1, subcode: 2, message: 'Try again', transient: true }
  expect(parseError(answer(400, { error }))).toMatchObject(read)
  expect(parseError(answer(400, { error: 'no' }))).toMatchObject({ code: null, subcode: null, message: '' })
  expect(parseError(answer(400, []))).toMatchObject({ code: null })
})

const TOKEN = 'IGSANDBOX.abcdefghijklmnopqrstuvwxyz'

describe("the proof of the app's secret", () => {
  const proofOf = (token: string) => createHmac('sha256', 'the secret').update(token).digest('hex')
  const proofIn = ({ url }: HttpRequest) => new URL(url).searchParams.get('appsecret_proof')
  const refusal = (message: string, code = 100) => answer(400, { error: { message, code } })
  const taken = answer(200, { id: '1' })
  /** Makes a call, and gives the proof of each request. */
  async function proofs(
    answers: (request: HttpRequest) => HttpResult = () => taken,
    {
      method = 'POST',
      secret = 'the secret',
      ...more
    }: { method?: 'GET' | 'POST'; secret?: string; userToken?: string } = {},
  ) {
    const settings = { CLIENT_SECRET: secret, API_VERSION: 'v25.0' }
    const { caller, sent } = callerOf(answers, { credentials: { accessToken: TOKEN, ...more }, settings })
    const called = await call(caller, { method, path: '1/media', json: {}, parse: parseId })
    return { seen: sent.map(proofIn), called }
  }

  test('goes with every call, and is that of its own token', async () => {
    expect((await proofs()).seen).toEqual([proofOf(TOKEN)])
    const refused = (request: HttpRequest) =>
      request.headers?.authorization === `Bearer ${TOKEN}` ? refusal('(#10) No.', 10) : taken
    const { seen, called } = await proofs(refused, { method: 'GET', userToken: 'of the person' })
    expect(seen).toEqual([proofOf(TOKEN), proofOf('of the person')])
    expect(called.kind).toBe('ok')
  })

  test('is left out where the secret is not known', async () => {
    expect((await proofs(undefined, { secret: '' })).seen).toEqual([null])
  })

  test('that is refused, because another app was given the token, is left out', async () => {
    const strict = (request: HttpRequest) =>
      proofIn(request) ? refusal('Invalid appsecret_proof provided in the API argument') : taken
    const { seen, called } = await proofs(strict)
    expect([seen, called.kind]).toEqual([[proofOf(TOKEN), null], 'ok'])
  })

  test('is no reason to make another refused call again', async () => {
    expect((await proofs(() => refusal('Invalid parameter'))).seen).toHaveLength(1)
  })
})
