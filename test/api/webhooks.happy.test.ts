import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashKey, newId, placeOfWebhook } from '#domain'
import { CHORES, DUTIES } from '#housekeeping'
import { type Api, startApi } from '../_util/api/api.ts'
import { SECRET_BOX } from '../_util/api/connections.ts'
import { newKeyedClient } from '../_util/api/keyed-requests.ts'
import { signInAs } from '../_util/api/members.ts'
import { anyRate, done, statusAndCode } from '../_util/browser/dashboard-api.ts'
import { FLOW, happens, newWorld, readWebhook, sent, states, webhookBy, webhookOf } from '../_util/webhooks/webhooks.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
})
afterAll(() => api.close())

const rowOf = (id: string) => api.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const keyIdOf = async (key: string) =>
  (await api.db.selectFrom('api_keys').select('id').where('secret_hash', '=', hashKey(key)).executeTakeFirstOrThrow())
    .id
const ask = (key: string, method: string, path: string, body?: object) =>
  api.request(method, `/v1/webhooks${path}`, { key, ...(body ? { body } : {}) })

test('a key makes a webhook: its secret is answered this once, and sealed', async () => {
  const { key } = await newWorld(api)
  const { secret, ...webhook } = await webhookOf(api, key)
  expect(webhook).toEqual({
    id: expect.any(String),
    ...{ url: FLOW, types: [], socialSetIds: [], description: '', enabled: true, ignoreOwn: true, ignoreKeyIds: [] },
    ...{ closed: null, failing: null, oldSecretUntil: null },
    key: { id: await keyIdOf(key), name: expect.any(String) },
    createdBy: webhook.key?.name,
    createdAt: expect.any(String),
  })
  expect(Buffer.from(/^whsec_(.*)$/.exec(secret)?.[1] ?? '', 'base64')).toHaveLength(32)
  expect(await readWebhook(api, key, webhook.id)).toEqual(webhook)
  expect(await done(ask(key, 'GET', ''))).toEqual({ data: [webhook], openCount: 1, limit: 20 })
  const { secret: bytes, secret_key_id: keyId } = await rowOf(webhook.id)
  expect(bytes.toString('latin1')).not.toContain(secret.slice(6))
  expect(SECRET_BOX.open({ bytes, keyId }, placeOfWebhook(webhook.id)).toString()).toBe(secret)
})

test('what is asked for changes, and nothing else; what was read may be sent back', async () => {
  const { key, socialSetId } = await newWorld(api)
  const { secret, ...webhook } = await webhookOf(api, key)
  const ignoreKeyIds = [await keyIdOf(key)]
  const change = {
    types: ['post.failed', 'post.failed'],
    socialSetIds: [socialSetId.toUpperCase()],
    description: 'Ours',
  }
  const body = { ...webhook, ...change, enabled: false, ignoreOwn: false, ignoreKeyIds }
  const changed = await done(ask(key, 'PATCH', `/${webhook.id}`, body))
  const expected = { types: ['post.failed'], socialSetIds: [socialSetId], description: 'Ours' }
  expect(changed).toEqual({ ...webhook, ...expected, enabled: false, ignoreOwn: false, ignoreKeyIds })
  expect(await done(ask(key, 'PATCH', `/${webhook.id}`, {}))).toEqual(changed)
})

test('a webhook is deleted with its log', async () => {
  const world = await newWorld(api)
  const { position } = await happens(api, world)
  const webhook = await webhookOf(api, world.key)
  await sent(api, { ...world, id: webhook.id }, position, { attempts: [{ at: '2030-06-01T10:00:00Z', status: 200 }] })
  await done(ask(world.key, 'DELETE', `/${webhook.id}`), 204)
  expect(statusAndCode(await ask(world.key, 'GET', `/${webhook.id}`))).toEqual([404, 'webhook:not_found'])
  expect(await states(api, webhook.id)).toEqual({})
})

