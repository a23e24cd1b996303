import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#domain'
import { endLoops, LOOP, listHistory } from '#persistence'
import {
  addPostSet,
  createWebhookFixture,
  startWebhookReceiver,
  type WebhookFixture,
  type WebhookReceiver,
} from '../_util/webhooks/webhook-fixture.ts'

/** What keys have to do with what is sent: what they see, and that programs do not answer to themselves for ever. */

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

let paths = 0
async function endpoint(options: object = {}) {
  const path = `/key-${++paths}`
  const { id } = await fixture.addEndpoint({ url: `http://${receiver.host}${path}`, ...options })
  await receiver.on(path, { kind: 'answers', status: 204 })
  return { id, path }
}
const trusting = () => fixture.sender({ trustedHosts: [receiver.host] })
const changeKey = (id: string, set: ReturnType<typeof sql>) =>
  sql`update api_keys set ${set} where id = ${id}`.execute(fixture.db)

test.each([
  ['revoked', sql`revoked_at = almanac_now()`],
  ['expired', sql`expires_at = almanac_now()`],
])('a key that is %s: nothing of what waits is sent, its endpoint closes and keeps it', async (_, set) => {
  const keyId = await fixture.addKey()
  const { id, path } = await endpoint({ keyId })
  const other = await endpoint()
  await fixture.happen(3)
  await changeKey(keyId, set)
  await trusting().sendDue()
  expect(receiver.of(path)).toEqual([])
  expect(await fixture.endpoint(id)).toMatchObject({ closed_why: 'KEY_ENDED', closed_position: 3, lease_owner: null })
  expect(await fixture.states(id)).toEqual({ KEPT: 3 })
  expect(await fixture.states(other.id)).toEqual({ SENT: 3 })
})

test('a key that loses a social set: what waits of it is left out, the rest is sent', async () => {
  const second = await fixture.addSocialSet()
  const keyId = await fixture.addKey({ socialSetIds: [fixture.socialSetId, second] })
  const { id, path } = await endpoint({ keyId })
  await fixture.happen(2)
  await fixture.happen(2, { socialSetId: second })
  await fixture.happen(1)
  await changeKey(keyId, sql`social_set_ids = array[${second}]::uuid[]`)
  await fixture.happen(1)
  await trusting().sendDue()
  expect(receiver.of(path).map(({ position }) => position)).toEqual([3, 4])
  expect(await fixture.states(id)).toEqual({ SENT: 2, LEFT_OUT: 3 })
})

test('a key that is disabled: what comes waits, and is sent when the key is enabled', async () => {
  const keyId = await fixture.addKey()
  const { id, path } = await endpoint({ keyId })
  await changeKey(keyId, sql`disabled_at = almanac_now()`)
  await fixture.happen(2)
  await trusting().sendDue()
  expect(receiver.of(path)).toEqual([])
  expect(await fixture.states(id)).toEqual({ WAITING: 2 })
  await changeKey(keyId, sql`disabled_at = null`)
  await trusting().sendDue()
  expect(await fixture.states(id)).toEqual({ SENT: 2 })
})

test('what is older than events are kept is left out', async () => {
  const { id, path } = await endpoint()
  await fixture.happen(2)
  await sql`delete from events where position = 1`.execute(fixture.db)
  await trusting().sendDue()
  expect(receiver.of(path).map(({ position }) => position)).toEqual([2])
  expect(await fixture.states(id)).toEqual({ LEFT_OUT: 1, SENT: 1 })
})

/** Flows that change the set for each event that comes to their endpoints, until none comes. Resolves with how many changes that were. */
async function letFlows(set: Awaited<ReturnType<typeof addPostSet>>, flows: { path: string; keyId: string }[]) {
  const sender = trusting()
  const answered = new Map(flows.map(({ path }) => [path, receiver.of(path).length]))
  let changes = 0
  for (let quiet = false; !quiet && changes < 200; ) {
    await fixture.tick()
    await sender.sendDue()
    quiet = true
    for (const { path, keyId } of flows) {
      const came = receiver.of(path)
      for (const { type } of came.slice(answered.get(path))) {
        if (type !== 'post_set.updated') continue
        await set.change(keyId)
        changes += 1
        quiet = false
      }
      answered.set(path, came.length)
    }
  }
  return changes
}

