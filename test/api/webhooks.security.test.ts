import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashKey } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { signInAs } from '../_util/api/members.ts'
import { anyRate, done, statusAndCode } from '../_util/browser/dashboard-api.ts'
import { FLOW, happens, newWorld, sent, states, webhookBy, webhookOf } from '../_util/webhooks/webhooks.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
})
afterAll(() => api.close())

const NOT_FOUND = [404, 'webhook:not_found']
const ROUTES: [method: string, path: string, body?: object][] = [
  ['GET', ''],
  ['PATCH', '', { enabled: false }],
  ['DELETE', ''],
  ['POST', '/rotate-secret'],
  ['POST', '/test'],
  ['GET', '/attempts'],
  ['POST', '/resend', { since: '2020-01-01' }],
  ['POST', '/adopt'],
]
const ask = (key: string, method: string, path: string, body?: object) =>
  api.request(method, `/v1/webhooks${path}`, { key, ...(body ? { body } : {}) })
const ids = async (key: string) => (await done(ask(key, 'GET', ''))).data.map(({ id }: { id: string }) => id)

test('a restricted key, and one that sees all, find no webhook that they did not make, by any route', async () => {
  const { key, accountId, socialSetId } = await newWorld(api)
  const narrow = await api.newKey({ accountId, socialSetIds: [socialSetId] })
  const whole = await api.newKey({ accountId })
  const owner = await signInAs(api, 'owner', { accountId })
  const [ofKey, ofNarrow, ofAccount] = [await webhookOf(api, key), await webhookOf(api, narrow), await webhookBy(owner)]
  for (const [asking, hidden] of [
    [narrow, ofKey],
    [narrow, ofAccount],
    [whole, ofKey],
    [whole, ofNarrow],
    [whole, ofAccount],
  ] as const) {
    for (const [method, path, body] of ROUTES) {
      const answer = await ask(asking, method, `/${hidden.id}${path}`, body)
      expect([method, path, ...statusAndCode(answer)]).toEqual([method, path, ...NOT_FOUND])
    }
  }
  expect([await ids(narrow), await ids(whole)]).toEqual([[ofNarrow.id], []])
  const rows = await api.db.selectFrom('webhooks').selectAll().where('account_id', '=', accountId).execute()
  expect(rows.map(({ enabled, closed_at, old_secret }) => [enabled, closed_at, old_secret])).toEqual([
    [true, null, null],
    [true, null, null],
    [true, null, null],
  ])
})

test('reading needs the scope too', async () => {
  const { accountId, key } = await newWorld(api)
  const { id } = await webhookOf(api, key)
  const other = await api.newKey({
    accountId,
    scopes: ['notes:write', 'post-sets:write', 'post-sets:publish', 'media:write'],
  })
  for (const [method, path, body] of [
    ...ROUTES.map(([way, rest, body]) => [way, `/${id}${rest}`, body] as const),
    ['GET', ''] as const,
  ]) {
    const answer = await ask(other, method, path, body)
    expect([path, ...statusAndCode(answer)]).toEqual([path, 403, 'auth:insufficient_scope'])
  }
})

test('a restricted key names social sets of its own alone, and cannot widen what it made', async () => {
  const { accountId, socialSetId, other } = await newWorld(api)
  const narrow = await api.newKey({ accountId, socialSetIds: [socialSetId] })
  const outside = { socialSetIds: [socialSetId, other] }
  expect(statusAndCode(await ask(narrow, 'POST', '', { url: FLOW, ...outside }))).toEqual([404, 'social-set:not_found'])
  const { id } = await webhookOf(api, narrow, { socialSetIds: [socialSetId] })
  expect(statusAndCode(await ask(narrow, 'PATCH', `/${id}`, outside))).toEqual([404, 'social-set:not_found'])
})

test('the log has what its key sees now: what it was narrowed out of is gone, and is not sent again', async () => {
  const world = await newWorld(api)
  const { key, accountId, socialSetId, other } = world
  const [here, there] = [await happens(api, world), await happens(api, { key, socialSetId: other })]
  const { id } = await webhookOf(api, key)
  for (const { position } of [here, there]) {
    const attempts = [{ at: '2030-06-01T10:00:00Z', status: 500, failure: 'It answered 500.' }]
    await sent(api, { id, accountId }, position, { state: 'FAILED', attempts })
  }
  const log = async () => (await done(ask(key, 'GET', `/${id}/attempts`))).data
  expect(await log()).toHaveLength(2)
  await sql`update api_keys set social_set_ids = array[${socialSetId}::uuid] where secret_hash = ${hashKey(key)}`.execute(
    api.db,
  )
  const seen = await log()
  expect(seen.map(({ event }: { event: { id: string } }) => event.id)).toEqual([here.id])
  expect(await done(ask(key, 'POST', `/${id}/resend`, { since: '2020-01-01' }))).toEqual({ queued: 1 })
  expect(statusAndCode(await ask(key, 'POST', `/${id}/resend`, { eventId: there.id }))).toEqual([
    400,
    'request:invalid_body',
  ])
  expect(await states(api, id)).toEqual({ [here.position]: 'WAITING', [there.position]: 'FAILED' })
})

