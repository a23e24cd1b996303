import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadNetworks, sandboxSecret } from '#networks'
import { type Api, startApi } from '../_util/api/api.ts'
import { anyRate, SANDBOX_KEYS, startSimulators } from '../_util/api/connections.ts'
import { type Person, signInAsOperator } from '../_util/api/members.ts'

/** What is refused, and what a network says to an app: in our words, not its own. */

let networks: Awaited<ReturnType<typeof startSimulators>>
let api: Api
let operator: Person
beforeAll(async () => {
  networks = await startSimulators(await loadNetworks())
  const of = (network: string, endpoint: string) => `${networks.sandboxUrl}/${network}/${endpoint}`
  const settings = {
    threads: { GRAPH_URL: of('threads', 'graph') },
    tiktok: { API_URL: of('tiktok', 'api') },
    // Nothing answers there.
    x: { API_URL: 'http://127.0.0.1:9' },
    linkedin: { CLIENT_ID: 'half' },
  }
  api = await startApi({ rate: anyRate, connections: { ...networks, settings } })
  operator = await signInAsOperator(api)
})
afterAll(async () => {
  await api.close()
  await networks.close()
})

const set = (id: string, body: object) => operator.request('PUT', `/network-apps/${id}`, { body })
const right = (body: object) => ({ password: operator.password, ...body })
const check = async (id: string) => operator.request('POST', `/network-apps/${id}/check`)

test.each([
  ['nothing', {}, ['appId', 'secret', 'password']],
  ['an id of spaces', { appId: '  ', secret: 'hush', password: 'p' }, ['appId']],
  ['an id with a space in it', { appId: 'my app', secret: 'hush', password: 'p' }, ['appId']],
  ['a secret with a line break in it', { appId: 'app', secret: 'hu\nsh', password: 'p' }, ['secret']],
  ['no secret where one is needed', { appId: 'app', secret: null, password: 'p' }, ['secret']],
  ['an id that is too long', { appId: 'a'.repeat(501), secret: 'hush', password: 'p' }, ['appId']],
])('%s is refused by the names of the fields', async (_, body, fields) => {
  const { status, body: answer } = await set('threads', body)
  expect([status, answer.code]).toEqual([400, 'request:invalid_body'])
  expect(answer.errors.map(({ path }: { path: string }) => path).sort()).toEqual([...fields].sort())
  expect(JSON.stringify(answer)).not.toMatch(/hu\\nsh|my app/)
})

test('a wrong password changes nothing, and an app that no network declares is not there', async () => {
  const wrong = await set('threads', { appId: 'app', secret: 'hush', password: 'not it' })
  expect([wrong.status, wrong.body.code]).toEqual([403, 'auth:password_confirmation_failed'])
  for (const id of ['bluesky', 'threads.page', 'nowhere']) {
    const { status, body } = await set(id, right({ appId: 'app', secret: 'hush' }))
    expect([status, body.code]).toEqual([404, 'route:not_found'])
  }
  expect(await api.db.selectFrom('network_apps').select('id').execute()).toEqual([])
})

test('an app that is not set cannot be checked, and what is set only in part says what is missing', async () => {
  for (const id of ['threads', 'linkedin']) {
    const { status, body } = await check(id)
    expect([status, body.message]).toEqual([409, expect.stringContaining('is not set up yet')])
  }
  const { body } = await operator.request('GET', '/network-apps')
  expect(body.apps.find(({ id }: { id: string }) => id === 'linkedin')).toMatchObject({
    source: 'ENVIRONMENT',
    missingVariables: ['ALMANAC_LINKEDIN_CLIENT_SECRET'],
  })
})

const SECRET = 'a-secret-that-is-nowhere-else'
test.each([
  ['threads', 'another', SECRET, 'WRONG_ID'],
  ['threads', 'sandbox-client', SECRET, 'WRONG_SECRET'],
  ['threads', 'sandbox-client', sandboxSecret(SANDBOX_KEYS, 'threads', 'CLIENT_SECRET'), 'WORKS'],
  ['tiktok', 'sandbox-client-key', SECRET, 'WRONG'],
  ['tiktok', 'sandbox-client-key', sandboxSecret(SANDBOX_KEYS, 'tiktok', 'CLIENT_SECRET'), 'WORKS'],
  ['x', 'app', SECRET, 'UNREACHABLE'],
])('%s says to the app %s what is the matter with it', async (id, appId, secret, result) => {
  expect((await set(id, right({ appId, secret }))).status).toBe(200)
  const { status, body } = await check(id)
  expect([status, body]).toEqual([200, { result }])
  expect(api.logged()).not.toContain(secret)
})
