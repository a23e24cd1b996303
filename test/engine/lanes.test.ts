import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import type { AccountType } from '#contract'
import { nextDue, takeQuery } from '#persistence'
import type { PublisherSettings } from '#publishing'
import { createEngine, type Engine } from '../_util/engine.ts'
import { connectionOf, hold, release } from '../_util/holds.ts'
import { published, scriptedNetwork } from '../_util/scripted-network.ts'

let engine: Engine
afterEach(() => engine.close())

test('a network that hangs keeps only its own posts waiting', async () => {
  const { promise: hanging, resolve: goOn } = Promise.withResolvers<void>()
  const slow = scriptedNetwork({
    accountType: 'BLUESKY',
    publish: [
      async () => {
        await hanging
        return published
      },
    ],
  })
  const quick = scriptedNetwork({ accountType: 'THREADS' })
  const other = { ...quick, manifest: { ...quick.manifest, name: 'other' } }
  engine = await createEngine({ networks: [slow, other], settings: { slots: 30, slotsPerNetwork: 2 } })
  await Promise.all(Array.from({ length: 50 }, () => engine.schedule({ accountTypes: ['BLUESKY'] })))
  await engine.look()
  const slowWork = await engine.take()
  const begun = slowWork.length
  // Every other lane has kept its room.
  expect(begun).toBeGreaterThan(2)
  expect(begun).toBeLessThan(20)
  const quickSet = await engine.schedule({ accountTypes: ['THREADS'] })
  await engine.look()
  await Promise.all((await engine.take()).filter((work) => !slowWork.includes(work)))
  expect((await engine.set(quickSet)).status).toBe('PUBLISHED')
  goOn()
  await Promise.all(slowWork)
  await engine.drain()
  expect(slow.calls.filter((call) => call === 'publish')).toHaveLength(50)
})

const posted = () =>
  engine.db
    .selectFrom('post_sets')
    .select(['id', 'social_set_id'])
    .where('status', '=', 'PUBLISHED')
    .orderBy('published_at')
    .execute()
const statuses = async () =>
  Object.fromEntries(
    (
      await engine.db
        .selectFrom('post_sets')
        .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
        .groupBy('status')
        .execute()
    ).map(({ status, count }) => [status, count]),
  )

/** Looks and works, as often as `rounds` says. */
async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round++) {
    await engine.look()
    await engine.work()
  }
}

async function start(settings: Partial<PublisherSettings> = {}, accountTypes: AccountType[] = ['BLUESKY']) {
  const networks = accountTypes.map((accountType) => {
    const network = scriptedNetwork({ accountType })
    return { ...network, manifest: { ...network.manifest, name: accountType.toLowerCase() } }
  })
  engine = await createEngine({
    networks,
    settings: { slots: 100, slotsPerNetwork: 10, perConnection: 2, ...settings },
  })
}

test('a connection has as many in its turn as its limit, and the next one as soon as one ends', async () => {
  await start()
  await engine.pileUp({ count: 7 })
  await engine.look()
  const taken: number[] = []
  for (let done = 0; done < 7; done = (await posted()).length) {
    const working = await engine.take()
    taken.push(working.length)
    await Promise.all(working)
  }
  expect(taken).toEqual([2, 2, 2, 1])
})

test('accounts take turns, however much one of them has', async () => {
  await start({ slots: 12, slotsPerNetwork: 1, perConnection: 4 })
  const other = await engine.newAccount()
  await engine.pileUp({ count: 40 })
  await engine.look()
  await engine.pileUp({ count: 4, socialSetId: other.socialSetId })
  await engine.look()
  // Three slots: of four heads of each account, one after the other.
  await engine.work()
  await engine.work()
  await engine.work()
  const order = (await posted()).map(({ social_set_id: id }) => (id === other.socialSetId ? 'other' : 'pile'))
  expect(order.filter((whose) => whose === 'other').length).toBe(4)
  // What ended while others were begun has made room for a few more.
  expect(order.length).toBeLessThanOrEqual(14)
})

test('what is late waits behind what is on time, and goes on all the same', async () => {
  await start()
  await engine.pileUp({ count: 50, secondsAgo: 3_600 })
  await rounds(1)
  const set = await engine.schedule()
  // Two late heads have their turn already, and keep nothing back.
  await rounds(1)
  expect((await engine.set(set)).status).toBe('PUBLISHED')
  expect((await posted()).length).toBeLessThanOrEqual(5)
  await engine.drain()
  expect(await posted()).toHaveLength(51)
})

test('of a pile that is late no more is claimed than can soon begin, and what is on time is claimed all the same', async () => {
  await start({ claimedPerAccount: 20 })
  await engine.pileUp({ count: 1_000, secondsAgo: 3_600 })
  await engine.look()
  // A batch at the most beyond it.
  expect(await statuses()).toEqual({ PUBLISHING: 100, SCHEDULED: 900 })
  await rounds(3)
  expect(await statuses()).toEqual({ PUBLISHED: 6, PUBLISHING: 94, SCHEDULED: 900 })
  const set = await engine.schedule()
  await rounds(2)
  expect((await engine.set(set)).status).toBe('PUBLISHED')
  // As soon as there is room again, the pile is claimed on.
  await rounds(45)
  expect((await statuses()).SCHEDULED).toBeLessThan(900)
})

