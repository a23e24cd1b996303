import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '#contract'
import { newId } from '#domain'
import { type Answer, type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done, statusAndCode } from '../_util/browser/dashboard-api.ts'
import { FLOW, newWorld, webhookBy, webhookOf } from '../_util/webhooks/webhooks.ts'

let api: Api
let key: string
let owner: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate, trustedWebhookHosts: ['flows.internal', '10.1.2.3:5678'] })
  const world = await newWorld(api)
  key = world.key
  owner = await signInAs(api, 'owner', { accountId: world.accountId })
})
afterAll(() => api.close())

const ask = (method: string, path: string, body?: object) =>
  api.request(method, `/v1/webhooks${path}`, { key, ...(body ? { body } : {}) })
const paths = ({ body }: Answer) => body.errors.map(({ path }: { path: string }) => path)
const BAD = [400, 'request:invalid_body']
const REFUSED = [409, 'request:refused']

describe('an address is refused', () => {
  test.each([
    'http://flows.example.com',
    'ftp://flows.example.com',
    'https://me:secret@flows.example.com',
    'flows.example.com',
    '',
    'https://localhost/x',
    'https://127.0.0.1/x',
    'https://127.1/x',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://10.1.2.3/x',
    'https://10.1.2.3:443/x',
    'https://169.254.169.254/latest',
    'https://metadata.google.internal/x',
    'https://router/x',
    `https://flows.example.com/${'x'.repeat(LIMITS.urlCharacters)}`,
  ])('%s', async (url) => {
    const answer = await ask('POST', '', { url })
    expect([...statusAndCode(answer), paths(answer)]).toEqual([...BAD, ['url']])
  })

  test.each(['http://flows.internal/x', 'http://10.1.2.3:5678/x', 'https://FLOWS.internal:8443'])(
    'unless the operator trusts its host: %s',
    async (url) => {
      const { id } = await webhookOf(api, key, { url })
      await done(ask('DELETE', `/${id}`), 204)
    },
  )
})

test('all that is wrong with a body is said together', async () => {
  const bad = {
    url: 5,
    types: ['post.exploded'],
    description: 'x'.repeat(LIMITS.webhooks.descriptionCodePoints + 1),
    enabled: 'yes',
    secret: 'mine',
  }
  const answer = await ask('POST', '', bad)
  expect(statusAndCode(answer)).toEqual(BAD)
  expect(paths(answer).toSorted()).toEqual(['description', 'enabled', 'secret', 'types[0]', 'url'])
  expect(paths(await ask('POST', '', {}))).toEqual(['url'])
})

test('keys that are ignored are keys of the account', async () => {
  const { key: stranger } = await newWorld(api)
  const { data } = await done(api.request('GET', '/v1/webhooks', { key: stranger }))
  expect(data).toEqual([])
  for (const ids of [[newId()], ['none']]) {
    expect(paths(await ask('POST', '', { url: FLOW, ignoreKeyIds: ids }))).toEqual(['ignoreKeyIds[0]'])
  }
})

test('what no request changes is refused where it is another: the address above all', async () => {
  const { id } = await webhookOf(api, key)
  for (const [name, value] of Object.entries({
    id: newId(),
    url: `${FLOW}/other`,
    createdBy: 'Somebody',
    createdAt: '2020-01-01T00:00:00Z',
    closed: { at: '2020-01-01T00:00:00Z', why: 'GONE' },
    key: null,
  })) {
    const answer = await ask('PATCH', `/${id}`, { [name]: value })
    expect([...statusAndCode(answer), paths(answer)]).toEqual([...BAD, [name]])
  }
  expect(paths(await ask('PATCH', `/${id}`, { secret: 'mine' }))).toEqual(['secret'])
  await done(ask('DELETE', `/${id}`), 204)
})

test('an account has 20 open webhooks; closed ones do not count, until one is adopted', async () => {
  const world = await newWorld(api)
  const made = []
  for (let at = 0; at < LIMITS.webhooks.perAccount; at += 1) made.push(await webhookOf(api, world.key))
  const another = () => api.request('POST', '/v1/webhooks', { key: world.key, body: { url: FLOW } })
  expect(statusAndCode(await another())).toEqual([409, 'webhook:limit_reached'])
  const closed = { closed_at: new Date(), closed_why: 'GONE' as const, closed_position: 0 }
  const id = made[0]?.id ?? ''
  await api.db.updateTable('webhooks').set(closed).where('id', '=', id).execute()
  await done(another(), 201)
  const adopting = await api.request('POST', `/v1/webhooks/${id}/adopt`, { key: world.key })
  expect(statusAndCode(adopting)).toEqual([409, 'webhook:limit_reached'])
})

