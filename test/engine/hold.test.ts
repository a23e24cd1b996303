import { describe, expect, test } from 'vitest'
import { closeConnection } from '#operations'
import type { Step } from '#publishing'
import type { Engine } from '../_util/engine/engine.ts'
import {
  accountOf,
  connectionOf,
  fencedCount,
  HOUR_MS,
  hold,
  holdEngines,
  release,
  sessionWaits,
  statusOf,
} from '../_util/engine/holds.ts'
import { published, type Script } from '../_util/engine/scripted-network.ts'

/** While publishing is stopped nothing new is sent, and what is on its way is found out. */

const { start, startTwo, beside } = holdEngines()

describe('while publishing is stopped', () => {
  test.each([
    ['the social set', (engine: Engine) => Promise.resolve(engine.socialSetId)],
    ['the account', accountOf],
  ])('hold-02: for %s, due sets stay scheduled, and a release publishes them', async (_, targetOf) => {
    const { engine, network } = await start()
    const target = await targetOf(engine)
    await hold(engine, target)
    const set = await engine.schedule()
    await engine.drain()
    expect(await statusOf(engine, set)).toBe('SCHEDULED')
    expect(network.calls).toEqual([])
    expect(await release(engine, 'publish', target)).toEqual({ publishing: 1, parked: 0, failed: 0 })
    await engine.drain()
    expect(await engine.set(set)).toMatchObject({ status: 'PUBLISHED', results: [{ status: 'POSTED' }] })
    expect(await engine.history(set)).toEqual(['released', 'publishing', 'post published', 'published'])
  })

  test('sets of another social set go out', async () => {
    const { engine } = await start()
    const { account_id } = await engine.db.selectFrom('social_sets').select('account_id').executeTakeFirstOrThrow()
    const other = '019a9c6e-0b1f-7c3d-9a52-3f6f0e6b8d10'
    await engine.db
      .insertInto('social_sets')
      .values({ id: other, account_id, name: 'Other', timezone: 'UTC' })
      .execute()
    await hold(engine, other)
    const set = await engine.schedule()
    await engine.drain()
    expect(await statusOf(engine, set)).toBe('PUBLISHED')
  })

  test('hold-02: of a connection, its post alone waits, and goes on with the release', async () => {
    const { engine, bluesky, threads } = await startTwo()
    const target = await connectionOf(engine, 'BLUESKY')
    await hold(engine, target)
    const set = await engine.schedule({ accountTypes: ['BLUESKY', 'THREADS'] })
    await engine.drain()
    expect(bluesky.calls).toEqual([])
    expect(threads.calls).toEqual(['prepare', 'publish'])
    expect(await engine.set(set)).toMatchObject({ status: 'PUBLISHING', results: [null, { status: 'POSTED' }] })
    await release(engine, 'publish', target)
    await engine.drain()
    expect(bluesky.calls).toEqual(['prepare', 'publish'])
    expect(await statusOf(engine, set)).toBe('PUBLISHED')
  })

  test('what is claimed and not fenced waits, and keeps no worker busy', async () => {
    const { engine, network } = await start()
    const set = await engine.schedule()
    await engine.look()
    await hold(engine)
    await engine.work()
    expect(network.calls).toEqual([])
    await engine.advance(HOUR_MS)
    await engine.look()
    expect(await engine.take()).toEqual([])
    expect(await engine.delivery(set)).toMatchObject({ state: 'PREPARING', lease_owner: null })
    await release(engine, 'publish')
    await engine.drain()
    expect(network.calls).toEqual(['prepare', 'publish'])
  })

  test('a hold between a claim and its fence stops the visible call, and no attempt is counted', async () => {
    let made: Engine | null = null
    const { engine, network } = await start({}, { 'before-fence': async () => void (made && (await hold(made))) })
    made = engine
    const set = await engine.schedule()
    await engine.drain()
    expect(network.calls).toEqual(['prepare'])
    expect(await engine.delivery(set)).toMatchObject({
      state: 'READY',
      attempts: 0,
      lease_owner: null,
      fenced_at: null,
    })
    made = null
    await release(engine, 'publish')
    await engine.drain()
    expect(network.calls).toEqual(['prepare', 'publish'])
  })

  test('hold-03: a hold waits for a fence that is being set, and counts its post as with a network', async () => {
    const reached = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<unknown>()
    const { engine, network } = await start(
      {},
      { 'before-fence': () => reached.resolve(), fenced: async () => void (await answered.promise) },
    )
    const set = await engine.schedule()
    await engine.look()
    const [working] = await engine.take()
    await reached.promise
    // While this has the row, the fence has its lock and waits in its second statement.
    const blocker = await engine.db.startTransaction().execute()
    await blocker.selectFrom('deliveries').select('id').forUpdate().execute()
    await sessionWaits(engine, 'transactionid')
    const placing = hold(engine)
    await sessionWaits(engine, 'advisory')
    await blocker.rollback().execute()
    expect(await placing).toMatchObject({ withNetworks: 1 })
    answered.resolve(null)
    await working
    expect(network.calls).toEqual(['prepare', 'publish'])
    expect(await statusOf(engine, set)).toBe('PUBLISHED')
  })

  test('hold-03: a hundred posts and a hold in the midst of their fences: none is set after the answer', async () => {
    const half = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    let reached = 0
    const { engine, network } = await start(
      {},
      {
        'before-fence': async () => {
          reached += 1
          if (reached === 50) half.resolve()
          if (reached > 50) await goOn.promise
        },
      },
    )
    const sets = await Promise.all(Array.from({ length: 100 }, () => engine.schedule()))
    await engine.look()
    const working = await engine.take()
    await half.promise
    const placing = hold(engine)
    goOn.resolve()
    await placing
    const fenced = await fencedCount(engine)
    await Promise.all(working)
    expect(await fencedCount(engine)).toBe(fenced)
    expect(network.calls.filter((call) => call === 'publish')).toHaveLength(fenced)
    await release(engine, 'publish')
    await engine.drain()
    for (const set of sets) expect(await statusOf(engine, set)).toBe('PUBLISHED')
    expect(network.calls.filter((call) => call === 'publish')).toHaveLength(100)
  })

  test('hold-04: what is fenced is confirmed', async () => {
    const { engine, network } = await start({
      publish: [{ kind: 'accepted', askAgainAt: new Date(Date.now() + 60_000) }],
      confirm: [published],
    })
    const set = await engine.schedule()
    await engine.drain()
    expect((await hold(engine)).withNetworks).toBe(1)
    await engine.advance(HOUR_MS)
    await engine.drain()
    expect(network.calls.at(-1)).toBe('confirm')
    expect(await statusOf(engine, set)).toBe('PUBLISHED')
  })

  test('hold-04: what is unknown is looked up; when it was not done, it waits for the release', async () => {
    const { engine, network } = await start({
      publish: [{ kind: 'unknown', message: 'No answer.' }, published],
      find: [{ kind: 'absent' }],
    })
    const set = await engine.schedule()
    await engine.drain()
    await hold(engine)
    await engine.advance(HOUR_MS)
    await engine.drain()
    expect(network.calls).toEqual(['prepare', 'publish', 'find'])
    expect(await engine.delivery(set)).toMatchObject({ state: 'PREPARING', result: null })
    await release(engine, 'publish')
    // The pause before another attempt counts on.
    await engine.advance(60_000)
    await engine.drain()
    expect(network.calls.filter((call) => call === 'publish')).toHaveLength(2)
    expect(await statusOf(engine, set)).toBe('PUBLISHED')
  })

  test.each(['publish', 'park'] as const)('a first comment waits, and is made after %s', async (late) => {
    let made: Engine | null = null
    const { engine, network } = await start({
      publish: [
        async () => {
          if (made) await hold(made)
          return published
        },
      ],
      comment: [published],
    })
    made = engine
    const set = await engine.schedule()
    await engine.drain()
    expect(network.calls).toEqual(['prepare', 'publish'])
    expect(await engine.delivery(set)).toMatchObject({ state: 'FOLLOW_UP', result: null })
    expect(await release(engine, late)).toEqual({ publishing: 0, parked: 0, failed: 0 })
    await engine.drain()
    expect(network.calls.at(-1)).toBe('comment')
    expect((await engine.set(set)).results).toEqual([expect.not.objectContaining({ warnings: expect.anything() })])
  })

  test('a connection that is closed takes its hold along, and its posts fail visibly', async () => {
    const { engine, network } = await start()
    const target = await connectionOf(engine, 'BLUESKY')
    await hold(engine, target)
    const set = await engine.schedule()
    await engine.drain()
    expect(await closeConnection(engine, target)).toMatchObject({ ended: { reason: 'Wrong campaign' } })
    await engine.advance(HOUR_MS)
    await engine.drain()
    expect(network.calls).toEqual([])
    expect((await engine.set(set)).results).toMatchObject([{ status: 'FAILED', reason: 'ACCOUNT_CONNECTION_EXPIRED' }])
  })
})