test('after a rotation both secrets sign for 24 hours, and it is not rotated again until then', async () => {
  const { key } = await newWorld(api)
  const webhook = await webhookOf(api, key)
  const rotated = await done(ask(key, 'POST', `/${webhook.id}/rotate-secret`))
  expect(rotated.secret).not.toBe(webhook.secret)
  const row = await rowOf(webhook.id)
  const opened = (bytes: Buffer | null, keyId: string | null) =>
    SECRET_BOX.open({ bytes: bytes ?? Buffer.alloc(0), keyId: keyId ?? '' }, placeOfWebhook(webhook.id)).toString()
  expect(opened(row.secret, row.secret_key_id)).toBe(rotated.secret)
  expect(opened(row.old_secret, row.old_secret_key_id)).toBe(webhook.secret)
  const hours = (Date.parse(rotated.oldSecretUntil) - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23.9)
  expect(hours).toBeLessThan(24.1)
  expect(statusAndCode(await ask(key, 'POST', `/${webhook.id}/rotate-secret`))).toEqual([
    409,
    'webhook:rotation_in_progress',
  ])
  await api.setClock(new Date(Date.now() + 25 * 3_600_000).toISOString())
  expect((await readWebhook(api, key, webhook.id)).oldSecretUntil).toBeNull()
  await done(ask(key, 'POST', `/${webhook.id}/rotate-secret`))
  await api.setClock(null)
})