test('a flow that changes what it hears of ends at once at the endpoint of its key', async () => {
  const keyId = await fixture.addKey()
  const flow = { ...(await endpoint({ keyId })), keyId }
  const set = await addPostSet(fixture)
  await set.change(await fixture.addKey())
  expect(await letFlows(set, [flow])).toBe(1)
})

test('at an endpoint of the dashboard that knows its key, too', async () => {
  const keyId = await fixture.addKey()
  const flow = { ...(await endpoint({ ignoreKeyIds: [keyId] })), keyId }
  const set = await addPostSet(fixture)
  await set.change(await fixture.addKey())
  expect(await letFlows(set, [flow])).toBe(1)
})

test.each([
  ['at an endpoint of the dashboard that knows no key', 1],
  ['two flows in turn', 2],
])('%s: after %s it ends by itself, the history says so, and who made the endpoints gets news', async (_, count) => {
  const maker = newId()
  await sql`insert into users (id, name, email) values (${maker}, 'Ada', 'ada@example.com')`.execute(fixture.db)
  const flows: { id: string; path: string; keyId: string }[] = []
  for (let at = 0; at < count; at++) {
    const keyId = await fixture.addKey({ createdBy: maker })
    flows.push({ ...(await endpoint(count === 1 ? { createdBy: maker } : { keyId })), keyId })
  }
  const set = await addPostSet(fixture)
  const other = await addPostSet(fixture)
  await set.change(await fixture.addKey())
  const changes = await letFlows(set, flows)
  expect(changes).toBeGreaterThan(LOOP.changes)
  expect(changes).toBeLessThan(2 * LOOP.changes)
  const history = await listHistory(fixture.db, set.id)
  expect(history.filter(({ action }) => action === 'webhooks slowed').length).toBe(1)
  const news = await fixture.db.selectFrom('news').select(['kind', 'post_set_id', 'facts']).execute()
  expect(news).toEqual([{ kind: 'WEBHOOK_LOOP', post_set_id: set.id, facts: { concerned: [maker] } }])
  // Of another set everything is sent, and of this one what is no change.
  const sender = trusting()
  const [flow] = flows
  const before = receiver.of(flow?.path ?? '').length
  await set.change(await fixture.addKey())
  await other.change(await fixture.addKey())
  await fixture.tick()
  await sender.sendDue()
  expect(receiver.of(flow?.path ?? '').length).toBe(before + 1)
  // When the hour is over the last change comes, once.
  await sql`update webhook_loops set held_until = almanac_now() where held_until is not null`.execute(fixture.db)
  await Promise.all([endLoops(fixture.db), endLoops(fixture.db)])
  await sender.sendDue()
  expect(receiver.of(flow?.path ?? '').length).toBe(before + 2)
  const { position } = await fixture.db
    .selectFrom('events')
    .select('position')
    .where(sql`data ->> 'postSetId'`, '=', set.id)
    .where('type', '=', 'post_set.updated')
    .orderBy('position', 'desc')
    .executeTakeFirstOrThrow()
  expect(receiver.of(flow?.path ?? '').at(-1)?.position).toBe(position)
})

test('people, and keys that change many sets, are no loop', async () => {
  const keyId = await fixture.addKey()
  await endpoint()
  const sender = trusting()
  for (let at = 0; at < LOOP.changes + 5; at++) {
    await (await addPostSet(fixture)).change(keyId)
    await fixture.tick()
    await sender.sendDue()
  }
  const { rows } = await sql`select from webhook_loops where held_until is not null`.execute(fixture.db)
  expect(rows).toEqual([])
})
