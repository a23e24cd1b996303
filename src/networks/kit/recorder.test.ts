import { expect, test } from 'vitest'
import type { HttpRequest, HttpResult } from './http.ts'
import { createMask, type RecordedCall, recordCalls, refusalIn } from './recorder.ts'
import { answer, lost } from './testing.ts'

const TOKEN = 'EAAGm0PX4ZCpsBAKZCsecret'
const mask = createMask(() => [TOKEN, 'Corner Bakery', 'urn:li:person:aB3_x'])
const endpoints = { graph: 'https://graph.example', api: 'https://graph.example/v2' }

async function record(request: Partial<HttpRequest>, result: HttpResult): Promise<RecordedCall> {
  const calls: RecordedCall[] = []
  const http = recordCalls(async () => result, { endpoints, mask, note: (call) => calls.push(call) })
  await http({ method: 'GET', url: 'https://graph.example/me', signal: AbortSignal.timeout(1_000), ...request })
  const [call] = calls
  if (!call) throw new Error('Nothing was recorded.')
  return call
}

test('a call is recorded without tokens, ids and names, in its address as in its answer', async () => {
  const url = `https://graph.example/v2/17841400000000000/media?fields=id,caption&access_token=${TOKEN}&input_token=abc&author=urn%3Ali%3Aperson%3AaB3_x&playlistId=UUabc`
  const words = `(#100) Corner Bakery (17841400000000000, owner@bakery.example) has a malformed token ${TOKEN}, or v2abcdefghij0123456789xyz`
  const body = { error: { code: 100, error_subcode: 33, message: words, fbtrace_id: 'AbC' } }
  const headers = {
    'x-app-usage': '{"call_count":28}',
    'x-business-use-case-usage': '{"17841400000000000":[]}',
    etag: TOKEN,
  }
  const call = await record({ url, headers: { authorization: `Bearer ${TOKEN}` } }, answer(400, body, headers))
  expect(call).toEqual({
    asked: 'GET api/…/media?fields=id,caption&access_token=…&input_token=…&author=…&playlistId=…',
    sent: {},
    status: 400,
    error: '100/33',
    message: '(#100) … (…, …) has a malformed token …, or …',
    shape: {
      error: 'object',
      'error.code': 'number',
      'error.error_subcode': 'number',
      'error.message': 'string',
      'error.fbtrace_id': 'string',
    },
    headers: { 'x-app-usage': '{"call_count":28}', 'x-business-use-case-usage': '{"…":[]}' },
  })
})

test('what was sent is recorded as its shape, and a call without an answer says so', async () => {
  const call = await record({ method: 'POST', form: { grant_type: 'refresh_token', client_secret: TOKEN } }, lost)
  expect(call).toMatchObject({
    asked: 'POST graph/me',
    sent: { grant_type: '"refresh_token"', client_secret: 'string' },
    status: null,
    message: 'The connection broke.',
  })
  expect(await record({ url: 'https://upload.example/a' }, answer(200, {}))).toMatchObject({
    asked: 'GET another host: /a',
    error: null,
  })
})

const google = { code: 403, status: 'PERMISSION_DENIED', errors: [{ reason: 'quotaExceeded' }], message: 'm' }
test.each<[number, object, string | null, string | null]>([
  [403, { error: google }, '403/PERMISSION_DENIED/quotaExceeded', 'm'],
  [400, { error: 'invalid_grant', error_description: 'over' }, 'invalid_grant', 'over'],
  [401, { status: 401, serviceErrorCode: 65601, code: 'REVOKED', message: 'm' }, 'REVOKED/65601', 'm'],
  [403, { type: 'https://api.x.com/2/problems/usage-capped', detail: 'd' }, 'usage-capped', 'd'],
  // A status of success may refuse, and a code may say that all is well.
  [200, { data: {}, error: { code: 'access_token_invalid', message: '' } }, 'access_token_invalid', null],
  [200, { data: {}, error: { code: 'ok', message: '' } }, null, null],
  [200, { code: 1, message: 'a pin' }, null, null],
])('%i %j is named', (status, json, error, message) => {
  expect(refusalIn({ status, json })).toEqual({ error, message })
})
