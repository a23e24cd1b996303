import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { countLateSets, lockWaitingSets } from '#persistence'
import { explaining } from '../_util/database/explain.ts'
import type { Engine } from '../_util/engine/engine.ts'
import {
  accountOf,
  connectionOf,
  HOUR_MS,
  hold,
  holdEngines,
  release,
  sessionWaits,
  statusOf,
} from '../_util/engine/holds.ts'
import { published } from '../_util/engine/scripted-network.ts'

/** A release decides about what is late, and time under a hold counts for nothing. */

const { start, startTwo } = holdEngines()

test('a clock that has jumped ahead makes nothing late that is due later', async () => {
  const { engine } = await start()
  await engine.drain()
  await hold(engine)
  const late = await engine.schedule({ at: new Date(Date.now() - 1_000).toISOString() })
  const later = await engine.schedule({ at: new Date(Date.now() + HOUR_MS).toISOString() })
  await engine.stepDatabase(24 * HOUR_MS)
  await engine.look()
  await release(engine, 'park')
  expect([await statusOf(engine, late), await statusOf(engine, later)]).toEqual(['DRAFT', 'SCHEDULED'])
})

describe('time under a hold', () => {
  test('hold-05: is not late: three days later a release publishes', async () => {
    const { engine } = await start()
    await hold(engine)
    const set = await engine.schedule()
    await engine.advance(72 * HOUR_MS)
    await engine.drain()
    await release(engine, 'publish')
    await engine.drain()
    expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
  })

  test('what was not requested again is late as ever', async () => {
    const { engine } = await start()
    const set = await engine.schedule()
    await engine.db
      .updateTable('post_sets')
      .set({ scheduled_at: sql<Date>`almanac_now() - interval '7 hours'`, schedule_requested_at: new Date(0) })
      .execute()
    await hold(engine)
    await engine.drain()
    expect(await statusOf(engine, set)).toBe('SCHEDULED')
    await engine.db.updateTable('holds').set({ released_at: new Date() }).execute()
    await engine.drain()
    expect((await engine.set(set)).results).toMatchObject([
      { status: 'FAILED', message: expect.stringContaining('too late') },
    ])
  })

  test('hold-05: does not count toward the 24 hours of retries', async () => {
    const { engine, network } = await start({
      publish: [
        { kind: 'retry', notBefore: null, from: 'publish', countsAsAttempt: true, message: 'Busy.' },
        { kind: 'retry', notBefore: null, from: 'publish', countsAsAttempt: true, message: 'Busy.' },
        published,
      ],
    })
    const set = await engine.schedule()
    await engine.drain()
    await hold(engine)
    await engine.advance(30 * HOUR_MS)
    await engine.drain()
    expect((await engine.delivery(set)).result).toBeNull()
    await release(engine, 'publish')
    await engine.drain()
    // The second attempt is refused as the first one was, and there is time for another.
    await engine.advance(60_000)
    await engine.drain()
    expect(network.calls.filter((call) => call === 'publish')).toHaveLength(3)
    expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
  })
})