test('nothing is sent to one that is switched off or closed', async () => {
  const { id } = await webhookOf(api, key, { enabled: false })
  expect(statusAndCode(await ask('POST', `/${id}/test`))).toEqual(REFUSED)
  expect(statusAndCode(await ask('POST', `/${id}/resend`, { since: '2020-01-01' }))).toEqual(REFUSED)
  const closed = { closed_at: new Date(), closed_why: 'FAILING' as const, closed_position: 0, enabled: true }
  await api.db.updateTable('webhooks').set(closed).where('id', '=', id).execute()
  const answer = await ask('POST', `/${id}/test`)
  expect([...statusAndCode(answer), answer.body.why.code]).toEqual([...REFUSED, 'why:webhook_closed'])
  await done(ask('POST', `/${id}/adopt`))
  await done(ask('POST', `/${id}/test`), 201)
  await done(ask('DELETE', `/${id}`), 204)
})

test('what is sent again is named: one event, or a moment', async () => {
  const { id } = await webhookOf(api, key)
  const wrong: [body: object, path: string][] = [
    [{}, ''],
    [{ eventId: newId(), since: '2020-01-01' }, ''],
    [{ eventId: newId() }, 'eventId'],
    [{ eventId: 'first' }, 'eventId'],
    [{ since: 'yesterday' }, 'since'],
    [{ since: 5 }, 'since'],
  ]
  for (const [body, path] of wrong) {
    const answer = await ask('POST', `/${id}/resend`, body)
    expect([...statusAndCode(answer), paths(answer)]).toEqual([...BAD, [path]])
  }
  await done(ask('DELETE', `/${id}`), 204)
})

test('existence comes before state, and state before shape', async () => {
  const { id } = await webhookOf(api, key, { enabled: false })
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['POST', '/test'],
    ['GET', '/attempts?page=0'],
    ['POST', '/resend'],
    ['POST', '/adopt'],
  ] as const) {
    for (const unknown of [newId(), 'none']) {
      const answer = await ask(method, `/${unknown}${path}`, method === 'GET' ? undefined : { wrong: true })
      expect([path, ...statusAndCode(answer)]).toEqual([path, 404, 'webhook:not_found'])
    }
  }
  const social = { socialSetIds: [newId()], types: 'all' }
  expect(statusAndCode(await ask('PATCH', `/${id}`, social))).toEqual([404, 'social-set:not_found'])
  expect(statusAndCode(await ask('POST', '', { url: 5, ...social }))).toEqual([404, 'social-set:not_found'])
  expect(statusAndCode(await ask('POST', `/${id}/resend`, { wrong: true }))).toEqual(REFUSED)
  expect(statusAndCode(await ask('POST', `/${id}/adopt`))).toEqual(REFUSED)
  expect(statusAndCode(await ask('GET', `/${id}/attempts?page=0`))).toEqual([400, 'request:invalid_query'])
  await done(ask('DELETE', `/${id}`), 204)
})

test('members confirm with their password, and keys have none', async () => {
  expect(paths(await ask('POST', '', { url: FLOW, password: owner.password }))).toEqual(['password'])
  const { id } = await webhookBy(owner)
  const requests: [method: string, path: string, body: object][] = [
    ['POST', '', { url: FLOW }],
    ['PATCH', `/${id}`, { enabled: false }],
    ['POST', `/${id}/rotate-secret`, {}],
    ['DELETE', `/${id}`, {}],
  ]
  for (const [method, path, body] of requests) {
    const [missing, wrong] = [body, { ...body, password: 'a guess' }].map((given) =>
      owner.request(method, `/webhooks${path}`, { body: given }),
    )
    expect(missing && paths(await missing)).toEqual(['password'])
    expect(wrong && statusAndCode(await wrong)).toEqual([403, 'auth:password_confirmation_failed'])
  }
  expect((await done(owner.request('GET', `/webhooks/${id}`))).enabled).toBe(true)
})
