import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { failUsedUpImports, insertMediaUpload, readFigures, readOldest } from '#persistence'
import type { PublishingEvent } from '#publishing'
import { createEngine, type Engine, type EngineOptions } from '../_util/engine/engine.ts'
import { hold } from '../_util/engine/holds.ts'
import { published, type Script, scriptedNetwork } from '../_util/engine/scripted-network.ts'

/** What the publisher reports of what it does, and what is read of what is open. */

const HOUR_MS = 3_600_000

const engines: Engine[] = []
afterEach(async () => {
  for (const engine of engines.splice(0).reverse()) await engine.close()
})

async function start(script: Script = {}, options: Omit<EngineOptions, 'networks'> = {}) {
  const events: PublishingEvent[] = []
  const network = scriptedNetwork(script)
  const engine = await createEngine({ networks: [network], observe: (event) => void events.push(event), ...options })
  engines.push(engine)
  return { engine, network, events }
}

const bluesky = { network: 'bluesky' }
const claimed = { kind: 'claimed', sets: 1 }
const fenced = { kind: 'fenced', ...bluesky, latenessMs: expect.any(Number) }
const ended = (outcome: string, reason: string | null = null) => ({ kind: 'ended', ...bluesky, outcome, reason })
const retry = { kind: 'retry', notBefore: null, from: 'publish', countsAsAttempt: true, message: 'Not now.' } as const
const unknown = { kind: 'unknown', message: 'No answer.' } as const
const reconnect = { kind: 'reconnect', mayRefresh: true, message: 'Expired.' } as const

