import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { createSecretBox } from '#domain'
import type { Network, RefreshOutcome } from '#networks'
import { checkSecretKey, createCredentialBox } from '#operations'
import { type Database, replaceIdentity, requireReconnect, reviveConnections } from '#persistence'
import type { CredentialBox } from '#publishing'
import { shutDatabase } from '../_util/database/database.ts'
import { createEngine, type Engine, type EngineOptions } from '../_util/engine/engine.ts'
import { type Script, scriptedNetwork } from '../_util/engine/scripted-network.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

/** What can happen while the network is asked for a new token, which takes seconds. */

const engines: Engine[] = []
afterEach(async () => {
  for (const engine of engines.splice(0).reverse()) await engine.close()
})

async function start(networks: Network[], more: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await createEngine({ networks, ...more })
  engines.push(engine)
  return engine
}

/** Holds those who pass until it is opened. */
function createGate() {
  const gate = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  return {
    reached: reached.promise,
    open: gate.resolve,
    async pass() {
      reached.resolve()
      await gate.promise
    },
  }
}

const refreshed: RefreshOutcome = { kind: 'refreshed', credentials: { token: 'two' }, expiresAt: null }
/** A network that takes `two` alone. */
const takesTwo = (script: Script) =>
  scriptedNetwork({
    prepare: [
      ({ credentials }) =>
        credentials.token === 'two'
          ? { kind: 'ready' }
          : { kind: 'reconnect', mayRefresh: true, message: `${credentials.token} has expired.` },
    ],
    ...script,
  })
const row = (db: Database) => db.selectFrom('network_identities').selectAll().executeTakeFirstOrThrow()
const tokenOf = async (db: Database) => JSON.parse(String((await row(db)).secret)).token
const connection = (db: Database) => db.selectFrom('connections').selectAll().executeTakeFirstOrThrow()

/** Another sign-in on the same account, as connecting makes it. */
async function connectAgain(db: Database, token: string): Promise<void> {
  const { id, account_id: accountId, network, external_id: externalId, sandbox } = await row(db)
  const secret = Buffer.from(JSON.stringify({ token }))
  const face = { name: 'Me', username: null, profileUrl: null, avatarUrl: null, statusReason: null }
  await db.transaction().execute(async (trx) => {
    const place = { id, accountId, network, externalId, sandbox, endpoints: {} }
    await replaceIdentity(trx, { ...place, secret, secretKeyId: 'test', expiresAt: null })
    await reviveConnections(trx, id, face)
  })
}

/** Begins to work on what is due. */
async function begin(engine: Engine): Promise<Promise<void>[]> {
  await engine.look()
  return engine.take()
}

test('token endpoints that hang hold no connection, and no post of another network waits', async () => {
  const accountTypes = ['FACEBOOK', 'THREADS', 'TWITTER'] as const
  const gates = accountTypes.map((accountType) => ({ accountType, ...createGate() }))
  const hanging = gates.map((gate) =>
    takesTwo({
      name: gate.accountType,
      accountType: gate.accountType,
      refresh: [
        async () => {
          await gate.pass()
          return refreshed
        },
      ],
    }),
  )
  const engine = await start([...hanging, scriptedNetwork({ name: 'well', accountType: 'BLUESKY' })])
  const stuck = await Promise.all(Array.from({ length: 5 }, () => engine.schedule({ accountTypes: [...accountTypes] })))
  const ends = await begin(engine)
  await Promise.all(gates.map(({ reached }) => reached))
  const well = await engine.schedule()
  await Promise.all(await begin(engine))
  expect((await engine.set(well)).results[0]).toMatchObject({ status: 'POSTED' })
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(engine.db)
  expect(rows).toEqual([])
  for (const gate of gates) gate.open()
  await Promise.all(ends)
  for (const set of stuck) expect((await engine.set(set)).status).toBe('PUBLISHED')
  for (const network of hanging) expect(network.calls.filter((call) => call === 'refresh')).toHaveLength(1)
})

