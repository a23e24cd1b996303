import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey } from '#operations'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

let api: Api
let id: string
beforeAll(async () => {
  api = await startApi()
  id = (await createKey(api, { accountId: api.accountId, name: 'Ours', scopes: [], socialSetIds: null })).id
})
afterAll(() => api.close())

const CALLS = [
  ['GET', '/api-keys'],
  ['POST', '/api-keys'],
  ['PATCH', '/api-keys/:id'],
  ['POST', '/api-keys/:id/disable'],
  ['POST', '/api-keys/:id/enable'],
  ['POST', '/api-keys/:id/revoke'],
] as const
const keys = () => api.db.selectFrom('api_keys').selectAll().orderBy('id').execute()

/** Every call with a body that would do, by somebody. */
async function callAll(person: Person, headers: Record<string, string> = {}): Promise<unknown[]> {
  const change = { name: 'Theirs', scopes: [], socialSetIds: null, expiresAt: null, password: person.password }
  const answers: unknown[] = []
  for (const [method, path] of CALLS) {
    const confirm = /able|revoke/.test(path) ? { password: person.password } : change
    const sent = method === 'GET' ? {} : { body: confirm }
    const { status, body } = await person.request(method, path.replace(':id', id), { ...sent, headers })
    answers.push([method, path, status, body?.code])
  }
  return answers
}
const all = (status: number, code: string) => CALLS.map(([method, path]) => [method, path, status, code])

test.each(['editor', 'author', 'reviewer'] as const)('an %s sees and changes no keys', async (role) => {
  const before = await keys()
  expect(await callAll(await signInAs(api, role))).toEqual(all(403, 'auth:insufficient_role'))
  expect(await keys()).toEqual(before)
})

test('without a session it is 401, and so it is with an API key', async () => {
  const nobody = await signInAs(api, 'owner')
  expect(await callAll(nobody, { cookie: '' })).toEqual(all(401, 'auth:not_signed_in'))
  const { status } = await api.request('GET', '/internal/api-keys', {
    headers: { origin: 'https://almanac.test' },
  })
  expect(status).toBe(401)
})

test('a request of another origin is refused', async () => {
  const owner = await signInAs(api, 'owner')
  const before = await keys()
  const elsewhere = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
  expect(await callAll(owner, elsewhere)).toEqual(all(403, 'auth:cross_site_request'))
  expect(await keys()).toEqual(before)
})

test("another account's key is not there, and neither is one outside of the member's social sets", async () => {
  const before = await keys()
  const stranger = await signInAs(api, 'owner', { accountId: await api.newAccount() })
  const restricted = await signInAs(api, 'admin', { socialSetIds: [await api.newSocialSet()] })
  for (const person of [stranger, restricted]) {
    const answers = (await callAll(person)) as [string, string, number, string][]
    const ofKeys = answers.filter(([, path]) => path.includes(':id'))
    expect(ofKeys.map(([, , status, code]) => [status, code])).toEqual(Array(4).fill([404, 'api-key:not_found']))
    const { body } = await person.request('GET', '/api-keys')
    expect(body.data.map((each: Body) => each.id)).not.toContain(id)
  }
  expect((await keys()).filter((each) => before.some(({ id }) => id === each.id))).toEqual(before)
})

test('neither a secret nor its hash is in an answer or in the log', async () => {
  const owner = await signInAs(api, 'owner')
  const body = { name: 'Secret', scopes: [], socialSetIds: null, expiresAt: null, password: owner.password }
  const made = await owner.request('POST', '/api-keys', { body })
  const listed = await owner.request('GET', '/api-keys')
  const { secret_hash } = await api.db
    .selectFrom('api_keys')
    .select('secret_hash')
    .where('id', '=', made.body.id)
    .executeTakeFirstOrThrow()
  const reported = JSON.stringify(listed.body) + api.logged()
  for (const secret of [made.body.key, secret_hash.toString('hex'), secret_hash.toString('base64'), owner.password]) {
    expect(reported).not.toContain(secret)
  }
})
