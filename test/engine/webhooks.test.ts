import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createSecretBox, newId, placeOfWebhook } from '#domain'
import { claimLanes, closeWebhooks, inTransaction, queueSince } from '#persistence'
import { gateOf } from '../../src/app/start-gate.ts'
import { explaining } from '../_util/database/explain.ts'
import {
  createWebhookFixture,
  quickSettings,
  startWebhookReceiver,
  type WebhookFixture,
  type WebhookReceiver,
} from '../_util/webhooks/webhook-fixture.ts'

let receiver: WebhookReceiver
let fixture: WebhookFixture
beforeAll(async () => {
  receiver = await startWebhookReceiver()
})
afterAll(() => receiver.close())
beforeEach(async () => {
  fixture = await createWebhookFixture()
})
afterEach(() => fixture.close())

/** Nothing is tried twice while a test goes on. */
const ONCE = { ...quickSettings, sendPausesMs: [3_600_000], lanePausesMs: [3_600_000] }
const OK = { kind: 'answers', status: 204 } as const
const positionsOf = (path: string) => receiver.of(path).map(({ position }) => position)
/** It comes at once; on a busy machine, in its time. */
const WAIT = { timeout: 20_000 }
/** Each test has paths of its own. */
let paths = 0
const newPath = () => `/hook-${++paths}`
const urlOf = (path: string) => `http://${receiver.host}${path}`
const trusting = (options = {}) => fixture.sender({ trustedHosts: [receiver.host], ...options })
const attemptsOf = (webhookId: string) =>
  fixture.db
    .selectFrom('webhook_attempts')
    .select(['status', 'failure', 'answer', 'send_id', 'duration_ms'])
    .where('webhook_id', '=', webhookId)
    .orderBy('at')
    .orderBy('id')
    .execute()

/** An endpoint that answers so. */
async function endpoint(behavior: Parameters<WebhookReceiver['on']>[1] = OK, options = {}) {
  const path = newPath()
  const made = await fixture.addEndpoint({ url: urlOf(path), ...options })
  await receiver.on(path, behavior, [made.secret])
  return { path, ...made }
}

test('an event goes to the endpoints that want it, and to no other', async () => {
  const other = await fixture.addSocialSet()
  const [own, foreign] = [await fixture.addKey(), await fixture.addKey()]
  const narrow = await fixture.addKey({ socialSetIds: [other] })
  const endpoints = {
    all: await fixture.addEndpoint({ url: 'https://example.com' }),
    type: await fixture.addEndpoint({ url: 'https://example.com', types: ['media.deleted', 'post.failed'] }),
    otherType: await fixture.addEndpoint({ url: 'https://example.com', types: ['post.failed'] }),
    brand: await fixture.addEndpoint({ url: 'https://example.com', socialSetIds: [fixture.socialSetId] }),
    otherBrand: await fixture.addEndpoint({ url: 'https://example.com', socialSetIds: [other] }),
    ownKey: await fixture.addEndpoint({ url: 'https://example.com', keyId: own }),
    ownKeyToo: await fixture.addEndpoint({ url: 'https://example.com', keyId: own, ignoreOwn: false }),
    foreignKey: await fixture.addEndpoint({ url: 'https://example.com', keyId: foreign }),
    ignoring: await fixture.addEndpoint({ url: 'https://example.com', ignoreKeyIds: [foreign, own] }),
    narrowKey: await fixture.addEndpoint({ url: 'https://example.com', keyId: narrow }),
    off: await fixture.addEndpoint({ url: 'https://example.com' }),
    closed: await fixture.addEndpoint({ url: 'https://example.com' }),
  }
  await sql`update webhooks set enabled = false where id = ${endpoints.off.id}`.execute(fixture.db)
  await inTransaction(fixture.db, (trx) => closeWebhooks(trx, [endpoints.closed.id], 'GONE'))
  await fixture.happen(1, { keyId: own })
  await fixture.happen(1, { keyId: own, socialSetId: null })
  const { rows } = await sql<{ id: string; positions: number[] }>`
    select webhook_id as id, array_agg(position::int order by position) as positions from webhook_sends group by 1`.execute(
    fixture.db,
  )
  const queued = new Map(rows.map(({ id, positions }) => [id, positions]))
  expect(Object.fromEntries(Object.entries(endpoints).map(([name, { id }]) => [name, queued.get(id) ?? []]))).toEqual({
    ...{ all: [1, 2], type: [1, 2], otherType: [], brand: [1], otherBrand: [] },
    ...{ ownKey: [], ownKeyToo: [1, 2], foreignKey: [1, 2], ignoring: [], narrowKey: [], off: [], closed: [] },
  })
})

