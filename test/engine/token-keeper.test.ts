import { afterEach, expect, test } from 'vitest'
import type { Network, RefreshOutcome } from '#networks'
import type { Database } from '#persistence'
import { shutDatabase } from '../_util/database/database.ts'
import { addIdentity, createEngine, type Engine, type EngineOptions } from '../_util/engine/engine.ts'
import { type Script, scriptedNetwork } from '../_util/engine/scripted-network.ts'

/** Tokens that would lapse although nothing is published. */

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const idle = { renewed: 0, dead: 0, failed: 0 }

const engines: Engine[] = []
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close()
})

async function startWith(networks: Network[], more: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await createEngine({ networks, ...more })
  engines.push(engine)
  return engine
}

async function start(script: Script) {
  const network = scriptedNetwork(script)
  return { network, engine: await startWith([network]) }
}

const refreshed: RefreshOutcome = { kind: 'refreshed', credentials: { token: 'two' }, expiresAt: null }
const later: RefreshOutcome = { kind: 'failed', message: 'Later.' }
const connection = (engine: Engine) => engine.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow()
const tokenOf = async (db: Database, id: string) => {
  const { secret } = await db
    .selectFrom('network_identities')
    .select('secret')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return JSON.parse(String(secret)).token
}

test('tokens are renewed when their time has come, once, also by several processes', async () => {
  const { engine, network } = await start({ refresh: [() => refreshed], renewEveryMs: 30 * DAY })
  expect(await engine.renew()).toEqual(idle)
  await engine.advance(31 * DAY)
  const all = await Promise.all([engine.renew(), engine.renew(), engine.renew()])
  expect(Math.max(...all.map(({ renewed }) => renewed))).toBe(1)
  expect(network.calls).toEqual(['refresh'])
  expect(await tokenOf(engine.db, engine.identityId)).toBe('two')
  expect(await engine.renew()).toEqual(idle)
  await engine.advance(31 * DAY)
  expect(await engine.renew()).toEqual({ ...idle, renewed: 1 })
})

test('a dead token marks the connection, a passing fault nothing', async () => {
  const { engine, network } = await start({
    refresh: [() => later, () => ({ kind: 'dead', message: 'Withdrawn.' })],
    renewEveryMs: DAY,
  })
  await engine.advance(2 * DAY)
  expect(await engine.renew()).toEqual({ ...idle, failed: 1 })
  expect(await connection(engine)).toMatchObject({ status: 'CONNECTED', status_reason: null })
  await engine.advance(15 * MINUTE)
  expect(await engine.renew()).toEqual({ ...idle, dead: 1 })
  expect(await connection(engine)).toMatchObject({ status: 'RECONNECT_REQUIRED', status_reason: 'Withdrawn.' })
  expect(await engine.renew()).toEqual(idle)
  expect(network.calls).toEqual(['refresh', 'refresh'])
})

test('credentials that cannot be refreshed are left as they are, without a word', async () => {
  const { engine, network } = await start({
    refresh: [() => refreshed],
    renewEveryMs: DAY,
    canRefresh: ({ token }) => token !== 'one',
  })
  await engine.advance(2 * DAY)
  expect(await engine.renew()).toEqual(idle)
  expect(network.calls).toEqual([])
  expect(await tokenOf(engine.db, engine.identityId)).toBe('one')
  expect(await connection(engine)).toMatchObject({ status: 'CONNECTED', status_reason: null })
})

test('a token is stored although the process is to stop while the network answers', async () => {
  const stopping = new AbortController()
  const { engine, network } = await start({
    refresh: [
      async ({ signal }) => {
        stopping.abort()
        return signal.aborted ? { kind: 'failed', message: 'Broken off.' } : refreshed
      },
    ],
    renewEveryMs: DAY,
  })
  await engine.advance(2 * DAY)
  expect(await engine.renew(stopping.signal)).toEqual({ ...idle, renewed: 1 })
  expect(await tokenOf(engine.db, engine.identityId)).toBe('two')
  expect(network.calls).toEqual(['refresh'])
})

test('a stop does not wait for a database that stays away for longer than the process may take', async () => {
  const asked = Promise.withResolvers<void>()
  let reopen = async () => {}
  const network = scriptedNetwork({
    refresh: [
      async () => {
        reopen = await shutDatabase(engine.databaseUrl)
        asked.resolve()
        return refreshed
      },
    ],
    renewEveryMs: DAY,
  })
  const settings = { renewTickMs: 50 }
  const engine = await startWith([network], { settings, tokens: { refreshTimes: { callMs: 500 } } })
  await engine.advance(2 * DAY)
  engine.start()
  try {
    await asked.promise
    const begun = performance.now()
    await engine.stop({ graceMs: 100 })
    // The time of a call and a second: the call may have begun just before.
    expect(performance.now() - begun).toBeLessThan(5_000)
  } finally {
    await reopen()
  }
})

test('a process that is to stop asks for nothing besides the token', async () => {
  const asked = Promise.withResolvers<Promise<void>>()
  const network = scriptedNetwork({
    refresh: [
      () => {
        asked.resolve(engine.stop({ graceMs: 1_000 }))
        return refreshed
      },
    ],
    facts: async () => {
      throw new Error('It is asked for no facts.')
    },
    renewEveryMs: DAY,
  })
  const engine = await startWith([network], { settings: { renewTickMs: 50 } })
  await engine.advance(2 * DAY)
  engine.start()
  await asked.promise
  expect(await tokenOf(engine.db, engine.identityId)).toBe('two')
  expect(engine.logged.filter(({ level }) => level !== 'info')).toEqual([])
})