test('a test is queued like an event, without a position', async () => {
  const { key, accountId } = await newWorld(api)
  const { id } = await webhookOf(api, key)
  const { eventId } = await done(ask(key, 'POST', `/${id}/test`), 201)
  const send = await api.db
    .selectFrom('webhook_sends')
    .selectAll()
    .where('webhook_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(send).toMatchObject({ account_id: accountId, position: null, state: 'WAITING', attempts: 0 })
  expect(send.event).toEqual({
    ...{ id: eventId, position: null, type: 'webhook.test', socialSetId: null, data: {} },
    timestamp: expect.any(String),
  })
})

test('the log has each request with its event, the newest first, by pages, and those that failed alone', async () => {
  const world = await newWorld(api)
  const [first, second] = [await happens(api, world), await happens(api, world)]
  const { id } = await webhookOf(api, world.key)
  const webhook = { ...world, id }
  await sent(api, webhook, first.position, {
    attempts: [
      { at: '2030-06-01T10:00:00Z', status: 500, failure: 'It answered 500.' },
      { at: '2030-06-01T10:00:05Z', status: 200 },
    ],
  })
  await sent(api, webhook, second.position, {
    state: 'WAITING',
    attempts: [{ at: '2030-06-01T10:00:10Z', status: null, failure: 'No answer came.' }],
  })
  const log = await done(ask(world.key, 'GET', `/${id}/attempts`))
  expect(log.pagination).toMatchObject({ total: 3, page: 1 })
  const { id: eventId, position, type, timestamp, socialSetId } = first
  expect(log.data.map(({ status }: { status: number }) => status)).toEqual([null, 200, 500])
  expect(log.data[1]).toEqual({
    ...{
      id: expect.any(String),
      at: '2030-06-01T10:00:05.000Z',
      durationMs: 12,
      status: 200,
      failure: null,
      answer: 'ok',
    },
    ...{ event: { id: eventId, position, type, timestamp, socialSetId }, state: 'SENT', nextAt: null },
  })
  expect(log.data[0]).toMatchObject({
    state: 'WAITING',
    nextAt: expect.any(String),
    failure: 'No answer came.',
    answer: null,
  })
  const page = await done(ask(world.key, 'GET', `/${id}/attempts?size=1&page=2&failed=true`))
  expect([page.data[0].status, page.pagination.total]).toEqual([500, 2])
  expect((await done(ask(world.key, 'GET', `/${id}/attempts?failed=false`))).data).toHaveLength(1)
})

test('one event is sent again by its id, and all that failed since a moment', async () => {
  const world = await newWorld(api)
  const events = [await happens(api, world), await happens(api, world), await happens(api, world)]
  const { id } = await webhookOf(api, world.key)
  const [one = 0, two = 0, three = 0] = events.map(({ position }) => position)
  for (const [position, state] of [
    [one, 'SENT'],
    [two, 'FAILED'],
    [three, 'LEFT_OUT'],
  ] as const) {
    await sent(api, { ...world, id }, position, { state, attempts: [{ at: '2030-06-01T10:00:00Z', status: 200 }] })
  }
  expect(await done(ask(world.key, 'POST', `/${id}/resend`, { since: '2100-01-01' }))).toEqual({ queued: 0 })
  expect(await done(ask(world.key, 'POST', `/${id}/resend`, { since: '2020-01-01' }))).toEqual({ queued: 1 })
  expect(await states(api, id)).toEqual({ [one]: 'SENT', [two]: 'WAITING', [three]: 'LEFT_OUT' })
  expect(await done(ask(world.key, 'POST', `/${id}/resend`, { eventId: events[0]?.id.toUpperCase() }))).toEqual({
    queued: 1,
  })
  expect(await states(api, id)).toEqual({ [one]: 'WAITING', [two]: 'WAITING', [three]: 'LEFT_OUT' })
  const rows = await api.db.selectFrom('webhook_sends').selectAll().where('webhook_id', '=', id).execute()
  const queued = rows.filter(({ state }) => state === 'WAITING')
  expect(queued.map(({ attempts, ended_at }) => [attempts, ended_at])).toEqual([
    [0, null],
    [0, null],
  ])
})

describe('a key that ends', () => {
  test('closes its webhooks, which keep what happens until another key adopts one: then it is sent, of what was chosen', async () => {
    const world = await newWorld(api)
    const { key, socialSetId, other, accountId } = world
    const before = await happens(api, world)
    const { id } = await webhookOf(api, key, { types: ['post_set.created'] })
    await sent(api, { ...world, id }, before.position, { state: 'WAITING' })
    const owner = await signInAs(api, 'owner', { accountId })
    const restricted = { accountId, socialSetIds: [socialSetId, other] }
    const heir = await api.newKey(restricted)
    await done(
      owner.request('POST', `/api-keys/${await keyIdOf(key)}/revoke`, { body: { password: owner.password } }),
      204,
    )
    expect(await rowOf(id)).toMatchObject({ closed_why: 'KEY_ENDED', closed_position: before.position })
    expect(await states(api, id)).toEqual({ [before.position]: 'KEPT' })
    const since = await happens(api, { key: heir, socialSetId })
    await api.request('PATCH', `/v1/post-sets/${since.data.postSetId}`, { key: heir, body: { approval: 'PENDING' } })
    // One that sees less than was sent does not find it.
    expect(statusAndCode(await ask(heir, 'POST', `/${id}/adopt`))).toEqual([404, 'webhook:not_found'])
    const whole = await api.newKey({ accountId })
    const adopted = await done(ask(whole, 'POST', `/${id}/adopt`))
    expect(adopted).toMatchObject({ closed: null, key: { id: await keyIdOf(whole) }, types: ['post_set.created'] })
    expect(await states(api, id)).toEqual({ [before.position]: 'WAITING', [since.position]: 'WAITING' })
    expect(statusAndCode(await ask(whole, 'POST', `/${id}/adopt`))).toEqual([409, 'request:refused'])
  })

  test('by its time shows at once, and closes them; after 30 days they are deleted', async () => {
    const { key, accountId } = await newWorld(api)
    const { id } = await webhookOf(api, key)
    const person = await signInAs(api, 'owner', { accountId })
    await sql`update api_keys set expires_at = almanac_now() where secret_hash = ${hashKey(key)}`.execute(api.db)
    const { closed } = await done(person.request('GET', `/webhooks/${id}`))
    expect(closed).toMatchObject({ why: 'KEY_ENDED' })
    expect((await rowOf(id)).closed_at).toBeNull()
    const duty = DUTIES.find(({ name }) => name === 'webhooks-of-ended-keys')
    const chore = CHORES.find(({ name }) => name === 'webhooks')
    const tools = { db: api.db } as Parameters<NonNullable<typeof chore>['run']>[0]
    const signal = AbortSignal.timeout(10_000)
    expect(await duty?.run(tools, signal)).toBe(1)
    expect((await rowOf(id)).closed_at).not.toBeNull()
    expect(await duty?.run(tools, signal)).toBe(0)
    await chore?.run(tools, signal)
    expect((await rowOf(id)).id).toBe(id)
    await sql`update webhooks set closed_at = closed_at - interval '31 days' where id = ${id}`.execute(api.db)
    await chore?.run(tools, signal)
    expect((await done(person.request('GET', '/webhooks'))).data).toEqual([])
  })

  test('is adopted by a key that sees no more than was sent, and goes on with that alone', async () => {
    const { key, accountId, socialSetId, other } = await newWorld(api)
    const narrow = await api.newKey({ accountId, socialSetIds: [socialSetId] })
    const { id } = await webhookOf(api, narrow)
    await sql`update api_keys set revoked_at = almanac_now() where secret_hash = ${hashKey(narrow)}`.execute(api.db)
    const elsewhere = await api.newKey({ accountId, socialSetIds: [other] })
    expect(statusAndCode(await ask(elsewhere, 'POST', `/${id}/adopt`))).toEqual([404, 'webhook:not_found'])
    expect((await done(ask(key, 'POST', `/${id}/adopt`))).socialSetIds).toEqual([socialSetId])
  })
})

test('a key that is replaced hands its webhooks to the new one, and opens for a day what it did', async () => {
  const { key, accountId } = await newWorld(api)
  const [own, ignoring] = [await webhookOf(api, key), await webhookOf(api, await api.newKey({ accountId }))]
  const before = await keyIdOf(key)
  await sql`update webhooks set ignore_key_ids = array[${before}::uuid] where id = ${ignoring.id}`.execute(api.db)
  const owner = await signInAs(api, 'owner', { accountId })
  const body = { password: owner.password }
  const made = await done(owner.request('POST', `/api-keys/${before}/rotate`, { body }), 201)
  expect(await readWebhook(api, made.key, own.id)).toMatchObject({ key: { id: made.id }, ignoreKeyIds: [before] })
  expect(statusAndCode(await ask(key, 'GET', `/${own.id}`))).toEqual([404, 'webhook:not_found'])
  expect((await rowOf(ignoring.id)).ignore_key_ids).toEqual([before, made.id])
  const rows = await api.db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', 'in', [before, made.id])
    .orderBy('created_at')
    .execute()
  const [old, next] = rows
  expect(next).toMatchObject({ name: old?.name, scopes: old?.scopes, expires_at: null, created_by: owner.userId })
  const hours = ((old?.expires_at?.getTime() ?? 0) - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23.9)
  expect(hours).toBeLessThan(24.1)
  await done(owner.request('POST', `/api-keys/${made.id}/disable`, { body }), 204)
  expect(statusAndCode(await owner.request('POST', `/api-keys/${made.id}/rotate`, { body }))).toEqual([
    409,
    'request:refused',
  ])
})

test('members make webhooks of the account, and see those of its keys beside them', async () => {
  const { accountId, key } = await newWorld(api)
  const [owner, admin] = [await signInAs(api, 'owner', { accountId }), await signInAs(api, 'admin', { accountId })]
  const ofKey = await webhookOf(api, key)
  const { secret: _, ...ofAccount } = await webhookBy(admin, { ignoreKeyIds: [await keyIdOf(key)] })
  expect(ofAccount).toMatchObject({ key: null, createdBy: 'Ada', ignoreOwn: false, ignoreKeyIds: [await keyIdOf(key)] })
  const { data } = await done(owner.request('GET', '/webhooks'))
  expect(data.map(({ id }: { id: string }) => id)).toEqual([ofKey.id, ofAccount.id])
  const off = { enabled: false, password: owner.password }
  expect((await done(owner.request('PATCH', `/webhooks/${ofKey.id}`, { body: off }))).enabled).toBe(false)
  expect((await readWebhook(api, key, ofKey.id)).enabled).toBe(false)
  // A key sees its own alone.
  expect((await done(ask(key, 'GET', ''))).data.map(({ id }: { id: string }) => id)).toEqual([ofKey.id])
  await done(owner.request('DELETE', `/webhooks/${ofAccount.id}`, { body: { password: owner.password } }), 204)
})

test('a secret that is answered again by an Idempotency-Key is sealed until then', async () => {
  const { key } = await newWorld(api)
  const keyed = newKeyedClient({ url: api.url, key })
  const sent = { method: 'POST', path: '/v1/webhooks', key: newId(), body: { url: FLOW } }
  const [first, again] = [await keyed(sent), await keyed(sent)]
  expect([first.status, again.headers['idempotency-replayed'], again.text]).toEqual([201, 'true', first.text])
  const { secret } = JSON.parse(first.text)
  const stored = await api.db
    .selectFrom('idempotency_keys')
    .select('body')
    .where('key', '=', sent.key)
    .executeTakeFirstOrThrow()
  expect(stored.body).not.toContain(secret.slice(6))
  // The secret key was changed since, and the old one is gone.
  await api.db.updateTable('idempotency_keys').set({ body: 'other AAAA' }).where('key', '=', sent.key).execute()
  const third = await keyed(sent)
  expect([third.status, JSON.parse(third.text).code]).toEqual([422, 'request:idempotency_key_reused'])
})