test('events come in their order, each once, one request at a time, signed over the body; two senders make no difference', async () => {
  const one = await endpoint()
  const two = await endpoint({ kind: 'answers', status: 200, afterMs: 5 })
  await fixture.happen(40)
  await Promise.all([trusting().sendDue(), trusting().sendDue()])
  await vi.waitFor(async () => expect(await fixture.states(two.id)).toEqual({ SENT: 40 }), WAIT)
  for (const { path, id } of [one, two]) {
    expect(positionsOf(path)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1))
    expect(receiver.of(path).every(({ verified, open }) => verified === 1 && open === 1)).toBe(true)
    expect(await fixture.states(id)).toEqual({ SENT: 40 })
  }
  const [first] = receiver.of(one.path)
  const event = await fixture.db.selectFrom('events').select('id').where('position', '=', 1).executeTakeFirstOrThrow()
  expect(first).toMatchObject({ id: event.id, type: 'media.deleted', headers: { 'webhook-id': event.id } })
  expect(first?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Almanac/0.1' })
})

test('within a day of a rotation both secrets sign, and then the new one alone', async () => {
  const { id, path, secret } = await endpoint()
  const before = await fixture.addEndpoint({ url: 'https://example.com' })
  // The row of another endpoint has a secret that opens at its own place alone, so this one is sealed for here.
  const sealed = createSecretBox([fixture.secretKey]).seal(Buffer.from(before.secret), placeOfWebhook(id))
  const rotated = { old_secret: sealed.bytes, old_secret_key_id: sealed.keyId }
  await sql`delete from webhooks where id = ${before.id}`.execute(fixture.db)
  await fixture.db
    .updateTable('webhooks')
    .set({ ...rotated, old_secret_until: sql<Date>`almanac_now() + interval '1 hour'` })
    .where('id', '=', id)
    .execute()
  await receiver.on(path, OK, [secret, before.secret])
  const sender = trusting()
  await fixture.happen(1)
  await sender.sendDue()
  await sql`update webhooks set old_secret_until = almanac_now() - interval '1 second'`.execute(fixture.db)
  await fixture.happen(1)
  await sender.sendDue()
  expect(receiver.of(path).map(({ verified }) => verified)).toEqual([2, 1])
})

test('an event that is refused stops no other, is tried ten times under the same id, and has failed then', async () => {
  const { id, path } = await endpoint({ kind: 'chokes', position: 2 })
  await fixture.happen(5)
  const settings = { ...quickSettings, sendPausesMs: [3_000, 100, 100, 100, 100, 100, 100, 100, 100] }
  const sender = trusting({ settings })
  await sender.sendDue()
  expect(await fixture.states(id)).toEqual({ SENT: 4, WAITING: 1 })
  expect(positionsOf(path)).toEqual([1, 2, 3, 4, 5])
  sender.start()
  await vi.waitFor(async () => expect(await fixture.states(id)).toEqual({ SENT: 4, FAILED: 1 }), WAIT)
  const tries = receiver.of(path).filter(({ position }) => position === 2)
  expect(tries.length).toBe(10)
  expect(new Set(tries.map(({ id }) => id)).size).toBe(1)
  const failures = (await attemptsOf(id)).flatMap(({ failure }) => failure ?? [])
  expect(failures).toEqual(Array.from({ length: 10 }, () => 'It answered 400 Bad Request.'))
})

test('an endpoint that restarts gets its events in their order', async () => {
  const { id, path } = await endpoint({ kind: 'answers', status: 503 })
  await fixture.happen(3)
  const settings = { ...quickSettings, sendPausesMs: [2_000], lanePausesMs: [2_000] }
  const sender = trusting({ settings })
  await sender.sendDue()
  expect(positionsOf(path)).toEqual([1])
  await receiver.on(path, OK)
  sender.start()
  await vi.waitFor(async () => expect(await fixture.states(id)).toEqual({ SENT: 3 }), WAIT)
  expect(positionsOf(path)).toEqual([1, 1, 2, 3])
})

test('a dead endpoint costs a request per pause, whatever waits; when it is back all comes, also what had failed', async () => {
  const { id, path } = await endpoint({ kind: 'answers', status: 500 })
  await fixture.happen(100)
  const settings = { ...quickSettings, sendPausesMs: [100, 3_600_000], lanePausesMs: [100, 100], recoversMs: 200 }
  const sender = trusting({ settings })
  sender.start()
  await receiver.until(() => receiver.of(path).length >= 8)
  // One at once, as the endpoint is there, and then one each tenth of a second.
  const requests = receiver.of(path)
  expect((requests[7]?.at ?? 0) - (requests[1]?.at ?? 0)).toBeGreaterThan(550)
  await receiver.on(path, OK)
  await vi.waitFor(async () => expect(await fixture.states(id)).toEqual({ SENT: 100 }), WAIT)
})