test('tokens are left alone where they do not lapse, and where the connection is closed', async () => {
  const { engine } = await start({ refresh: [() => refreshed] })
  await engine.advance(400 * DAY)
  expect(await engine.renew()).toEqual(idle)
  const other = await start({ refresh: [() => refreshed], renewEveryMs: DAY })
  await other.engine.db.updateTable('connections').set({ closed_at: new Date() }).execute()
  await other.engine.advance(400 * DAY)
  expect(await other.engine.renew()).toEqual(idle)
})

test('what fails is tried again with growing pauses, half a day at most, and begins afresh once it was renewed', async () => {
  let answer: RefreshOutcome = later
  const { engine, network } = await start({ refresh: [() => answer], renewEveryMs: 30 * DAY })
  await engine.renew()
  await engine.advance(30 * DAY)
  for (const minutes of [15, 30, 60, 120, 240, 480, 720, 720]) {
    network.calls.length = 0
    expect(await engine.renew()).toEqual({ ...idle, failed: 1 })
    expect(await engine.renew()).toEqual(idle)
    await engine.advance(minutes * MINUTE - 2 * MINUTE)
    expect(await engine.renew()).toEqual(idle)
    expect(network.calls).toEqual(['refresh'])
    await engine.advance(2 * MINUTE)
  }
  answer = refreshed
  expect(await engine.renew()).toEqual({ ...idle, renewed: 1 })
  answer = later
  await engine.advance(29 * DAY)
  expect(await engine.renew()).toEqual(idle)
  await engine.advance(DAY)
  expect(await engine.renew()).toEqual({ ...idle, failed: 1 })
  await engine.advance(15 * MINUTE)
  expect(await engine.renew()).toEqual({ ...idle, failed: 1 })
})

test('a token that was renewed for a post is renewed that much later', async () => {
  const { engine, network } = await start({
    prepare: [{ kind: 'reconnect', mayRefresh: true, message: 'Expired.' }, { kind: 'ready' }],
    refresh: [() => refreshed],
    renewEveryMs: 30 * DAY,
  })
  await engine.renew()
  await engine.advance(20 * DAY)
  await engine.schedule({ at: new Date(Date.now() + 20 * DAY).toISOString() })
  await engine.drain()
  expect(network.calls).toContain('refresh')
  await engine.advance(20 * DAY)
  expect(await engine.renew()).toEqual(idle)
  await engine.advance(10 * DAY)
  expect(await engine.renew()).toEqual({ ...idle, renewed: 1 })
})

test('identities that throw stop nothing, and each is in the log', async () => {
  const network = scriptedNetwork({
    refresh: [
      (_, { credentials }) => {
        if (credentials.token === 'thrown at') throw new Error('A fault of ours.')
        return refreshed
      },
    ],
    renewEveryMs: DAY,
  })
  const engine = await startWith([network])
  await engine.db
    .updateTable('network_identities')
    .set({ secret: Buffer.from('no JSON') })
    .execute()
  await addIdentity(engine.db, network, 'thrown at')
  const well = [await addIdentity(engine.db, network, 'one'), await addIdentity(engine.db, network, 'one')]
  await engine.advance(2 * DAY)
  expect(await engine.renew()).toEqual({ renewed: 2, dead: 0, failed: 2 })
  for (const id of well) expect(await tokenOf(engine.db, id)).toBe('two')
  const reported = engine.logged.filter(({ message }) => message === 'The token of an identity could not be renewed')
  expect(reported.map(({ error }) => String(error)).sort()).toEqual([
    expect.stringMatching(/^Error: A fault of ours/),
    expect.stringMatching(/^SyntaxError/),
  ])
})

test('two hundred that fail do not hide the one behind them', async () => {
  const network = scriptedNetwork({
    refresh: [(_, { credentials }) => (credentials.token === 'well' ? refreshed : later)],
    renewEveryMs: DAY,
  })
  const engine = await startWith([network])
  for (let count = 1; count < 200; count++) await addIdentity(engine.db, network, 'one')
  const well = await addIdentity(engine.db, network, 'well')
  await engine.advance(2 * DAY)
  expect(await engine.renew()).toEqual({ renewed: 1, dead: 0, failed: 200 })
  expect(await tokenOf(engine.db, well)).toBe('two')
})

test('a stop leaves what is not begun to the next look', async () => {
  const stopping = new AbortController()
  const network = scriptedNetwork({
    refresh: [
      () => {
        stopping.abort()
        return refreshed
      },
    ],
    renewEveryMs: DAY,
  })
  const engine = await startWith([network])
  for (let count = 1; count < 12; count++) await addIdentity(engine.db, network, 'one')
  await engine.advance(2 * DAY)
  expect(await engine.renew(stopping.signal)).toEqual({ ...idle, renewed: 10 })
  expect(await engine.renew()).toEqual({ ...idle, renewed: 2 })
})

test('a network that hangs keeps no other one waiting', async () => {
  const gate = Promise.withResolvers<RefreshOutcome>()
  const hanging = scriptedNetwork({
    name: 'a',
    accountType: 'TWITTER',
    refresh: [() => gate.promise],
    renewEveryMs: DAY,
  })
  const well = scriptedNetwork({ name: 'b', refresh: [() => refreshed], renewEveryMs: DAY })
  const engine = await startWith([hanging, well])
  const { id } = await engine.db
    .selectFrom('network_identities')
    .select('id')
    .where('network', '=', 'b')
    .executeTakeFirstOrThrow()
  await engine.advance(2 * DAY)
  const end = engine.renew()
  await expect.poll(() => tokenOf(engine.db, id)).toBe('two')
  gate.resolve(later)
  expect(await end).toEqual({ renewed: 1, dead: 0, failed: 1 })
})