test('a pile of one account on one network delays neither its other networks nor other accounts', async () => {
  await start({ claimedPerAccount: 20 }, ['BLUESKY', 'THREADS'])
  const other = await engine.newAccount()
  await engine.pileUp({ count: 500, secondsAgo: 100 })
  await rounds(1)
  const sets = [
    await engine.schedule({ accountTypes: ['THREADS'] }),
    await engine.schedule({ socialSetId: other.socialSetId }),
  ]
  await rounds(1)
  for (const set of sets) expect((await engine.set(set)).status).toBe('PUBLISHED')
})

test('an account that has enough under way on one network still publishes on another in time', async () => {
  await start({ claimedPerAccount: 30 }, ['BLUESKY', 'THREADS'])
  await engine.pileUp({ count: 50 })
  await rounds(1)
  const more = await engine.schedule()
  const set = await engine.schedule({ accountTypes: ['THREADS'] })
  await rounds(1)
  expect((await engine.set(set)).status).toBe('PUBLISHED')
  expect((await engine.set(more)).status).toBe('SCHEDULED')
})

test('a set that cannot be claimed keeps no other from being claimed, and is told', async () => {
  await start()
  await engine.pileUp({ count: 20 })
  const bad = await engine.schedule()
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
    create trigger refuse before insert on deliveries for each row when (new.post_set_id = '${sql.raw(bad)}')
      execute function refuse()`.execute(engine.db)
  await engine.drain()
  expect(await posted()).toHaveLength(20)
  expect(engine.logged.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
    'A post set could not be claimed and is tried again in a minute',
  ])
})

test('a pile that is held keeps no late set of another connection from being claimed', async () => {
  await start({ claimedPerAccount: 20 }, ['BLUESKY', 'THREADS'])
  await engine.pileUp({ count: 50, secondsAgo: 3_600 })
  await engine.look()
  await hold(engine, await connectionOf(engine, 'BLUESKY'))
  await engine.pileUp({ count: 3, secondsAgo: 3_600, accountType: 'THREADS' })
  await rounds(3)
  expect(await statuses()).toMatchObject({ PUBLISHED: 3 })
})

test('a lease that a version before has taken on what waits here is left alone until it ends', async () => {
  await start()
  const set = await engine.schedule()
  await engine.look()
  const leased = { lease_owner: 'before', lease_until: new Date(Date.now() + 40_000), state: 'SENDING' } as const
  await engine.db
    .updateTable('deliveries')
    .set({ ...leased, place: 'WAITING' })
    .execute()
  await rounds(2)
  expect(await engine.delivery(set)).toMatchObject({ lease_owner: 'before', state: 'SENDING' })
  await engine.advance(41_000)
  await engine.look()
  await engine.work()
  expect((await engine.delivery(set)).state).not.toBe('SENDING')
})

test('what a version before claims comes into its lane', async () => {
  await start()
  const set = await engine.schedule()
  await engine.look()
  await sql`
    with old as (delete from deliveries returning *)
    insert into deliveries (id, post_set_id, post_id, content_version, account_type, connection_id, state, next_at, gives_up_at)
    select id, post_set_id, post_id, content_version, account_type, connection_id, 'PREPARING', next_at, gives_up_at
    from old`.execute(engine.db)
  expect(await engine.delivery(set)).toMatchObject({ place: 'WAITING', lane: 'bluesky', due_at: expect.any(Date) })
  await engine.drain()
  expect((await engine.set(set)).status).toBe('PUBLISHED')
})

test('what is held makes room for the rest of its lane, and goes on in its turn', async () => {
  await start()
  const other = await engine.newAccount()
  await engine.pileUp({ count: 10 })
  await engine.look()
  await hold(engine)
  await engine.pileUp({ count: 3, socialSetId: other.socialSetId })
  await rounds(3)
  expect((await posted()).map(({ social_set_id: id }) => id)).toEqual(Array(3).fill(other.socialSetId))
  await release(engine, 'publish')
  await engine.drain()
  expect(await posted()).toHaveLength(13)
})

test('taking costs the same with ten and with fifteen hundred waiting', async () => {
  await start({ claimedPerAccount: 1_000_000 })
  const blocks = async () => {
    await sql`analyze deliveries`.execute(engine.db)
    const rooms = [{ lane: 'bluesky', room: 20, late: 2 }]
    const query = takeQuery(rooms, { owner: 'nobody', ms: 1 }, { begunOnly: false })
    return engine.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>`
          explain (analyze, buffers, format json) ${query}`.execute(trx)
      const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
      return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
    })
  }
  await engine.pileUp({ count: 10, secondsAgo: 300 })
  await engine.look()
  const few = await blocks()
  await engine.pileUp({ count: 1_500, secondsAgo: 300 })
  await engine.look()
  const waiting = await engine.db
    .selectFrom('deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('place', '=', 'WAITING')
    .executeTakeFirstOrThrow()
  expect(waiting.count).toBeGreaterThan(1_400)
  expect(await blocks()).toBeLessThan(few * 3)
})

test('the calendar says whether something is due, and when the next set is', async () => {
  await start()
  expect(await nextDue(engine.db)).toEqual({ dueNow: false, inMs: null })
  await engine.schedule({ at: new Date(Date.now() + 3_600_000).toISOString() })
  const { dueNow, inMs } = await nextDue(engine.db)
  expect(dueNow).toBe(false)
  expect(inMs).toBeGreaterThan(3_500_000)
  await engine.schedule()
  expect(await nextDue(engine.db)).toMatchObject({ dueNow: true, inMs: expect.any(Number) })
})