test('an endpoint that answers 410 closes; what waited is kept, and what came since is queued for who adopts it', async () => {
  const { id, path } = await endpoint({ kind: 'answers', status: 410 })
  await fixture.happen(3)
  const sender = trusting()
  await sender.sendDue()
  expect(positionsOf(path)).toEqual([1])
  expect(await fixture.states(id)).toEqual({ KEPT: 3 })
  expect(await fixture.endpoint(id)).toMatchObject({ closed_why: 'GONE', closed_position: 3, lease_owner: null })
  await fixture.happen(2)
  expect(await fixture.states(id)).toEqual({ KEPT: 3 })
  await inTransaction(fixture.db, async (trx) => {
    await sql`
      update webhooks set closed_at = null, closed_why = null, closed_position = null, failures = 0, failing_since = null, lane_at = almanac_now()`.execute(
      trx,
    )
    await sql`update webhook_sends set state = 'WAITING', next_at = almanac_now() where state = 'KEPT'`.execute(trx)
    await queueSince(trx, { webhookId: id, after: 3 })
  })
  await receiver.on(path, OK)
  await sender.sendDue()
  expect(positionsOf(path)).toEqual([1, 1, 2, 3, 4, 5])
})

test('after five days in which everything failed, and twenty attempts, it is closed, and who made it gets news', async () => {
  const maker = newId()
  await sql`insert into users (id, name, email) values (${maker}, 'Ada', 'ada@example.com')`.execute(fixture.db)
  const { id } = await endpoint({ kind: 'answers', status: 500 }, { createdBy: maker })
  await fixture.happen(4)
  const failFor = async (days: number, failures: number) => {
    await sql`
      update webhooks set failing_since = almanac_now() - make_interval(days => ${days}), failures = ${failures}, lane_at = almanac_now()`.execute(
      fixture.db,
    )
    await trusting({ settings: ONCE }).sendDue()
    return (await fixture.endpoint(id)).closed_why
  }
  expect(await failFor(4, 50)).toBeNull()
  expect(await failFor(6, 10)).toBeNull()
  expect(await failFor(6, 19)).toBe('FAILING')
  expect(await fixture.states(id)).toEqual({ KEPT: 4 })
  const news = await fixture.db.selectFrom('news').select(['kind', 'facts']).execute()
  expect(news).toEqual([
    {
      kind: 'WEBHOOK_FAILING',
      facts: {
        webhook: { id, host: receiver.host },
        message: 'It answered 500 Internal Server Error.',
        concerned: [maker],
      },
    },
  ])
})

test.each<[string, Parameters<WebhookReceiver['on']>[1], RegExp]>([
  [
    'a redirect',
    { kind: 'answers', status: 307, headers: { location: '/hook-1' } },
    /^It answered 307 .* redirects are not followed\.$/,
  ],
  ['a connection that breaks after the head', { kind: 'resets' }, /^It answered 200, and the connection broke/],
  ['an endpoint that never answers', { kind: 'silent' }, /^No whole answer within 0\.3 seconds\.$/],
])('%s is a failure', async (_, behavior, words) => {
  const { id, path } = await endpoint(behavior)
  await fixture.happen(1)
  await trusting({ settings: { ...ONCE, limitMs: 300 } }).sendDue()
  expect(receiver.of(path).length).toBe(1)
  expect(await attemptsOf(id)).toEqual([expect.objectContaining({ failure: expect.stringMatching(words) })])
  expect(await fixture.states(id)).toEqual({ WAITING: 1 })
})

test('a certificate that no one vouches for is a failure, and nothing is sent', async () => {
  const path = newPath()
  const { id } = await fixture.addEndpoint({ url: `https://${receiver.secureHost}${path}` })
  await fixture.happen(1)
  await fixture.sender({ trustedHosts: [receiver.secureHost], settings: ONCE }).sendDue()
  expect(receiver.of(path)).toEqual([])
  expect(await attemptsOf(id)).toEqual([
    expect.objectContaining({ failure: expect.stringMatching(/^The certificate of 127\.0\.0\.1 is not valid/) }),
  ])
})

