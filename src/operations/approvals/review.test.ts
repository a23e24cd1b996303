import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Approval, PostSetStatus } from '#contract'
import { newId } from '#domain'
import type { Actor } from '#persistence'
import { createEngine, type Engine } from '../../../test/_util/engine/engine.ts'
import { scriptedNetwork } from '../../../test/_util/engine/scripted-network.ts'
import { readHistory } from '../post-sets/history.ts'
import { lockPostSet } from '../post-sets/lock.ts'
import { Refusal } from '../refusal.ts'
import { approvePostSet } from './approve.ts'
import { requestChanges } from './request-changes.ts'

let engine: Engine
let network: ReturnType<typeof scriptedNetwork>
const actor: Actor = { type: 'OPERATOR', id: null, name: 'operator' }
const FUTURE = '2090-01-01T00:00:00Z'

beforeAll(async () => {
  network = scriptedNetwork({})
  engine = await createEngine({ networks: [network] })
})
afterAll(() => engine.close())

async function newSet(given: { status?: PostSetStatus; approval?: Approval; at?: string } = {}): Promise<string> {
  const { status = 'SCHEDULED', approval = 'PENDING', at = FUTURE } = given
  const id = await engine.schedule({ at })
  await engine.db.updateTable('post_sets').set({ status, approval }).where('id', '=', id).execute()
  return id
}
const read = (id: string) =>
  engine.db
    .selectFrom('post_sets')
    .select(['status', 'approval', 'version', 'content_version as content'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const historyOf = (id: string) => readHistory(engine, id)
const noHistory = (id: string) => expect(historyOf(id)).rejects.toThrow('There is no history')

test('service-09, resources-21, states-16, publish-10: approving leaves the status of a set, raises its version and records in history what changed', async () => {
  const earlier = new Date(Date.now() - 60_000)
  for (const status of ['DRAFT', 'SCHEDULED'] as const) {
    for (const approval of ['NONE', 'PENDING', 'EXTERNAL_PENDING', 'DENIED'] as const) {
      const id = await newSet({ status, approval })
      await approvePostSet(engine, id.toUpperCase(), actor)
      expect(await read(id)).toEqual({ status, approval: 'APPROVED', version: 2, content: 1 })
      const history = await historyOf(id)
      expect(history).toEqual([
        {
          id: expect.any(String),
          at: expect.any(Date),
          actor: { type: 'OPERATOR', name: 'operator' },
          action: 'approved',
          changes: { approval: { from: approval, to: 'APPROVED' } },
        },
      ])
      expect(history[0]?.at.getTime()).toBeGreaterThan(earlier.getTime())
    }
  }
})

test('service-10, resources-21, states-15, publish-10: requesting changes denies a set and parks a scheduled one as a draft', async () => {
  const status = { from: 'SCHEDULED', to: 'DRAFT' }
  const approval = { from: 'APPROVED', to: 'DENIED' }
  for (const [given, changes] of [
    [
      { status: 'SCHEDULED', approval: 'APPROVED' },
      { approval, status },
    ],
    [{ status: 'DRAFT', approval: 'APPROVED' }, { approval }],
    [{ status: 'SCHEDULED', approval: 'DENIED' }, { status }],
  ] as const) {
    const id = await newSet(given)
    await requestChanges(engine, id, actor, { message: '  Say when it starts. ' })
    expect(await read(id)).toEqual({ status: 'DRAFT', approval: 'DENIED', version: 2, content: 1 })
    expect(await historyOf(id)).toMatchObject([
      { action: 'changes requested', changes: { ...changes, message: 'Say when it starts.' } },
    ])
  }
})

test('a verdict that changes nothing writes nothing; one that says something new is reported by history alone', async () => {
  const approved = await newSet({ approval: 'APPROVED' })
  const before = await read(approved)
  await approvePostSet(engine, approved, actor)
  expect(await read(approved)).toEqual(before)
  await noHistory(approved)

  const denied = await newSet({ status: 'DRAFT', approval: 'DENIED' })
  await requestChanges(engine, denied, actor)
  await requestChanges(engine, denied, actor, { message: '   ' })
  await noHistory(denied)
  await requestChanges(engine, denied, actor, { message: 'The logo too.' })
  expect(await read(denied)).toMatchObject({ version: 1 })
  expect(await historyOf(denied)).toMatchObject([{ changes: { message: 'The logo too.' } }])
})

test('a locked set is reviewed like any other', async () => {
  const id = await newSet()
  await lockPostSet(engine, id, actor)
  await approvePostSet(engine, id, actor)
  expect(await read(id)).toMatchObject({ status: 'SCHEDULED', approval: 'APPROVED' })
  await requestChanges(engine, id, actor)
  expect(await read(id)).toMatchObject({ status: 'DRAFT', approval: 'DENIED' })
  expect((await historyOf(id)).map(({ action }) => action)).toEqual(['locked', 'approved', 'changes requested'])
})

test('what is being published, has been published or is not there is refused in words, and stays', async () => {
  for (const [status, words] of [
    ['PUBLISHING', 'is being published'],
    ['PUBLISHED', 'has been published'],
  ] as const) {
    const id = await newSet({ status })
    const before = await read(id)
    for (const work of [approvePostSet, requestChanges]) {
      const refused = work(engine, id, actor)
      await expect(refused).rejects.toThrow(Refusal)
      await expect(refused).rejects.toThrow(words)
    }
    expect(await read(id)).toEqual(before)
    await noHistory(id)
  }
  for (const id of ['nonsense', newId()]) {
    await expect(approvePostSet(engine, id, actor)).rejects.toThrow(`no post set ${id}`)
    await expect(requestChanges(engine, id, actor)).rejects.toThrow(`no post set ${id}`)
    await noHistory(id)
  }
  const id = await newSet()
  await expect(requestChanges(engine, id, actor, { message: '🎭'.repeat(5_001) })).rejects.toThrow(/at most 5000/)
  expect(await read(id)).toMatchObject({ status: 'SCHEDULED' })
  await requestChanges(engine, id, actor, { message: '🎭'.repeat(5_000) })
})

test('history outlives the set', async () => {
  const id = await newSet()
  await approvePostSet(engine, id, actor)
  const before = await historyOf(id)
  await engine.db.deleteFrom('post_sets').where('id', '=', id).execute()
  expect(await historyOf(id)).toEqual(before)
})

async function untilWaiting(count: number): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(engine.db)
    if (rows.length === count) return
  }
  throw new Error(`There were never ${count} that wait.`)
}

