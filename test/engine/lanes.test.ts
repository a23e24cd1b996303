import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import type { AccountType } from '#contract'
import { newId } from '#domain'
import { findDuePostSets, moveUp, nextDue, takeQuery } from '#persistence'
import type { PublisherSettings } from '#publishing'
import { explaining } from '../_util/database/explain.ts'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { connectionOf, hold, release } from '../_util/engine/holds.ts'
import { published, scriptedNetwork } from '../_util/engine/scripted-network.ts'

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
  await start({ claimedPerConnection: 20 })
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

test('what waited unclaimed behind others of its connection until it was too late says so', async () => {
  await start({ claimedPerConnection: 20, perConnection: 40, slotsPerNetwork: 40, slots: 1_000 })
  await engine.pileUp({ count: 130, secondsAgo: 3_600 })
  await rounds(1)
  await engine.advance(3 * 3_600_000)
  await rounds(1)
  expect(await statuses()).toEqual({ PUBLISHED: 80, PUBLISHING: 20, SCHEDULED: 30 })
  await engine.advance(3 * 3_600_000)
  await rounds(4)
  const { rows } = await sql<{ message: string; count: number }>`
    select result ->> 'message' as message, count(*)::int as count from deliveries group by 1 order by 2 desc`.execute(
    engine.db,
  )
  expect(rows).toEqual([
    { message: null, count: 80 },
    { message: expect.stringContaining('Too many posts were ahead of this one'), count: 50 },
  ])
})

test('a pile of one account on one network delays neither its other networks nor other accounts', async () => {
  await start({ claimedPerConnection: 20 }, ['BLUESKY', 'THREADS'])
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
  await start({ claimedPerConnection: 30 }, ['BLUESKY', 'THREADS'])
  await engine.pileUp({ count: 50 })
  await rounds(1)
  const more = await engine.schedule()
  const set = await engine.schedule({ accountTypes: ['THREADS'] })
  await rounds(1)
  expect((await engine.set(set)).status).toBe('PUBLISHED')
  expect((await engine.set(more)).status).toBe('SCHEDULED')
})

test.each([
  { when: 'on time', count: 50, secondsAgo: 0 },
  { when: 'late', count: 300, secondsAgo: 3_600 },
])(
  'a pile that is $when keeps neither another network of its brand waiting nor another brand of the account',
  async ({ count, secondsAgo }) => {
    await start({ claimedPerConnection: 20 }, ['BLUESKY', 'THREADS'])
    const beside = await engine.newBrand()
    await engine.pileUp({ count, secondsAgo })
    await engine.look()
    await engine.pileUp({ count: 3, secondsAgo, accountType: 'THREADS' })
    await engine.pileUp({ count: 3, secondsAgo, socialSetId: beside.socialSetId })
    await rounds(3)
    const { rows } = await sql<{ type: string; own: boolean; count: number }>`
    select posts.account_type as type, posts.social_set_id = ${engine.socialSetId} as own, count(*)::int as count
    from deliveries join posts on posts.id = post_id where result is not null group by 1, 2 order by 1, 2`.execute(
      engine.db,
    )
    expect(rows).toEqual([
      { type: 'BLUESKY', own: false, count: 3 },
      { type: 'BLUESKY', own: true, count: 6 },
      { type: 'THREADS', own: true, count: 3 },
    ])
  },
)