test('a process that dies between the answer and its outcome: another one sends the event again after the lease', async () => {
  const { id, path } = await endpoint()
  await fixture.happen(1)
  const died = Promise.withResolvers<never>()
  died.promise.catch(() => {})
  const settings = { ...quickSettings, leaseMs: 500 }
  const log = { info() {}, warn() {}, error() {} }
  const dead = trusting({ settings, log, signals: () => died.promise })
  try {
    dead.wake()
    await receiver.until(() => receiver.of(path).length === 1)
    const other = trusting({ settings })
    await other.sendDue()
    expect(receiver.of(path).length).toBe(1)
    other.start()
    await vi.waitFor(async () => expect(await fixture.states(id)).toEqual({ SENT: 1 }), WAIT)
    const ids = receiver.of(path).map(({ id }) => id)
    expect(ids.length).toBe(2)
    expect(new Set(ids).size).toBe(1)
  } finally {
    // What the first one finds later changes nothing of the lane of the other one.
    died.reject(new Error('It is gone.'))
  }
})

test('a stop lets what is under way end within its grace, and what it breaks off does not count', async () => {
  const slow = await endpoint({ kind: 'answers', status: 200, afterMs: 300 })
  const silent = await endpoint({ kind: 'silent' })
  await fixture.happen(1)
  const sender = trusting()
  sender.wake()
  await receiver.until(() => receiver.of(slow.path).length === 1 && receiver.of(silent.path).length === 1)
  await sender.stop({ graceMs: 1_000 })
  expect(await fixture.states(slow.id)).toEqual({ SENT: 1 })
  expect(await fixture.states(silent.id)).toEqual({ WAITING: 1 })
  expect(await attemptsOf(silent.id)).toEqual([])
  expect(await fixture.endpoint(silent.id)).toMatchObject({ failures: 0, lease_owner: null })
})

test('while the start is held nothing is sent, also not by a process that does not know yet; then all is, and nothing has failed', async () => {
  const { id, path } = await endpoint()
  await fixture.happen(1)
  await sql`insert into held_starts (id, why, signs) values (${newId()}, 'COPY', '[]')`.execute(fixture.db)
  await trusting().sendDue()
  expect(await fixture.states(id)).toEqual({ WAITING: 1 })
  await sql`update held_starts set ended_at = almanac_now(), ended_by = 'Ada', late = 'PUBLISH'`.execute(fixture.db)
  const held = { id: '', why: 'COPY', signs: [], lastRanAt: null, since: new Date(), mailedAt: null } as const
  const gated = trusting({ through: gateOf({ ...held, signs: [] }).through })
  await gated.sendDue()
  expect(receiver.of(path)).toEqual([])
  expect(await attemptsOf(id)).toEqual([])
  expect(await fixture.endpoint(id)).toMatchObject({ failures: 0, lease_owner: null })
  trusting().start()
  await vi.waitFor(async () => expect(await fixture.states(id)).toEqual({ SENT: 1 }), WAIT)
})

test('a test has the event that it brings, and goes before what waits', async () => {
  const { id, path } = await endpoint()
  await fixture.happen(2)
  const event = { id: newId(), position: null, type: 'webhook.test', timestamp: '2030-06-01T10:00:00.000Z', data: {} }
  await sql`
    insert into webhook_sends (id, webhook_id, account_id, event)
    values (${newId()}, ${id}, ${fixture.accountId}, ${JSON.stringify(event)}::jsonb)`.execute(fixture.db)
  await trusting().sendDue()
  expect(receiver.of(path).map(({ type, position }) => [type, position])).toEqual([
    ['webhook.test', null],
    ['media.deleted', 1],
    ['media.deleted', 2],
  ])
  expect(receiver.of(path)[0]?.id).toBe(event.id)
})

test('what a private host answers is not kept', async () => {
  const { id } = await endpoint({ kind: 'answers', status: 500, body: 'Host db-1 has no disk left. '.repeat(10_000) })
  await fixture.happen(1)
  await trusting({ settings: ONCE }).sendDue()
  expect(await attemptsOf(id)).toEqual([expect.objectContaining({ status: 500, answer: null })])
})

test('a burst costs no walk over all that waits, before the statistics know of it', async () => {
  const { path, id } = await endpoint()
  await sql`alter table webhook_sends set (autovacuum_enabled = false)`.execute(fixture.db)
  await fixture.happen(2_000)
  await sql`update webhook_sends set next_at = next_at + interval '1 hour' where webhook_id = ${id}`.execute(fixture.db)
  const { db, plan } = explaining(fixture.db)
  await claimLanes(db, { owner: newId(), ms: 1_000 }, { healthy: 5, failing: 5 })
  expect(plan()).toContain('webhook_sends_due')
  expect(plan()).not.toMatch(/Aggregate|webhook_sends_order/)
  expect(receiver.of(path)).toEqual([])
})
