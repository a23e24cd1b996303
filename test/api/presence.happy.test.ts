import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { type EventStream, follow } from '../_util/api/event-stream.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'

let api: Api
let ada: Person
let bob: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  ada = await signInAs(api, 'owner')
  bob = await signInAs(api, 'reviewer')
  await api.db.updateTable('users').set({ name: 'Bob' }).where('id', '=', bob.userId).execute()
})
afterAll(() => api.close())
const windows: EventStream[] = []
afterEach(() => {
  for (const window of windows.splice(0)) window.close()
})

/** A window that is ready, with the id of its stream. */
async function open(person: Person, id = newId()): Promise<{ id: string; events: EventStream }> {
  const events = await follow(api, person, `${api.socialSetId}&stream=${id}`)
  windows.push(events)
  await events.until('ready')
  return { id, events }
}
const say = (person: Person, stream: string, postSetId: string | null) =>
  done(person.request('PUT', `/presence/${stream}`, { body: { postSetId } }))
const who = async (person: Person, id: string): Promise<string[]> =>
  (await done(person.request('GET', `/post-sets/${id}/presence`))).people.map(({ name }: { name: string }) => name)

test('who has a post open is seen by others, in their window at once, until it is closed', async () => {
  const { id } = await api.create()
  const [mine, other] = [await open(ada), await open(bob)]
  expect(await who(ada, id)).toEqual([])
  expect(await say(bob, other.id, id)).toEqual({ said: true })
  await mine.events.until('presence', [id])
  expect([await who(ada, id), await who(bob, id)]).toEqual([['Bob'], []])
  await say(bob, other.id, null)
  await vi.waitFor(() => expect(mine.events.events.filter(([name]) => name === 'presence')).toHaveLength(2), 10_000)
  expect(await who(ada, id)).toEqual([])
})

test('two windows of a person count once, each with its post', async () => {
  const [first, second] = [await api.create(), await api.create()]
  const [left, right] = [await open(bob), await open(bob)]
  await say(bob, left.id, first.id)
  await say(bob, right.id, first.id)
  expect(await who(ada, first.id)).toEqual(['Bob'])
  await say(bob, right.id, second.id)
  expect([await who(ada, first.id), await who(ada, second.id)]).toEqual([['Bob'], ['Bob']])
})

test('it ends with the stream; one that is made again goes on, and the end of the old one takes nothing along', async () => {
  const { id } = await api.create()
  const mine = await open(ada)
  const old = await open(bob)
  await say(bob, old.id, id)
  await open(bob, old.id)
  old.events.close()
  await old.events.ended
  // The server has seen the end when what came behind it is done.
  await api.create()
  expect(await who(ada, id)).toEqual(['Bob'])
  const before = mine.events.events.length
  windows.at(-1)?.close()
  await vi.waitFor(async () => expect(await who(ada, id)).toEqual([]), 10_000)
  await vi.waitFor(() => expect(mine.events.events.length).toBeGreaterThan(before), 10_000)
  const { rows } = await sql`select from presences where stream_id = ${old.id}`.execute(api.db)
  expect(rows).toEqual([])
})

test('a row that no process renews counts no more, and the next stream removes it', async () => {
  const { id } = await api.create()
  const killed = newId()
  await sql`insert into presences (stream_id, holder, account_id, social_set_id, user_id, post_set_id, until)
    values (${killed}, ${newId()}, ${api.accountId}, ${api.socialSetId}, ${bob.userId}, ${id}, clock_timestamp() + interval '1 hour')`.execute(
    api.db,
  )
  expect(await who(ada, id)).toEqual(['Bob'])
  await sql`update presences set until = clock_timestamp() where stream_id = ${killed}`.execute(api.db)
  expect(await who(ada, id)).toEqual([])
  await open(ada)
  expect((await sql`select from presences where stream_id = ${killed}`.execute(api.db)).rows).toEqual([])
})

test('a person who switches it off neither is seen nor sees', async () => {
  const { id } = await api.create()
  const [mine, other] = [await open(ada), await open(bob)]
  await say(ada, mine.id, id)
  await say(bob, other.id, id)
  await done(bob.request('PATCH', '/preferences', { body: { presence: false } }))
  expect([await who(ada, id), await who(bob, id)]).toEqual([[], []])
  await done(bob.request('PATCH', '/preferences', { body: { presence: true } }))
  expect([await who(ada, id), await who(bob, id)]).toEqual([['Bob'], ['Ada']])
})
