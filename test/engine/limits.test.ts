import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { closeConnection } from '#operations'
import { requireReconnect } from '#persistence'
import type { PublisherSettings, Step } from '#publishing'
import { shutDatabase } from '../_util/database/database.ts'
import type { Engine } from '../_util/engine/engine.ts'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'
import { published, type Script } from '../_util/engine/scripted-network.ts'

/** What ends a delivery that nothing is wrong with on the network: its time, what people took away, and errors of ours. */

const startEngine = scriptedEngines()
type At = Partial<Record<Step, () => void | Promise<void>>>

const start = (script: Script = {}, { at = {}, ...settings }: Partial<PublisherSettings> & { at?: At } = {}) =>
  startEngine(script, { settings, signals: (step) => at[step]?.() })

const HOUR = 3_600_000
const busy = { kind: 'retry', notBefore: null, from: 'publish', countsAsAttempt: true, message: 'Busy.' } as const
const times = (calls: string[], call: string) => calls.filter((each) => each === call).length
const words = (text: string) => [{ status: 'FAILED', reason: 'UNKNOWN', message: expect.stringContaining(text) }]

describe('the late limit', () => {
  test('counts again before the first step: what was claimed before an outage is not sent after it', async () => {
    const { engine, network } = await start()
    const set = await engine.schedule()
    await engine.look()
    await engine.advance(7 * HOUR)
    await engine.drain()
    expect(network.calls).toEqual([])
    expect((await engine.set(set)).results).toMatchObject(words('Almanac was not running'))
  })

  test('counts from the time of the post, not from the claim', async () => {
    const { engine, network } = await start()
    const at = new Date(Date.now() - 5 * HOUR).toISOString()
    const set = await engine.schedule({ at })
    await engine.db
      .updateTable('post_sets')
      .set({ schedule_requested_at: new Date(at) })
      .execute()
    await engine.look()
    await engine.advance(2 * HOUR)
    await engine.drain()
    expect(network.calls).toEqual([])
    expect((await engine.set(set)).results).toMatchObject(words('Almanac was not running'))
  })

  test('says that other posts were ahead when they were', async () => {
    const { engine } = await start({}, { perConnection: 1 })
    const [ahead, set] = [await engine.schedule(), await engine.schedule()]
    await engine.look()
    await engine.advance(4 * HOUR)
    await engine.work()
    await engine.advance(3 * HOUR)
    await engine.drain()
    expect((await engine.set(ahead)).results).toMatchObject([{ status: 'POSTED' }])
    expect((await engine.set(set)).results).toMatchObject(words('Too many posts were ahead'))
  })

  test('does not count what the network asked to wait for', async () => {
    const wait = (attempt: { now(): Date }) => new Date(attempt.now().getTime() + 8 * HOUR)
    const { engine } = await start({
      prepare: [
        (attempt) => ({ ...busy, from: 'prepare', countsAsAttempt: false, notBefore: wait(attempt) }),
        { kind: 'ready' },
      ],
    })
    const set = await engine.schedule()
    await engine.drain()
    await engine.advance(8 * HOUR + 60_000)
    await engine.drain()
    expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
  })

  test('holds for one that waits for a retry, too', async () => {
    const { engine, network } = await start({ prepare: [{ ...busy, from: 'prepare' }] })
    const set = await engine.schedule()
    await engine.drain()
    await engine.advance(7 * HOUR)
    await engine.drain()
    expect(network.calls).toEqual(['prepare'])
    expect((await engine.set(set)).results).toMatchObject(words('Almanac was not running'))
  })

  test('never concerns a post that had its fence: it is tried until it is given up', async () => {
    const { engine, network } = await start({ publish: [busy, published] })
    const set = await engine.schedule()
    await engine.drain()
    await engine.advance(7 * HOUR)
    await engine.drain()
    expect(times(network.calls, 'publish')).toBe(2)
    expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
  })
})

test('the end of attempts is looked at before each of them', async () => {
  const { engine, network } = await start({ publish: [busy, published] })
  const set = await engine.schedule()
  await engine.drain()
  await engine.advance(25 * HOUR)
  await engine.drain()
  expect(times(network.calls, 'publish')).toBe(1)
  expect((await engine.set(set)).results).toMatchObject(words('Almanac was not running'))
})

test('a network that asks to wait for too long is named', async () => {
  const notBefore = new Date(Date.now() + 30 * HOUR)
  const { engine } = await start({ publish: [{ ...busy, countsAsAttempt: false, notBefore, message: 'Quota.' }] })
  const set = await engine.schedule()
  await engine.drain()
  expect((await engine.set(set)).results).toMatchObject(words('The network made Almanac wait'))
})