test('a set goes out to a connection that has room also when another of its connections is full', async () => {
  await start({ claimedPerConnection: 20 }, ['BLUESKY', 'THREADS'])
  await engine.pileUp({ count: 150, secondsAgo: 3_600 })
  await engine.look()
  await Promise.all(
    Array.from({ length: 3 }, () =>
      engine.schedule({
        at: new Date(Date.now() - 3_500_000).toISOString(),
        accountTypes: ['BLUESKY', 'THREADS'],
      }),
    ),
  )
  await rounds(3)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from deliveries where account_type = 'THREADS' and result ->> 'status' = 'POSTED'`.execute(
    engine.db,
  )
  expect(rows).toEqual([{ count: 3 }])
})

test('a set that cannot be claimed keeps no other from being claimed, and is reported', async () => {
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
  await start({ claimedPerConnection: 20 }, ['BLUESKY', 'THREADS'])
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
  await engine.advance(44_000)
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

const accountOf = async (socialSetId: string) => {
  const query = engine.db.selectFrom('social_sets').select('account_id').where('id', '=', socialSetId)
  return (await query.executeTakeFirstOrThrow()).account_id
}

/** How many pages a pull reads. */
async function blocksOfPull({ overShare = [] as string[] } = {}): Promise<number> {
  await sql`analyze deliveries`.execute(engine.db)
  const rooms = [{ lane: 'bluesky', room: 20, late: 2, overShare, roomOverShare: 20 }]
  const query = takeQuery(rooms, { owner: 'none', ms: 1 }, { begunOnly: false, closed: false, over: [] })
  return engine.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>`
        explain (analyze, buffers, format json) ${query}`.execute(trx)
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
  })
}
const countOf = async (place: 'WAITING' | 'HEAD') =>
  (await engine.db.selectFrom('deliveries').select('id').where('place', '=', place).execute()).length

test('taking costs the same with ten and with fifteen hundred waiting', async () => {
  await start({ claimedPerConnection: 1_000_000 })
  await engine.pileUp({ count: 10, secondsAgo: 300 })
  await engine.look()
  const few = await blocksOfPull()
  await engine.pileUp({ count: 1_500, secondsAgo: 300 })
  await engine.look()
  expect(await countOf('WAITING')).toBeGreaterThan(1_400)
  expect(await blocksOfPull()).toBeLessThan(few * 3)
})

test('looking for what others have costs the same with ten and with fifteen hundred waiting', async () => {
  await start({ claimedPerConnection: 1_000_000 })
  const overShare = [await accountOf(engine.socialSetId)]
  await engine.pileUp({ count: 10 })
  await engine.look()
  const few = await blocksOfPull({ overShare })
  await engine.pileUp({ count: 1_500 })
  await engine.look()
  expect(await countOf('WAITING')).toBeGreaterThan(1_400)
  const many = await blocksOfPull({ overShare })
  expect(many).toBeLessThan(few * 3)
})

test('a lane that is closed costs a pull the same with ten heads and with a thousand', async () => {
  await start({ claimedPerConnection: 1_000_000, perConnection: 1_000_000 })
  await sql`insert into lanes (name, not_before, not_before_message) values ('bluesky', almanac_now() + interval '1 hour', 'Wait.')`.execute(
    engine.db,
  )
  await engine.pileUp({ count: 10, secondsAgo: 300 })
  await engine.look()
  const few = await blocksOfPull()
  await engine.pileUp({ count: 1_000, secondsAgo: 300 })
  await engine.look()
  expect(await countOf('HEAD')).toBe(1_010)
  expect(await blocksOfPull()).toBeLessThan(few * 2)
})

test('a step reads what it is about, also where the database was analyzed while nothing was open', async () => {
  await start()
  await engine.pileUp({ count: 300 })
  await engine.look()
  await sql`
    update deliveries set state = 'DONE', result = '{}', finished_at = almanac_now(), place = null`.execute(engine.db)
  await sql`vacuum analyze deliveries`.execute(engine.db)
  await engine.pileUp({ count: 100 })
  await engine.look()
  const { db, plan } = explaining(engine.db)
  await moveUp(db, [await connectionOf(engine, 'BLUESKY')], { perConnection: 2, giveUpAfterMs: 24 * 3_600_000 })
  expect(plan()).toContain('using deliveries_in_turn')
  expect(plan()).toContain('using deliveries_waiting')
  expect(plan()).toContain('using deliveries_heads_of_account')
  expect(plan()).not.toMatch(/using deliveries_(heads|unfinished|under_way) /)
  const due = { late: true, besideFull: true, newestFirst: false, limit: 100, perConnection: 20, except: [] }
  await findDuePostSets(db, due)
  expect(plan()).toContain('using deliveries_waiting')
  expect(plan()).not.toMatch(/Scan (using deliveries_(?!waiting)|on deliveries)/)
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain update deliveries set updated_at = almanac_now()
    where id = ${newId()} and lease_owner = 'a' and state = 'PREPARING'`.execute(engine.db)
  expect(rows.map((row) => row['QUERY PLAN']).join(' ')).toContain('using deliveries_pkey')
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
