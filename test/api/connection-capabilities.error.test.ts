import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Http, loadNetworks } from '#networks'
import { type Api, startApi } from '../_util/api/api.ts'
import { anyRate, startSimulators } from '../_util/api/connections.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { demoConnection } from '../_util/browser/demo-connection.ts'

let api: Api
let simulators: Awaited<ReturnType<typeof startSimulators>>
let owner: Person
/** Questions that reached the network. */
let asked = 0
/** What the network answers instead; null: what the simulator does. */
let instead: { status: number; code: string } | null = null

beforeAll(async () => {
  simulators = await startSimulators(await loadNetworks())
  const http: Http = async (request) => {
    if (!request.url.endsWith('/creator_info/query/')) return (simulators.http as Http)(request)
    asked++
    if (instead === null) return (simulators.http as Http)(request)
    const json = { data: {}, error: { code: instead.code, message: '', log_id: '1' } }
    return { kind: 'answer', status: instead.status, headers: {}, text: JSON.stringify(json), json }
  }
  api = await startApi({ rate: anyRate, connections: { ...simulators, http } })
  owner = await signInAs(api, 'owner')
})
afterAll(async () => {
  await api.close()
  await simulators.close()
})
beforeEach(() => {
  asked = 0
  instead = null
})

const connection = (accountType: 'TIKTOK' | 'BLUESKY' = 'TIKTOK') =>
  demoConnection(api, owner, { accountType, name: 'Corner Bakery' })
const ask = (id: string) => owner.request('GET', `/connections/${id}/capabilities`)

test('twenty times in a minute, also by several people: then it is not asked, and says so', async () => {
  const { id } = await connection()
  const other = await signInAs(api, 'admin')
  const answers = []
  for (let time = 0; time < 22; time++) {
    answers.push(await (time % 2 ? other : owner).request('GET', `/connections/${id}/capabilities`))
  }
  expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(200), 409, 409])
  expect(asked).toBe(20)
  expect(answers[21]?.body).toMatchObject({
    code: 'request:refused',
    message: expect.stringMatching(/about this account very often\. Wait a minute/),
  })
  // Another account has its own.
  expect((await ask((await connection()).id)).status).toBe(200)
})

test.each([
  ['a missing permission', { status: 401, code: 'scope_not_authorized' }, /lacks a permission/],
  ['a fault', { status: 500, code: 'internal_error' }, /problem of its own/],
  ['too many requests', { status: 429, code: 'rate_limit_exceeded' }, /too many requests/],
])('%s is said in words, and ends no connection', async (_, answer, words) => {
  const { id, socialSetId } = await connection()
  instead = answer
  expect(await ask(id)).toMatchObject({
    status: 409,
    body: { code: 'request:refused', message: expect.stringMatching(words) },
  })
  const { connections } = (await owner.request('GET', `/connections?socialSetId=${socialSetId}`)).body
  expect(connections).toMatchObject([{ id, state: 'CONNECTED' }])
})

test('a token that was not accepted is refreshed, and asked with once more', async () => {
  const { id, socialSetId } = await connection()
  instead = { status: 401, code: 'access_token_invalid' }
  expect((await ask(id)).status).toBe(409)
  expect(asked).toBe(2)
  const { connections } = (await owner.request('GET', `/connections?socialSetId=${socialSetId}`)).body
  expect(connections).toMatchObject([{ id, state: 'CONNECTED' }])
})

test('a connection that is not there, and a network without such a question', async () => {
  expect(await ask(newId())).toMatchObject({ status: 404, body: { code: 'connection:not_found' } })
  const { id } = await connection('BLUESKY')
  expect(await ask(id)).toMatchObject({ status: 409, body: { code: 'request:refused' } })
  expect(asked).toBe(0)
})