/** Lets the first get so far that it holds the set and waits to write history; then does the second. */
async function together(first: () => Promise<unknown>, second: () => Promise<unknown>, secondWaits: boolean) {
  const both: Promise<unknown>[] = []
  await engine.db.transaction().execute(async (trx) => {
    await sql`lock table history in access exclusive mode`.execute(trx)
    both.push(first())
    await untilWaiting(1)
    both.push(second())
    await (secondWaits ? untilWaiting(2) : both[1])
  })
  await Promise.all(both)
}

test('a review that was first keeps a due set from being published', async () => {
  const id = await newSet({ at: '2020-01-01T00:00:00Z' })
  await together(
    () => requestChanges(engine, id, actor),
    async () => expect(await engine.look()).toBe(0),
    false,
  )
  await engine.drain()
  expect(await read(id)).toMatchObject({ status: 'DRAFT', approval: 'DENIED' })
  expect((await historyOf(id)).map(({ action }) => action)).toEqual(['changes requested'])
})

test('a review that comes second finds the set publishing and changes nothing', async () => {
  const id = await newSet({ at: '2020-01-01T00:00:00Z' })
  await together(
    () => engine.look(),
    () => expect(requestChanges(engine, id, actor)).rejects.toThrow('is being published'),
    true,
  )
  expect(await read(id)).toMatchObject({ status: 'PUBLISHING', approval: 'PENDING' })
  await engine.drain()
  expect(await engine.set(id)).toMatchObject({ status: 'PUBLISHED', results: [{ status: 'POSTED' }] })
})

test('of many due sets each is either sent back or published, never both', async () => {
  const sets = await Promise.all(Array.from({ length: 60 }, () => newSet({ at: '2020-01-01T00:00:00Z' })))
  const calls = network.calls.length
  const reviews = sets.map((id) => requestChanges(engine, id, actor))
  const [reviewed] = await Promise.all([Promise.allSettled(reviews), engine.drain()])
  await engine.drain()
  const ends = await Promise.all(sets.map(async (id) => ({ ...(await read(id)), ...(await engine.set(id)) })))
  for (const [index, { status, approval, results }] of ends.entries()) {
    const sentBack = reviewed[index]?.status === 'fulfilled'
    expect({ status, approval }).toEqual(
      sentBack ? { status: 'DRAFT', approval: 'DENIED' } : { status: 'PUBLISHED', approval: 'PENDING' },
    )
    expect(results).toMatchObject(sentBack ? [null] : [{ status: 'POSTED' }])
  }
  const published = reviewed.filter(({ status }) => status === 'rejected').length
  expect(network.calls.slice(calls).filter((call) => call === 'publish')).toHaveLength(published)
})
