import { describe, expect, test } from 'vitest'
import type { Attempt } from '#networks'
import { closeConnection } from '#operations'
import type { Engine } from '../_util/engine/engine.ts'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'
import { published, type Script } from '../_util/engine/scripted-network.ts'

/** What is unsure is looked up: looks that the network answers count, others are made again. */

const startEngine = scriptedEngines()
async function start(script: Script) {
  const started = await startEngine(script)
  return { ...started, set: await started.engine.schedule() }
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const unknown = { kind: 'unknown', message: 'No answer.' } as const
const found = { ...published, kind: 'found' } as const
const cannotTell = { kind: 'cannot-tell', message: 'No list.' } as const
const unanswered = { ...cannotTell, unanswered: true } as const
const refreshed = { kind: 'refreshed', credentials: { token: 'two' }, expiresAt: null } as const
const times = (calls: string[], call: string) => calls.filter((each) => each === call).length

async function passes(engine: Engine, ...pausesMs: number[]): Promise<void> {
  for (const ms of pausesMs) {
    await engine.advance(ms)
    await engine.drain()
  }
}

/** The call is made, and a read behind it is refused in words that a refresh may help. */
const refusedReading = async ({ http, signal }: Attempt) => {
  await http({ method: 'POST', url: 'http://127.0.0.1:1/', signal })
  await http({ method: 'GET', url: 'http://127.0.0.1:1/', signal })
  return { kind: 'reconnect', mayRefresh: true, message: 'The token has expired.' } as const
}

test('a read that is refused behind the visible call leads to a look, never to a refresh and a second call', async () => {
  const { engine, network, set } = await start({
    publish: [refusedReading, published],
    find: [found],
    refresh: [() => refreshed],
  })
  await engine.drain()
  expect(network.calls).toEqual(['prepare', 'publish'])
  expect(await engine.delivery(set)).toMatchObject({ state: 'LOOKING_UP' })
  await passes(engine, MINUTE)
  expect(network.calls).toEqual(['prepare', 'publish', 'find'])
  expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
})

test('a call that hung may have worked at its end: silence is proof only a listing delay after that', async () => {
  const { engine, network, set } = await start({
    listingDelayMs: 20_000,
    publish: [
      async () => {
        await engine.advance(30_000)
        return unknown
      },
      published,
    ],
    find: [{ kind: 'absent' }, found],
  })
  await engine.drain()
  await passes(engine, 1_000, 20_000, MINUTE)
  expect(network.calls).toEqual(['prepare', 'publish', 'find', 'find'])
  expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
})

test('the same of a first comment', async () => {
  const { engine, network, set } = await start({
    comment: [refusedReading, published],
    findComment: [found],
    refresh: [() => refreshed],
  })
  await engine.drain()
  await passes(engine, MINUTE)
  expect(network.calls).toEqual(['prepare', 'publish', 'comment', 'findComment'])
  const [result] = (await engine.set(set)).results
  expect(result).toMatchObject({ status: 'POSTED' })
  expect(result).not.toHaveProperty('warnings')
})

test('publish-05: looks without an answer do not count, and are made again with the pauses of retries', async () => {
  const { engine, network, set } = await start({
    publish: [unknown],
    find: [...Array.from({ length: 12 }, () => unanswered), found],
  })
  await engine.drain()
  await passes(engine, 1_000)
  expect(await engine.delivery(set)).toMatchObject({ lookups: 0, missed_looks: 1 })
  await passes(engine, 5_000, 20_000, 80_000)
  expect(times(network.calls, 'find')).toBe(4)
  await passes(engine, 5 * MINUTE, ...Array.from({ length: 8 }, () => 15 * MINUTE))
  expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
  expect(times(network.calls, 'publish')).toBe(1)
})

test('one that is answered again goes on with the schedule', async () => {
  const { engine, set } = await start({ publish: [unknown], find: [cannotTell, unanswered, cannotTell, found] })
  await engine.drain()
  await passes(engine, 1_000, 4_000, 5_000)
  expect(await engine.delivery(set)).toMatchObject({ lookups: 2, missed_looks: 0 })
  await passes(engine, 10_000)
  expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
})

test.each([
  ['a night', 9 * HOUR],
  ['longer than there are attempts', 30 * HOUR],
])('%s without Almanac costs no look: missed ones are made up for by one', async (_, offMs) => {
  const { engine, network, set } = await start({
    publish: [unknown],
    find: [cannotTell, cannotTell, cannotTell, found],
  })
  await engine.drain()
  await passes(engine, offMs)
  expect(times(network.calls, 'find')).toBe(1)
  await passes(engine, 4_000, 10_000, 15_000)
  expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
})

test('a network that does not answer until the post is given up ends it as perhaps live', async () => {
  const { engine, network, set } = await start({ publish: [unknown], find: [unanswered] })
  await engine.drain()
  // Nothing is missed: a look is due each quarter of an hour.
  await passes(engine, 1_000, 5_000, 20_000, 80_000, 5 * MINUTE, ...Array.from({ length: 97 }, () => 15 * MINUTE))
  expect((await engine.set(set)).results).toMatchObject([
    { status: 'FAILED', message: expect.stringContaining('may be live') },
  ])
  expect(times(network.calls, 'publish')).toBe(1)
})

test('what a look knows to be in work is confirmed in seconds', async () => {
  const { engine, network, set } = await start({
    publish: [unknown],
    find: [(attempt) => ({ kind: 'accepted', askAgainAt: new Date(attempt.now().getTime() + 5_000) })],
    confirm: [published],
  })
  await engine.drain()
  await passes(engine, 1_000)
  expect(await engine.delivery(set)).toMatchObject({ state: 'CONFIRMING' })
  await passes(engine, 5_000)
  expect(network.calls).toEqual(['prepare', 'publish', 'find', 'confirm'])
  expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
})

describe('a connection that is closed while a post is unsure', () => {
  const close = async (engine: Engine) => {
    const { id } = await engine.db.selectFrom('connections').select('id').executeTakeFirstOrThrow()
    await closeConnection(engine, id)
  }

  test('gets one last look with its token, which may find the post', async () => {
    const { engine, network, set } = await start({ publish: [unknown], find: [found] })
    await engine.drain()
    await close(engine)
    await passes(engine, MINUTE)
    expect(network.calls).toEqual(['prepare', 'publish', 'find'])
    expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
  })

  test('or not', async () => {
    const { engine, network, set } = await start({ publish: [unknown], find: [cannotTell] })
    await engine.drain()
    await close(engine)
    await passes(engine, MINUTE)
    expect(times(network.calls, 'find')).toBe(1)
    expect((await engine.set(set)).results).toMatchObject([
      { status: 'FAILED', message: expect.stringContaining('may be live') },
    ])
  })

  test('sends nothing again when the post is not there', async () => {
    const { engine, network, set } = await start({ publish: [unknown, published], find: [{ kind: 'absent' }] })
    await engine.drain()
    await close(engine)
    await passes(engine, MINUTE, MINUTE)
    expect(times(network.calls, 'publish')).toBe(1)
    expect((await engine.set(set)).results).toMatchObject([{ status: 'FAILED', reason: 'ACCOUNT_CONNECTION_EXPIRED' }])
  })
})
