import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROLES } from '#contract'
import { setOperator } from '#operations'
import { type Api, startApi } from '../_util/api/api.ts'
import { anyRate } from '../_util/api/connections.ts'
import { type Person, signInAs, signInAsOperator } from '../_util/api/members.ts'

/** Who is no operator learns nothing of the apps; what a secret is learns no one. */

const SECRET = 'a-secret-that-is-nowhere-else'
const OF_ENVIRONMENT = 'a-secret-of-the-environment'
let api: Api
let operator: Person
beforeAll(async () => {
  const settings = { pinterest: { CLIENT_ID: 'pins', CLIENT_SECRET: OF_ENVIRONMENT } }
  api = await startApi({ rate: anyRate, connections: { settings } })
  operator = await signInAsOperator(api)
})
afterAll(() => api.close())

const ASKED = [
  ['GET', '/network-apps'],
  ['PUT', '/network-apps/tiktok'],
  ['DELETE', '/network-apps/tiktok'],
  ['POST', '/network-apps/tiktok/check'],
  ['PATCH', '/network-apps/tiktok'],
  ['PUT', '/network-apps/nowhere'],
] as const

test('a secret is in no answer and in no line of the log', async () => {
  const body = { appId: 'key', secret: SECRET, password: operator.password }
  const answers = [
    await operator.request('PUT', '/network-apps/tiktok', { body }),
    await operator.request('GET', '/network-apps'),
    await operator.request('POST', '/network-apps/tiktok/check'),
    await operator.request('PUT', '/network-apps/tiktok', { body: { ...body, password: 'not it' } }),
    await operator.request('PUT', '/network-apps/tiktok', { body: { ...body, appId: '' } }),
    await operator.request('PUT', '/network-apps/pinterest', { body }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 403, 400, 409])
  const shown = JSON.stringify(answers.map(({ body }) => body)) + api.logged()
  expect(shown).toContain('An app of a network was set')
  expect(shown).not.toContain(SECRET)
  expect(shown).not.toContain(OF_ENVIRONMENT)
})

test.each(ROLES)(
  'for a member who is %s there is nothing at these paths, as at every other that is none',
  async (role) => {
    const person = await signInAs(api, role)
    const body = { appId: 'mine', secret: SECRET, password: person.password }
    const nowhere = await person.request('GET', '/no-such-path')
    const { requestId: _, ...nothing } = nowhere.body
    expect(nowhere.status).toBe(404)
    for (const [method, path] of ASKED) {
      const answer = await person.request(method, path, method === 'GET' ? {} : { body })
      const { requestId: _, ...rest } = answer.body
      expect([method, path, answer.status, rest]).toEqual([method, path, 404, nothing])
    }
    expect((await person.request('GET', '/session')).body.operator).toBe(false)
  },
)

test('an API key of all scopes opens none of them', async () => {
  for (const [method, path] of ASKED) {
    for (const room of ['/v1', '/internal']) {
      const { status } = await api.request(method, `${room}${path}`, { headers: { origin: 'https://almanac.test' } })
      expect([room, method, path, [401, 404].includes(status)]).toEqual([room, method, path, true])
    }
  }
  const { key, ...rest } = await api
    .request('GET', '/openapi.json')
    .then(({ body }) => ({ key: JSON.stringify(body), body }))
  expect(rest.body.paths).toBeDefined()
  expect(key).not.toMatch(/network-apps/)
})

test('what the connections show to members names no setting, and names the operators of their account', async () => {
  const owner = await signInAs(api, 'owner')
  const path = `/connections?socialSetId=${api.socialSetId}`
  const { body } = await owner.request('GET', path)
  expect(body.accountTypes.flatMap(({ missingSettings }: { missingSettings: unknown[] }) => missingSettings)).toEqual(
    [],
  )
  expect(JSON.stringify(body)).not.toMatch(/CLIENT_|secret/i)
  expect(body.operators).toEqual(['Ada'])
  const shown = (await operator.request('GET', path)).body
  expect(JSON.stringify(shown)).toContain('ALMANAC_THREADS_CLIENT_SECRET')
  const start = { socialSetId: api.socialSetId, accountType: 'THREADS', sandbox: false }
  const refused = await owner.request('POST', '/connections/authorizations', { body: start })
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'Threads is not set up on this installation. Ask the person who operates it.',
  ])
  const stranger = await signInAs(api, 'owner', { accountId: await api.newAccount() })
  const set = await stranger.request('POST', '/social-sets', { body: { name: 'Elsewhere', timezone: 'UTC' } })
  const there = await stranger.request('GET', `/connections?socialSetId=${set.body.id}`)
  expect(there.body.operators).toEqual([])
})

test('it ends with the next request when it is taken away', async () => {
  const person = await signInAsOperator(api, 'author')
  expect((await person.request('GET', '/network-apps')).status).toBe(200)
  await setOperator(api, person.email.toUpperCase(), false)
  expect((await person.request('GET', '/network-apps')).status).toBe(404)
  expect((await person.request('GET', '/session')).body.operator).toBe(false)
})