describe('a release that parks', () => {
  test('hold-06: makes drafts of what is late, and leaves the rest of the calendar', async () => {
    const { engine, network } = await start()
    await hold(engine)
    const late = await engine.schedule()
    const future = await engine.schedule({ at: '2090-01-01T00:00:00Z' })
    expect(await release(engine, 'park')).toEqual({ publishing: 0, parked: 1, failed: 0 })
    await engine.drain()
    expect([await statusOf(engine, late), await statusOf(engine, future)]).toEqual(['DRAFT', 'SCHEDULED'])
    expect(network.calls).toEqual([])
    const row = await engine.db
      .selectFrom('history')
      .select(['action', 'actor_type', 'changes'])
      .where('post_set_id', '=', late)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({
      action: 'moved to drafts',
      actor_type: 'OPERATOR',
      changes: {
        status: { from: 'SCHEDULED', to: 'DRAFT' },
        held: { since: expect.any(String), by: 'operator', reason: 'Wrong campaign' },
      },
    })
  })

  test('takes back what was claimed and not seen by a network, also from a worker that has it in hand', async () => {
    let made: Engine | null = null
    let parked: Awaited<ReturnType<typeof release>> | null = null
    const { engine, network } = await start({
      prepare: [
        async () => {
          if (made) await hold(made)
          if (made) parked = await release(made, 'park')
          made = null
          return { kind: 'ready' }
        },
      ],
    })
    made = engine
    const set = await engine.schedule()
    await engine.drain()
    expect(parked).toEqual({ publishing: 0, parked: 1, failed: 0 })
    expect(network.calls).toEqual(['prepare'])
    expect(await statusOf(engine, set)).toBe('DRAFT')
    await engine.db.updateTable('post_sets').set({ status: 'SCHEDULED' }).execute()
    await engine.drain()
    expect(network.calls).toEqual(['prepare', 'prepare', 'publish'])
    expect(await statusOf(engine, set)).toBe('PUBLISHED')
  })

  test('ends the posts that wait when others of their set were sent', async () => {
    const { engine, bluesky } = await startTwo()
    const target = await connectionOf(engine, 'BLUESKY')
    await hold(engine, target)
    const set = await engine.schedule({ accountTypes: ['BLUESKY', 'THREADS'] })
    await engine.drain()
    expect(await release(engine, 'park', target)).toEqual({ publishing: 0, parked: 0, failed: 1 })
    await engine.drain()
    expect(bluesky.calls).toEqual([])
    expect(await engine.set(set)).toMatchObject({
      status: 'PUBLISHED',
      results: [
        { status: 'FAILED', reason: 'UNKNOWN', message: expect.stringContaining('Wrong campaign') },
        { status: 'POSTED' },
      ],
    })
    expect((await engine.history(set)).slice(-2)).toEqual(['post failed', 'published'])
    const news = await engine.db.selectFrom('news').select(['kind', 'post_set_id', 'account_type', 'facts']).execute()
    expect(news).toEqual([
      {
        kind: 'POST_FAILED',
        post_set_id: set,
        account_type: 'BLUESKY',
        facts: { reason: 'UNKNOWN', message: expect.stringContaining('Wrong campaign') },
      },
    ])
  })

  test('hold-06: makes a draft of a set of which nothing was sent, also when another hold stops the rest of it', async () => {
    const { engine, bluesky, threads } = await startTwo()
    const [one, other] = [await connectionOf(engine, 'BLUESKY'), await connectionOf(engine, 'THREADS')]
    await hold(engine, one)
    await hold(engine, other)
    const set = await engine.schedule({ accountTypes: ['BLUESKY', 'THREADS'] })
    await engine.drain()
    expect(await release(engine, 'park', one)).toEqual({ publishing: 0, parked: 1, failed: 0 })
    expect(await statusOf(engine, set)).toBe('DRAFT')
    expect(await release(engine, 'publish', other)).toEqual({ publishing: 0, parked: 0, failed: 0 })
    await engine.drain()
    expect([...bluesky.calls, ...threads.calls]).toEqual([])
  })

  test('makes a draft of a set whose other post is about to be sent, and that one is not sent', async () => {
    const { engine, bluesky, threads } = await startTwo({
      prepare: [
        async () => {
          await release(engine, 'park', await connectionOf(engine, 'BLUESKY'))
          return { kind: 'ready' }
        },
      ],
    })
    await hold(engine, await connectionOf(engine, 'BLUESKY'))
    const set = await engine.schedule({ accountTypes: ['BLUESKY', 'THREADS'] })
    await engine.drain()
    expect([bluesky.calls, threads.calls]).toEqual([[], ['prepare']])
    expect(await statusOf(engine, set)).toBe('DRAFT')
  })
})

test('what is moved while a release waits for it is left alone', async () => {
  const { engine } = await start()
  await hold(engine)
  const set = await engine.schedule()
  const moving = await engine.db.startTransaction().execute()
  await moving
    .updateTable('post_sets')
    .set({ scheduled_at: new Date('2090-01-01') })
    .where('id', '=', set)
    .execute()
  const releasing = release(engine, 'park')
  await sessionWaits(engine, 'transactionid')
  await moving.commit().execute()
  expect(await releasing).toEqual({ publishing: 0, parked: 0, failed: 0 })
  expect(await statusOf(engine, set)).toBe('SCHEDULED')
})

test('the hold of a connection that is closed can be released by the id of the connection', async () => {
  const { engine } = await start()
  const target = await connectionOf(engine, 'BLUESKY')
  await hold(engine, target)
  const set = await engine.schedule()
  await engine.drain()
  await engine.db.updateTable('connections').set({ closed_at: new Date() }).execute()
  expect(await release(engine, 'park', target)).toEqual({ publishing: 0, parked: 1, failed: 0 })
  expect(await statusOf(engine, set)).toBe('DRAFT')
})

