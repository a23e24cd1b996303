import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

let api: Api
let owner: Person
beforeAll(async () => {
  api = await startApi()
  owner = await signInAs(api, 'owner', { accountId: await api.newAccount() })
})
afterAll(() => api.close())

const body = (more = {}) => ({
  name: 'Mine',
  scopes: [],
  socialSetIds: null,
  expiresAt: null,
  password: owner.password,
  ...more,
})
const post = (path: string, sent: object) => owner.request('POST', `/api-keys${path}`, { body: sent })
const codeOf = ({ status, body }: { status: number; body: Body }) => [status, body.code]

test('a body with several things wrong gets each reported with its field', async () => {
  const answer = await post('', { name: '', scopes: ['admin'], socialSetIds: 1, secret: 'x', password: owner.password })
  expect(codeOf(answer)).toEqual([400, 'request:invalid_body'])
  expect(answer.body.errors.map(({ path }: Body) => path).toSorted()).toEqual([
    'expiresAt',
    'name',
    'scopes[0]',
    'secret',
    'socialSetIds',
  ])
})

test('what cannot be is said in a sentence', async () => {
  for (const [more, words] of [
    [{ expiresAt: '2020-01-01' }, 'Choose an expiry date in the future.'],
    [{ expiresAt: 'soon' }, 'Give the expiry as a date such as 2027-03-01, or as an ISO 8601 time.'],
    [{ name: ' ' }, 'A key needs a name.'],
    [{ socialSetIds: [newId()] }, /^The account has no social set /],
  ] as const) {
    const answer = await post('', body(more))
    expect(codeOf(answer)).toEqual([409, 'request:refused'])
    expect(answer.body.message).toMatch(words)
  }
})

test('problem-24: a wrong password is 403, and too many of them are 429 with the time to wait', async () => {
  const hasty = await signInAs(api, 'admin')
  const wrong = { body: body({ password: 'not this one' }) }
  for (let count = 0; count < 5; count++) {
    expect(codeOf(await hasty.request('POST', '/api-keys', wrong))).toEqual([403, 'auth:password_confirmation_failed'])
  }
  const answer = await hasty.request('POST', '/api-keys', { body: body({ password: hasty.password }) })
  expect(codeOf(answer)).toEqual([429, 'auth:too_many_attempts'])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(800)
  expect(answer.body.message).toBe('There were too many wrong tries. Try again in 15 minutes.')
})

test('problem-34: an eleventh active key is 409 in words, made or enabled', async () => {
  const { body: first } = await post('', body())
  expect((await post(`/${first.id}/disable`, { password: owner.password })).status).toBe(204)
  for (let count = 0; count < 10; count++) expect((await post('', body())).status).toBe(201)
  for (const answer of [await post('', body()), await post(`/${first.id}/enable`, { password: owner.password })]) {
    expect(codeOf(answer)).toEqual([409, 'api-key:limit_reached'])
    expect(answer.body.message).toBe('The account already has 10 active keys. Disable or revoke one of them first.')
  }
  expect((await owner.request('GET', '/api-keys')).body).toMatchObject({ activeCount: 10, limit: 10 })
})

test('a key that is not there is 404 for all that can be done to it', async () => {
  const sent = { body: { password: owner.password } }
  for (const id of [newId(), 'x', '%20']) {
    expect(codeOf(await owner.request('PATCH', `/api-keys/${id}`, sent))).toEqual([404, 'api-key:not_found'])
    for (const verb of ['disable', 'enable', 'revoke']) {
      const answer = await owner.request('POST', `/api-keys/${id}/${verb}`, sent)
      expect(codeOf(answer)).toEqual([404, 'api-key:not_found'])
    }
  }
})

test('a query is refused', async () => {
  expect(codeOf(await owner.request('GET', '/api-keys?page=1'))).toEqual([400, 'request:invalid_query'])
})