test('a connection that is closed meanwhile is not held', async () => {
  const { engine } = await start()
  const target = await connectionOf(engine, 'BLUESKY')
  const closing = await engine.db.startTransaction().execute()
  await closing.updateTable('connections').set({ closed_at: new Date() }).where('id', '=', target).execute()
  const placing = hold(engine, target).catch((error: unknown) => error)
  await Promise.race([placing, sessionWaits(engine, 'transactionid')])
  await closing.commit().execute()
  expect(await placing).toMatchObject({ code: 'connection:not_found' })
  expect(await engine.db.selectFrom('holds').selectAll().execute()).toEqual([])
})

describe('a worker that stands still', () => {
  /** Stops at a step until it is let go, long after its lease: to the database it was killed until then. */
  async function stopAt(step: Step, script: Script) {
    const reached = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const at = async () => {
      reached.resolve()
      await goOn.promise
    }
    const { engine, network } = await start(script, { [step]: at })
    const other = await beside(engine, network)
    const set = await engine.schedule()
    await engine.look()
    const working = Promise.all(await engine.take())
    await reached.promise
    await hold(engine)
    await engine.advance(HOUR_MS)
    const letGo = () => {
      goOn.resolve()
      return working
    }
    return { engine, other, network, set, letGo }
  }

  test('before the fence: no one else goes on until the release, and then once', async () => {
    const { engine, other, network, set, letGo } = await stopAt('before-fence', {})
    await other.drain()
    expect(network.calls).toEqual(['prepare'])
    await release(engine, 'publish')
    await other.drain()
    expect(await statusOf(engine, set)).toBe('PUBLISHED')
    await letGo()
    expect(network.calls.filter((call) => call === 'publish')).toHaveLength(1)
  })

  test('before the fence: when it goes on by itself, it waits, too', async () => {
    const { engine, other, network, letGo } = await stopAt('before-fence', {})
    await letGo()
    await other.drain()
    expect(network.calls).toEqual(['prepare'])
    await release(engine, 'publish')
    await other.drain()
    expect(network.calls.filter((call) => call === 'publish')).toHaveLength(1)
  })

  test('hold-04: behind the fence: another worker looks the post up', async () => {
    const { engine, other, network, set, letGo } = await stopAt('fenced', {
      find: [{ kind: 'found', providerId: 'p1', permalink: null }],
    })
    await other.drain()
    expect(network.calls).toEqual(['prepare', 'find'])
    expect(await statusOf(engine, set)).toBe('PUBLISHED')
    // Its clock has not gone on, so it does not know that its lease is over: nothing is asserted about what it does then.
    await letGo()
  })
})