test('a member who sees some social sets makes webhooks of these, and finds no others', async () => {
  const { accountId, key, socialSetId, other } = await newWorld(api)
  const owner = await signInAs(api, 'owner', { accountId })
  const admin = await signInAs(api, 'admin', { accountId, socialSetIds: [socialSetId] })
  const ofAll = await webhookBy(owner)
  const ofOther = await webhookBy(owner, { socialSetIds: [other] })
  const ofBoth = await webhookOf(api, key, { socialSetIds: [socialSetId, other] })
  const ofKey = await webhookOf(api, await api.newKey({ accountId, socialSetIds: [socialSetId] }))
  const own = await webhookBy(admin, { socialSetIds: [socialSetId] })
  const seen = (await done(admin.request('GET', '/webhooks'))).data.map(({ id }: { id: string }) => id)
  expect(seen).toEqual([ofKey.id, own.id])
  for (const { id } of [ofAll, ofOther, ofBoth]) {
    expect(statusAndCode(await admin.request('POST', `/webhooks/${id}/test`))).toEqual(NOT_FOUND)
  }
  const { password } = admin
  const wide = await admin.request('POST', '/webhooks', { body: { url: FLOW, password } })
  expect([...statusAndCode(wide), wide.body.why.code]).toEqual([409, 'request:refused', 'why:webhook_of_all_brands'])
  const widened = await admin.request('PATCH', `/webhooks/${own.id}`, { body: { socialSetIds: [], password } })
  expect(statusAndCode(widened)).toEqual([409, 'request:refused'])
})

describe('a member who made webhooks of the account', () => {
  const linksOf = async (owner: Awaited<ReturnType<typeof signInAs>>, userId: string, query = '') =>
    (await done(owner.request('GET', `/members/${userId}/links${query}`))).data.filter(
      ({ kind }: { kind: string }) => kind === 'WEBHOOK',
    )

  test('is asked about when removed: what is ticked closes, and keeps what waits', async () => {
    const world = await newWorld(api)
    const { accountId, key } = world
    const event = await happens(api, world)
    const [owner, admin] = [await signInAs(api, 'owner', { accountId }), await signInAs(api, 'admin', { accountId })]
    const [closes, stays] = [await webhookBy(admin), await webhookBy(admin, { description: 'Stays' })]
    await webhookBy(owner)
    await webhookOf(api, key)
    await sent(api, { id: closes.id, accountId }, event.position, { state: 'WAITING' })
    const offered = await linksOf(owner, admin.userId)
    expect(offered.map(({ id, name, made }: { id: string; name: string; made: boolean }) => [id, name, made])).toEqual(
      [closes, stays].map(({ id }) => [id, FLOW, true]).sort(),
    )
    const links = [{ kind: 'WEBHOOK', id: closes.id, how: 'CLOSE' }]
    const removal = { password: owner.password, links }
    expect(await done(owner.request('DELETE', `/members/${admin.userId}`, { body: removal }))).toEqual({
      newAddresses: [],
    })
    const read = async (id: string) => (await done(owner.request('GET', `/webhooks/${id}`))).closed
    expect([await read(closes.id), await read(stays.id)]).toEqual([{ at: expect.any(String), why: 'MAKER_LEFT' }, null])
    expect(await states(api, closes.id)).toEqual({ [event.position]: 'KEPT' })
    // Adopted by a member it is the account's again.
    const body = { password: owner.password }
    const adopted = await done(owner.request('POST', `/webhooks/${closes.id}/adopt`, { body }))
    expect(adopted).toMatchObject({ closed: null, key: null })
    expect(await states(api, closes.id)).toEqual({ [event.position]: 'WAITING' })
  })

  test('is asked about when a role or brands are taken that they need', async () => {
    const { accountId, socialSetId, other } = await newWorld(api)
    const [owner, admin] = [await signInAs(api, 'owner', { accountId }), await signInAs(api, 'admin', { accountId })]
    const [all, here, there] = [
      await webhookBy(admin),
      await webhookBy(admin, { socialSetIds: [socialSetId] }),
      await webhookBy(admin, { socialSetIds: [other] }),
    ]
    const named = async (query: string) =>
      (await linksOf(owner, admin.userId, query)).map(({ id }: { id: string }) => id).sort()
    expect(await named('?role=admin')).toEqual([])
    expect(await named('?role=editor')).toEqual([all.id, here.id, there.id].sort())
    expect(await named(`?role=admin&socialSetIds=${socialSetId}`)).toEqual([all.id, there.id].sort())
    const links = [all, there].map(({ id }) => ({ kind: 'WEBHOOK', id, how: 'CLOSE' }))
    await done(owner.request('PATCH', `/members/${admin.userId}`, { body: { socialSetIds: [socialSetId], links } }))
    const { data } = await done(owner.request('GET', '/webhooks'))
    expect(data.map(({ id, closed }: { id: string; closed: object | null }) => [id, closed !== null])).toEqual([
      [here.id, false],
      [all.id, true],
      [there.id, true],
    ])
  })
})

test('the keys that a removed member made are revoked with their webhooks', async () => {
  const { accountId } = await newWorld(api)
  const [owner, admin] = [await signInAs(api, 'owner', { accountId }), await signInAs(api, 'admin', { accountId })]
  const fields = { name: 'Flows', scopes: ['webhooks:write'], socialSetIds: null, expiresAt: null }
  const body = { ...fields, password: admin.password }
  const { key } = await done(admin.request('POST', '/api-keys', { body }), 201)
  const { id } = await webhookOf(api, key)
  const removal = { password: owner.password, revokeApiKeys: true }
  await done(owner.request('DELETE', `/members/${admin.userId}`, { body: removal }))
  expect((await done(owner.request('GET', `/webhooks/${id}`))).closed).toMatchObject({ why: 'KEY_ENDED' })
})