describe('what cannot be begun', () => {
  /** Credentials that do not open. */
  const garble = (engine: Engine) =>
    engine.db
      .updateTable('network_identities')
      .set({ secret: Buffer.from('not sealed') })
      .execute()

  test('counts as an attempt, and ends in words', async () => {
    const { engine, network } = await start({}, { maxAttempts: 3 })
    const set = await engine.schedule()
    await garble(engine)
    await engine.drain()
    expect(await engine.delivery(set)).toMatchObject({ state: 'PREPARING', attempts: 1, lease_owner: null })
    await engine.advance(60_000)
    await engine.drain()
    await engine.advance(60_000)
    await engine.drain()
    expect(network.calls).toEqual([])
    expect(await engine.set(set)).toMatchObject({ status: 'PUBLISHED', results: words('its log says what') })
    expect(engine.logged.filter(({ level }) => level === 'error')).toHaveLength(3)
  })

  test('behind its fence ends as perhaps live', async () => {
    const { engine, network } = await start({ publish: [{ kind: 'unknown', message: 'No answer.' }] })
    const set = await engine.schedule()
    await engine.drain()
    await garble(engine)
    for (const pause of [1, 4, 10, 15, 30, 240, 600, 2_700, 18_000]) {
      await engine.advance(pause * 1_000)
      await engine.drain()
    }
    expect(times(network.calls, 'publish')).toBe(1)
    expect((await engine.set(set)).results).toMatchObject(words('may be live'))
  })
})

describe('a connection that is taken away between claim and fence', () => {
  const away: [string, (engine: Engine) => Promise<unknown>][] = [
    [
      'closed',
      async (engine) => {
        const { id } = await engine.db.selectFrom('connections').select('id').executeTakeFirstOrThrow()
        await closeConnection(engine, id)
      },
    ],
    [
      'given to another account of the network',
      async (engine) => {
        const { account_id } = await engine.db
          .selectFrom('accounts')
          .select('id as account_id')
          .executeTakeFirstOrThrow()
        const id = newId()
        await engine.db
          .insertInto('network_identities')
          .values({ id, account_id, network: 'scripted', external_id: 'you' })
          .execute()
        await engine.db.updateTable('connections').set({ identity_id: id }).execute()
      },
    ],
  ]
  test.each(away)('%s: no visible call is made', async (_, take) => {
    let made: Engine | null = null
    const { engine, network } = await start(
      {},
      { at: { 'before-fence': async () => void (made && (await take(made))) } },
    )
    made = engine
    const set = await engine.schedule()
    await engine.drain()
    expect(network.calls).toEqual(['prepare'])
    expect((await engine.set(set)).results).toMatchObject([{ status: 'FAILED', reason: 'ACCOUNT_CONNECTION_EXPIRED' }])
  })
})

test('an outcome that is known is stored as soon as the database is back', async () => {
  const shut = Promise.withResolvers<() => Promise<void>>()
  let made: Engine | null = null
  let first = true
  const { engine, network } = await start(
    {},
    {
      at: {
        'after-visible-request': () => {},
        'before-finish': async () => {
          if (!made || !first) return
          first = false
          shut.resolve(await shutDatabase(made.databaseUrl))
        },
      },
    },
  )
  made = engine
  const set = await engine.schedule()
  await engine.look()
  const [working] = await engine.take()
  const open = await shut.promise
  const waiting = () => engine.logged.some(({ message }) => message.includes('could not be stored yet'))
  while (!waiting()) await new Promise((resolve) => setImmediate(resolve))
  await open()
  await working
  expect(network.calls).toEqual(['prepare', 'publish'])
  expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
})

test('a connection that is made again while it is called dead stays connected', async () => {
  const { engine } = await start()
  const { identityId, db } = engine
  const reconnecting = await db.startTransaction().execute()
  await sql`update network_identities set refreshed_at = almanac_now() where id = ${identityId}`.execute(reconnecting)
  await sql`update connections set status = 'CONNECTED' where identity_id = ${identityId}`.execute(reconnecting)
  const marking = requireReconnect(db, identityId, 'The token is dead.', { seen: null })
  for (;;) {
    const { rows } = await sql`
      select from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`.execute(db)
    if (rows.length > 0) break
  }
  await reconnecting.commit().execute()
  expect(await marking).toBe(false)
  const { status } = await db.selectFrom('connections').select('status').executeTakeFirstOrThrow()
  expect(status).toBe('CONNECTED')
})