test('a process that comes second uses what the first has stored', async () => {
  const gate = createGate()
  const network = takesTwo({
    refresh: [
      async () => {
        await gate.pass()
        return refreshed
      },
    ],
  })
  const one = await start([network])
  const two = await start([network], { on: one })
  const sets = [await one.schedule()]
  const ends = await begin(one)
  await gate.reached
  sets.push(await two.schedule())
  ends.push(...(await begin(two)))
  await expect.poll(() => network.calls.filter((call) => call === 'prepare').length).toBe(2)
  gate.open()
  await Promise.all(ends)
  for (const set of sets) expect((await one.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
  expect(network.calls.filter((call) => call === 'refresh')).toHaveLength(1)
  expect(await row(one.db)).toMatchObject({ refresh_owner: null, refresh_until: null })
})

describe('a database', () => {
  test('connection that is lost while the network answers does not lose the token', async () => {
    const network = takesTwo({
      refresh: [
        async () => {
          await sql`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`.execute(engine.db)
          return refreshed
        },
      ],
    })
    const engine = await start([network])
    const set = await engine.schedule()
    await engine.drain()
    expect(await tokenOf(engine.db)).toBe('two')
    expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
    expect(network.calls).toEqual(['prepare', 'refresh', 'prepare', 'publish'])
  })

  test('that is away when the network answers gets the token when it is back', async () => {
    let reopen = async () => {}
    const network = takesTwo({
      refresh: [
        async () => {
          reopen = await shutDatabase(engine.databaseUrl)
          return refreshed
        },
      ],
    })
    const engine = await start([network])
    const set = await engine.schedule()
    const end = engine.drain()
    const warned = () => engine.logged.some(({ message }) => message === 'A renewed token could not be stored yet')
    await expect.poll(warned, { timeout: 10_000 }).toBe(true)
    await reopen()
    await end
    expect(await tokenOf(engine.db)).toBe('two')
    expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
    expect(network.calls).toEqual(['prepare', 'refresh', 'prepare', 'publish'])
  })

  test('that stays away fails the refresh in the words of the database, and the next one says what was lost', async () => {
    let reopen = async () => {}
    const network = takesTwo({
      refresh: [
        async () => {
          reopen = await shutDatabase(engine.databaseUrl)
          return refreshed
        },
        () => ({ kind: 'dead', message: 'The sign-in is over.' }),
      ],
    })
    const engine = await start([network], { tokens: { refreshTimes: { storeMs: 200 } } })
    const set = await engine.schedule()
    await Promise.allSettled(await begin(engine))
    await reopen()
    await engine.advance(180_000)
    await engine.drain()
    const message = 'The sign-in is over. An earlier renewal was interrupted before it was stored.'
    expect(await connection(engine.db)).toMatchObject({ status: 'RECONNECT_REQUIRED', status_reason: message })
    expect((await engine.set(set)).results[0]).toMatchObject({ reason: 'ACCOUNT_CONNECTION_EXPIRED', message })
  })
})

test('an answer that was lost is mentioned when the sign-in is over, also after passing faults', async () => {
  const network = takesTwo({
    refresh: [
      () => refreshed,
      () => ({ kind: 'failed', message: 'Later.' }),
      () => ({ kind: 'dead', message: 'It is over.' }),
    ],
  })
  const credentials: CredentialBox = {
    open: (_, { secret }) => JSON.parse(secret.toString()),
    seal() {
      throw new Error('A fault of ours.')
    },
  }
  const engine = await start([network], { tokens: { credentials, refreshTimes: { storeMs: 0 } } })
  const set = await engine.schedule()
  for (let turn = 0; turn < 3; turn++) {
    await engine.drain()
    await engine.advance(60_000)
  }
  expect((await engine.set(set)).results[0]).toMatchObject({
    reason: 'ACCOUNT_CONNECTION_EXPIRED',
    message: 'It is over. An earlier renewal was interrupted before it was stored.',
  })
})

test('a refresh that was killed lets others wait for the end of its lease, which counts as no attempt', async () => {
  const network = takesTwo({ refresh: [() => refreshed] })
  const engine = await start([network], { tokens: { refreshTimes: { waitMs: 20 } } })
  await engine.db
    .updateTable('network_identities')
    .set({
      refresh_owner: '00000000-0000-7000-8000-000000000000',
      refresh_until: sql<Date>`almanac_now() + interval '90 s'`,
    })
    .execute()
  const set = await engine.schedule()
  for (let turn = 0; turn < 3; turn++) {
    await engine.drain()
    expect(await engine.delivery(set)).toMatchObject({
      state: 'PREPARING',
      attempts: 0,
      last_message: expect.stringContaining('is being renewed'),
    })
    await engine.advance(10_000)
  }
  expect(network.calls).not.toContain('refresh')
  await engine.advance(60_000)
  await engine.drain()
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
  expect(network.calls.filter((call) => call === 'refresh')).toHaveLength(1)
})

test('of a process that is to stop, a refresh under way ends and no other is begun', async () => {
  const answering = createGate()
  let calls = 0
  const network = takesTwo({
    refresh: [
      async () => {
        calls += 1
        await answering.pass()
        return { kind: 'failed', message: 'Busy.' }
      },
    ],
  })
  const engine = await start([network])
  await engine.schedule()
  await engine.schedule()
  const work = await begin(engine)
  await answering.reached
  const stopped = engine.stop({ graceMs: 20_000 })
  answering.open()
  await Promise.all([stopped, ...work])
  expect(calls).toBe(1)
  const deliveries = await engine.db.selectFrom('deliveries').select(['attempts', 'lease_owner']).execute()
  expect(deliveries.map(({ lease_owner: owner }) => owner)).toEqual([null, null])
  expect(deliveries.map(({ attempts }) => attempts).sort()).toEqual([0, 1])
})

test('an answer that comes after another process has taken over replaces nothing', async () => {
  const gate = createGate()
  const seen: unknown[] = []
  const network = takesTwo({
    prepare: [
      ({ credentials }) => {
        seen.push(credentials.token)
        return credentials.token === 'one'
          ? { kind: 'reconnect', mayRefresh: true, message: 'Expired.' }
          : { kind: 'ready' }
      },
    ],
    refresh: [
      async () => {
        await gate.pass()
        return { ...refreshed, credentials: { token: 'late' } }
      },
      () => refreshed,
    ],
  })
  const paused = await start([network])
  const other = await start([network], { on: paused })
  await paused.schedule()
  const ends = await begin(paused)
  await gate.reached
  await paused.advance(120_000)
  await Promise.all(await begin(other))
  expect(await tokenOf(paused.db)).toBe('two')
  gate.open()
  await Promise.all(ends)
  expect(await tokenOf(paused.db)).toBe('two')
  expect(seen).not.toContain('late')
  expect(await row(paused.db)).toMatchObject({ refresh_owner: null })
})

test.each([
  ['a new token', refreshed],
  ['that it is dead', { kind: 'dead', message: 'The old sign-in is over.' } as const],
])(
  'an account that is connected again meanwhile keeps its sign-in when the network answers with %s',
  async (_, reported) => {
    const network = takesTwo({
      prepare: [
        ({ credentials }) =>
          credentials.token === 'one'
            ? { kind: 'reconnect', mayRefresh: true, message: 'Expired.' }
            : { kind: 'ready' },
      ],
      refresh: [
        async () => {
          await connectAgain(engine.db, 'signed in again')
          return reported
        },
      ],
    })
    const engine = await start([network])
    const set = await engine.schedule()
    await engine.drain()
    expect(await tokenOf(engine.db)).toBe('signed in again')
    expect(await connection(engine.db)).toMatchObject({ status: 'CONNECTED', status_reason: null })
    expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
  },
)

test('what is said of an old token waits for a sign-in that is being stored, and then touches nothing', async () => {
  const engine = await start([scriptedNetwork({})])
  const { id, refreshed_at: seen } = await row(engine.db)
  const marked = await engine.db.transaction().execute(async (trx) => {
    await sql`update network_identities set refreshed_at = almanac_now()`.execute(trx)
    await sql`update connections set status = 'CONNECTED', name = 'Me again'`.execute(trx)
    const marking = requireReconnect(engine.db, id, 'The old sign-in is over.', { seen })
    await untilSomeoneWaits(engine.db)
    return { marking }
  })
  expect(await marked.marking).toBe(false)
  expect(await connection(engine.db)).toMatchObject({ status: 'CONNECTED', name: 'Me again' })
})

test('a network that throws leaves no lease behind', async () => {
  const network = takesTwo({
    refresh: [
      () => {
        throw new Error('A fault of ours.')
      },
      () => refreshed,
    ],
  })
  const engine = await start([network])
  const set = await engine.schedule()
  await engine.drain()
  expect(await row(engine.db)).toMatchObject({ refresh_owner: null, refresh_until: null })
  await engine.advance(6_000)
  await engine.drain()
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
})

test('a secret key that is changed during a refresh seals what the refresh stores', async () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)]
  const oldFirst = createCredentialBox(createSecretBox([old, fresh]))
  const network = takesTwo({
    refresh: [
      async () => {
        await checkSecretKey(engine.db, createSecretBox([fresh, old]))
        return refreshed
      },
    ],
  })
  const engine = await start([network], { tokens: { credentials: oldFirst } })
  await checkSecretKey(engine.db, createSecretBox([old]))
  const sealed = createCredentialBox(createSecretBox([old])).seal(engine.identityId, { token: 'one' })
  await engine.db
    .updateTable('network_identities')
    .set({ secret: sealed.secret, secret_key_id: sealed.secretKeyId })
    .execute()
  const set = await engine.schedule()
  await engine.drain()
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
  const { secret, secret_key_id: secretKeyId } = await row(engine.db)
  if (!secret || !secretKeyId) throw new Error('No secret.')
  const newAlone = createCredentialBox(createSecretBox([fresh]))
  expect(newAlone.open(engine.identityId, { secret, secretKeyId })).toEqual({ token: 'two' })
})