describe('holds that overlap', () => {
  test.each(['publish', 'park'] as const)('%s decides nothing about what another hold covers', async (late) => {
    const { engine, network } = await start()
    const account = await accountOf(engine)
    await hold(engine)
    await hold(engine, account)
    const set = await engine.schedule()
    expect(await release(engine, late, account)).toEqual({ publishing: 0, parked: 0, failed: 0 })
    await engine.drain()
    expect(await statusOf(engine, set)).toBe('SCHEDULED')
    expect(network.calls).toEqual([])
    await release(engine, 'publish')
    await engine.drain()
    expect(await statusOf(engine, set)).toBe('PUBLISHED')
  })

  test('a connection under a held social set waits for both', async () => {
    const { engine, network } = await start()
    const connection = await connectionOf(engine, 'BLUESKY')
    const set = await engine.schedule()
    await engine.look()
    await hold(engine)
    await hold(engine, connection)
    await release(engine, 'park')
    await engine.advance(HOUR_MS)
    await engine.drain()
    expect(network.calls).toEqual([])
    expect(await statusOf(engine, set)).toBe('PUBLISHING')
    expect(await release(engine, 'park', connection)).toEqual({ publishing: 0, parked: 1, failed: 0 })
    expect(await statusOf(engine, set)).toBe('DRAFT')
  })
})

test('the due index gives what is due, also when many held sets are', async () => {
  const { engine } = await start()
  const [first = ''] = [await engine.schedule()]
  await sql`
    insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
    select gen_random_uuid(), account_id, social_set_id, scheduled_at - number * interval '1 second', 'SCHEDULED', 'NONE'
    from post_sets, generate_series(1, 5000) as number where id = ${first}`.execute(engine.db)
  await sql`
    insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
    select gen_random_uuid(), account_id, social_set_id, scheduled_at, 'PUBLISHED', 'NONE'
    from post_sets, generate_series(1, 4) where status = 'SCHEDULED'`.execute(engine.db)
  await sql`analyze all_post_sets`.execute(engine.db)
  await hold(engine)
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select id from post_sets
    where status = 'SCHEDULED' and scheduled_at <= almanac_now() and not exists (
      select from holds where holds.released_at is null and holds.account_id = post_sets.account_id
        and holds.connection_id is null
        and (holds.social_set_id is null or holds.social_set_id = post_sets.social_set_id))
    order by scheduled_at limit 100 for update skip locked`.execute(engine.db)
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Scan using post_sets_due/)
  expect(await engine.look()).toBe(0)
})

test('what waits for a release is found by indexes', async () => {
  const { engine } = await start()
  const past = await engine.schedule()
  await engine.drain()
  await sql`
    with made as (
      insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
      select gen_random_uuid(), account_id, social_set_id, scheduled_at, status, approval
      from post_sets, generate_series(1, 3000) where id = ${past}
      returning id, social_set_id
    ), posted as (
      insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
      select gen_random_uuid(), id, social_set_id, 0, 'BLUESKY', 'hello', '{}' from made
      returning id, post_set_id
    )
    insert into deliveries (id, post_set_id, post_id, content_version, account_type, connection_id, state, next_at,
      gives_up_at, result, finished_at)
    select gen_random_uuid(), posted.post_set_id, posted.id, 1, 'BLUESKY', connection_id, state, next_at, gives_up_at,
      result, finished_at
    from posted, deliveries`.execute(engine.db)
  const account = await accountOf(engine)
  const { hold: ofConnection } = await hold(engine, await connectionOf(engine, 'BLUESKY'))
  await engine.schedule()
  await engine.drain()
  const { hold: ofAccount } = await hold(engine, account)
  await engine.schedule()
  await sql`analyze`.execute(engine.db)
  for (const { id, socialSetId, connectionId } of [ofAccount, ofConnection]) {
    const released = { id, accountId: account, socialSetId, connectionId }
    const { db, plan } = explaining(engine.db)
    for (const query of [countLateSets, lockWaitingSets]) {
      await query(db, released)
      expect(plan()).toContain('deliveries_unfinished')
      expect(plan()).not.toMatch(/Seq Scan on (all_post_sets|deliveries)|post_sets_created/)
    }
  }
})