describe('the publisher reports', () => {
  test('a post that goes out, and how late its first visible call was', async () => {
    const { engine, events } = await start({ publish: [retry, published] })
    await engine.schedule()
    await engine.advance(1_500)
    await engine.drain()
    expect(events).toEqual([claimed, fenced, { kind: 'retried', ...bluesky }])
    await engine.advance(60_000)
    await engine.drain()
    // The second fence is no measure of lateness.
    expect(events.slice(3)).toEqual([ended('posted')])
    const [, first] = events
    const { due_at: dueAt, fenced_at: fencedAt } = await engine.db
      .selectFrom('deliveries')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(first?.kind === 'fenced' && first.latenessMs).toBeGreaterThanOrEqual(1_500)
    expect(first?.kind === 'fenced' && first.latenessMs).toBeLessThanOrEqual(Number(fencedAt) - Number(dueAt) - 50_000)
  })

  test('waiting because the network asks for it as no retry', async () => {
    const { engine, events } = await start({ publish: [{ ...retry, countsAsAttempt: false }, published] })
    await engine.schedule()
    await engine.drain()
    expect(events).toEqual([claimed, fenced])
  })

  test('what the network refuses, by its reason', async () => {
    const { engine, events } = await start({
      publish: [{ kind: 'refused', reason: 'ACCOUNT_SUSPENDED', message: 'Suspended.' }],
    })
    await engine.schedule()
    await engine.drain()
    expect(events).toEqual([claimed, fenced, ended('failed', 'ACCOUNT_SUSPENDED')])
  })

  test('an unknown outcome once, however often it is looked up, and what no network confirms as perhaps live', async () => {
    const { engine, events } = await start({
      publish: [unknown],
      find: [{ kind: 'cannot-tell', message: 'No list.' }],
    })
    await engine.schedule()
    await engine.drain()
    for (let hours = 0; hours < 40 && events.at(-1)?.kind !== 'ended'; hours += 1) {
      await engine.advance(HOUR_MS)
      await engine.drain()
    }
    expect(events).toEqual([claimed, fenced, { kind: 'unknown', ...bluesky }, ended('may-be-live', 'UNKNOWN')])
  })

  test('a takeover, and no other taking', async () => {
    const stuck = Promise.withResolvers<never>()
    const { engine, network } = await start({ prepare: [() => stuck.promise, { kind: 'ready' }] })
    const events: PublishingEvent[] = []
    const other = await createEngine({ networks: [network], on: engine, observe: (event) => void events.push(event) })
    engines.push(other)
    await engine.schedule()
    await engine.look()
    const [work] = await engine.take()
    // Else the other one would be the first that prepares, and stand still.
    await expect.poll(() => network.calls).toContain('prepare')
    await other.advance(HOUR_MS)
    await other.drain()
    expect(events).toEqual([{ kind: 'taken-over', ...bluesky }, fenced, ended('posted')])
    stuck.reject(new Error('The worker goes on.'))
    await work
  })

  test('sets that are too late to be sent', async () => {
    const { engine, events } = await start()
    await engine.schedule()
    await engine.advance(7 * HOUR_MS)
    await engine.drain()
    expect(events).toEqual([claimed, ended('failed', 'UNKNOWN')])
  })

  test.each([
    [
      'refreshed',
      async () => ({ kind: 'refreshed', credentials: { token: 'two' }, expiresAt: null }) as const,
      ended('posted'),
    ],
    [
      'dead',
      async () => ({ kind: 'dead', message: 'Revoked.' }) as const,
      ended('failed', 'ACCOUNT_CONNECTION_EXPIRED'),
    ],
    ['failed', async () => ({ kind: 'failed', message: 'Busy.' }) as const, { kind: 'retried', ...bluesky }],
    // An error of ours behind the fence: it is looked up, no matter what the network said.
    ['failed', () => Promise.reject(new Error('Broken.')), { kind: 'unknown', ...bluesky }],
  ])('a token that is %s', async (outcome, refresh, last) => {
    const { engine, events } = await start({ publish: [reconnect, published], refresh: [refresh] })
    await engine.schedule()
    await engine.drain()
    expect(events).toEqual([claimed, fenced, { kind: 'refreshed', network: 'scripted', outcome }, last])
  })

  test('to an observer whose errors change nothing', async () => {
    const observe = () => {
      throw new Error('No such label.')
    }
    const { engine, network } = await start({}, { observe })
    const set = await engine.schedule()
    await engine.drain()
    expect(await engine.set(set)).toMatchObject({ status: 'PUBLISHED', results: [{ status: 'POSTED' }] })
    expect(network.calls).toEqual(['prepare', 'publish'])
    expect(engine.logged.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual(
      Array(3).fill('An observer of the publisher has failed'),
    )
  })
})

describe('of what is open', () => {
  const nothing = {
    due: { count: 0, oldestSeconds: 0 },
    deliveries: [],
    oldestPublishingSeconds: 0,
    pastLease: { count: 0, oldestSeconds: 0 },
    imports: [],
    lastBackupAt: null,
  }

  test('nothing is counted where nothing is open', async () => {
    const { engine } = await start()
    await engine.schedule()
    await engine.drain()
    await engine.schedule({ at: '2090-01-01T00:00:00Z' })
    expect(await readFigures(engine.db)).toEqual(nothing)
    expect(await readOldest(engine.db)).toEqual({ dueAt: null, pastLeaseAt: null })
  })

  test('due sets are counted, with the age of the oldest, and held ones are not', async () => {
    const { engine } = await start()
    const other = await engine.newAccount()
    await engine.pileUp({ count: 3, secondsAgo: 100 })
    await engine.pileUp({ count: 2, secondsAgo: 500, socialSetId: other.socialSetId })
    await hold(engine, other.socialSetId)
    const { due } = await readFigures(engine.db)
    expect(due.count).toBe(3)
    expect(Math.floor(due.oldestSeconds / 10)).toBe(10)
    const { dueAt } = await readOldest(engine.db)
    const { rows } = await sql<{ oldest: Date }>`
      select min(scheduled_at) as oldest from post_sets where social_set_id = ${engine.socialSetId}`.execute(engine.db)
    expect(dueAt).toEqual(rows[0]?.oldest)
  })

  test('open deliveries are counted by state and place, and the oldest set that is PUBLISHING by its time', async () => {
    const { engine } = await start({}, { settings: { perConnection: 2 } })
    await engine.pileUp({ count: 5, secondsAgo: 30 })
    await engine.look()
    const { deliveries, oldestPublishingSeconds } = await readFigures(engine.db)
    const one = { lane: 'bluesky', state: 'PREPARING' }
    expect(deliveries.toSorted((a, b) => a.count - b.count)).toEqual([
      { ...one, place: 'HEAD', count: 2 },
      { ...one, place: 'WAITING', count: 3 },
    ])
    expect(oldestPublishingSeconds).toBeGreaterThanOrEqual(34)
  })

  test('a delivery past its lease is one that can be taken over: not before its end, and not while it is held', async () => {
    const stuck = Promise.withResolvers<never>()
    const begun = Promise.withResolvers<void>()
    const prepare = () => {
      begun.resolve()
      return stuck.promise
    }
    const { engine } = await start({ prepare: [prepare] })
    const set = await engine.schedule()
    await engine.look()
    const [work] = await engine.take()
    await begun.promise
    expect((await readFigures(engine.db)).pastLease).toEqual(nothing.pastLease)
    const { lease_until: until } = await engine.delivery(set)
    await engine.advance(100_000)
    const { pastLease } = await readFigures(engine.db)
    expect(pastLease).toEqual({ count: 1, oldestSeconds: expect.closeTo(60, -1) })
    expect((await readOldest(engine.db)).pastLeaseAt).toEqual(until)
    await hold(engine)
    expect((await readFigures(engine.db)).pastLease).toEqual(nothing.pastLease)
    expect((await readOldest(engine.db)).pastLeaseAt).toBeNull()
    stuck.reject(new Error('The worker goes on.'))
    await work
  })

  test('imports that have not ended are counted by state', async () => {
    const { engine } = await start()
    const { account_id: accountId } = await engine.db
      .selectFrom('accounts')
      .select('id as account_id')
      .executeTakeFirstOrThrow()
    const { socialSetId } = engine
    const url = 'https://example.com/bread.jpg'
    const by = { id: null, name: 'Anna' }
    for (let count = 0; count < 3; count += 1) {
      await insertMediaUpload(engine.db, { id: newId(), accountId, socialSetId, url, name: null, altText: null, by })
    }
    expect((await readFigures(engine.db)).imports).toEqual([{ status: 'PENDING', count: 3 }])
    const error = { code: 'media-upload:interrupted', message: 'Interrupted.' } as const
    await failUsedUpImports(engine.db, { maxAttempts: 0, error })
    expect((await readFigures(engine.db)).imports).toEqual([])
  })
})
