import { CompiledQuery, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { readDueWhileHeld, releaseByOperator, resumeStart } from '#operations'
import {
  afterRestore,
  claimRenewals,
  importWaits,
  readHeldStart,
  readOldest,
  readReopened,
  takeChore,
  takeDueCalendar,
  takeMail,
  takeNextImport,
  takeReceiverSends,
  takeRefreshLease,
} from '#persistence'
import type { Engine } from '../_util/engine/engine.ts'
import { holdAsCopy, putInState } from '../_util/engine/held-start.ts'
import { connectionOf, fencedCount, HOUR_MS, hold, holdEngines, release, statusOf } from '../_util/engine/holds.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

/** What a start that is held keeps back in workers that run already, and what letting it go on does. */

const engines = holdEngines()
const OPERATOR = { type: 'OPERATOR', id: null, name: 'operator' } as const
/** Keys and links that are ended on the way. */
const NOTHING = { keys: 0, links: 0, webhooks: 0 }
const park = (engine: Engine) => resumeStart(engine, { late: 'PARK', postSets: null }, OPERATOR)
const labelsOn = async ({ db }: Engine, id: string) => {
  const { rows } = await sql<{ name: string }>`
    select name from post_set_labels join labels on labels.id = label_id where post_set_id = ${id}`.execute(db)
  return rows.map(({ name }) => name)
}

test('nothing is claimed, and nothing is taken, not even what is looked up', async () => {
  const { engine, network } = await engines.start()
  const due = await engine.schedule()
  const unknown = await engine.schedule()
  await putInState(engine.db, unknown, 'LOOKING_UP')
  await holdAsCopy(engine.db)
  expect(await engine.look()).toBe(0)
  expect(await engine.take()).toEqual([])
  expect(network.calls).toEqual([])
  expect(await statusOf(engine, due)).toBe('SCHEDULED')
  // What waits for a person is no backlog.
  expect(await readOldest(engine.db)).toEqual({ dueAt: null, pastLeaseAt: null })
})

test('no token, calendar, import, alert, mail or chore is taken, before any process has looked', async () => {
  const { engine } = await engines.start()
  const { db, identityId } = engine
  await putInState(db, await engine.schedule(), 'DONE')
  for (const statement of [
    `update network_identities set secret = '1', secret_key_id = 'k', renew_after = almanac_now() - interval '1 day'`,
    `insert into users (id, name, email) values (gen_random_uuid(), 'Ada', 'ada@example.test')`,
    `insert into imported_calendars (id, account_id, social_set_id, name, hex_color, file, file_name)
      select gen_random_uuid(), account_id, id, 'Holidays', '#112233', '1', 'a.ics' from social_sets`,
    `insert into media_uploads (id, account_id, social_set_id, url)
      select gen_random_uuid(), account_id, id, 'https://example.test/a.jpg' from social_sets`,
    `insert into news_sends (id, news_id, account_id, way, state, next_at, ends_at, user_id, cause)
      select gen_random_uuid(), news.id, account_id, way, 'WAITING', almanac_now(), almanac_now() + interval '1 day',
        case way when 'MAIL' then users.id end, case way when 'MAIL' then 'FAILED' end
      from news, users, unnest(array['RECEIVER', 'MAIL']) as ways (way)`,
    `insert into chores (name) values ('a')`,
  ]) {
    await sql.raw(statement).execute(db)
  }
  const { network } = await db.selectFrom('network_identities').select('network').executeTakeFirstOrThrow()
  const lease = { owner: newId(), ms: 0 }
  const imports = { maxAttempts: 5, exceptAccounts: [] }
  const claims = {
    renewal: async () => (await claimRenewals(db, network, { limit: 1, pausesMs: [0] })).length > 0,
    refresh: () => takeRefreshLease(db, identityId, { ...lease, seen: null }),
    calendar: async () => (await takeDueCalendar(db, lease, imports)) !== null,
    waiting: () => importWaits(db, imports),
    import: async () => (await takeNextImport(db, lease, imports)) !== null,
    alert: async () => (await takeReceiverSends(db, { limit: 1, leaseMs: 0 })).length > 0,
    mail: async () => (await takeMail(db, { leaseMs: 0, pauseMs: 0, paused: [] })) !== null,
    chore: async () => (await takeChore(db, ['a'], lease)) !== null,
  }
  const taken = async () => {
    const names: string[] = []
    for (const [name, claim] of Object.entries(claims)) if (await claim()) names.push(name)
    return names
  }
  // A lease of no length: each can be taken again.
  expect(await taken()).toEqual(Object.keys(claims))
  await holdAsCopy(db)
  expect(await taken()).toEqual([])
})

test('a post that a worker has in hand gets no fence once another process has held the start', async () => {
  const { engine, network } = await engines.start({}, { prepared: () => holdAsCopy(engine.db).then(() => {}) })
  const set = await engine.schedule()
  await engine.look()
  await engine.work()
  expect(network.calls).not.toContain('publish')
  expect(await fencedCount(engine)).toBe(0)
  expect(await engine.delivery(set)).toMatchObject({ place: 'WAITING', lease_owner: null, result: null })
  await park(engine)
  expect(await engine.set(set)).toMatchObject({ status: 'PUBLISHED', results: [{ status: 'FAILED' }] })
})

test('it is held once, by the first who notices, and ended once', async () => {
  const { engine } = await engines.start()
  expect([await holdAsCopy(engine.db), await holdAsCopy(engine.db)]).toEqual([true, false])
  const twice = await Promise.allSettled([park(engine), park(engine)])
  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await readHeldStart(engine.db)).toBeNull()
  const ended = await engine.db.selectFrom('held_starts').select(['ended_by', 'late']).execute()
  expect(ended).toEqual([{ ended_by: 'operator', late: 'PARK' }])
})

test('nothing becomes a draft without its label, as the first one of an account that comes due in that moment', async () => {
  const { engine } = await engines.start()
  const due = await engine.schedule()
  const other = await engine.newAccount()
  await holdAsCopy(engine.db)
  const { account_id: accountId } = await engine.db
    .selectFrom('post_sets')
    .select('account_id')
    .where('id', '=', due)
    .executeTakeFirstOrThrow()
  let parked: Promise<unknown> = Promise.resolve()
  let meanwhile = ''
  await engine.db.transaction().execute(async (trx) => {
    await sql`select from accounts where id = ${accountId} for update`.execute(trx)
    parked = park(engine)
    await expect
      .poll(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          engine.db,
        )
        return rows.length
      })
      .toBe(1)
    meanwhile = await engine.schedule({ socialSetId: other.socialSetId })
  })
  await parked
  expect([await statusOf(engine, due), await labelsOn(engine, due)]).toEqual(['DRAFT', ['May have gone out already']])
  expect(await statusOf(engine, meanwhile)).toBe('SCHEDULED')
})

test('what was due becomes drafts with a label, what was on its way ends in words, what is with a network is looked up', async () => {
  const { engine, network } = await engines.startTwo().then(({ engine, bluesky }) => ({ engine, network: bluesky }))
  const due = await engine.schedule()
  const later = await engine.schedule({ at: new Date(Date.now() + HOUR_MS).toISOString() })
  const [preparing, commenting, sending] = [await engine.schedule(), await engine.schedule(), await engine.schedule()]
  await putInState(engine.db, preparing, 'READY')
  await putInState(engine.db, commenting, 'FOLLOW_UP')
  await putInState(engine.db, sending, 'SENDING')
  await holdAsCopy(engine.db)
  const { total, sets } = await readDueWhileHeld(engine)
  expect([total, sets.map(({ postSetId }) => postSetId).sort()]).toEqual([2, [due, preparing].sort()])

  expect(await park(engine)).toEqual({ publishing: 0, parked: 1, failed: 1, closed: NOTHING })
  expect([await statusOf(engine, due), await labelsOn(engine, due)]).toEqual(['DRAFT', ['May have gone out already']])
  expect(await engine.history(due)).toEqual(['moved to drafts'])
  expect([await statusOf(engine, later), await labelsOn(engine, later)]).toEqual(['SCHEDULED', []])
  const words = expect.stringMatching(/^It may have gone out already/)
  expect(await engine.set(preparing)).toMatchObject({
    status: 'PUBLISHED',
    results: [{ status: 'FAILED', reason: 'UNKNOWN', message: words }],
  })
  expect(await engine.delivery(preparing)).toMatchObject({ surely_absent: false })
  expect(await engine.set(commenting)).toMatchObject({
    results: [{ status: 'POSTED', warnings: [{ message: expect.stringContaining('may have gone out already') }] }],
  })
  await engine.advance(2 * 60_000)
  await engine.work()
  expect(network.calls[0]).toBe('find')
})

test('sets whose first comments end are locked with those that wait, in the order of their ids', async () => {
  const { engine } = await engines.startTwo()
  const commenting = await engine.schedule()
  const due = await engine.schedule()
  await putInState(engine.db, commenting, 'FOLLOW_UP')
  await holdAsCopy(engine.db)
  expect(await parkBehind(engine, commenting, due, () => park(engine))).toMatchObject({ parked: 1 })
})

/** Parks while somebody holds the first of two sets and then takes the second, as everyone does who locks several. */
async function parkBehind<T>(engine: Engine, first: string, second: string, parks: () => Promise<T>): Promise<T> {
  const { parking } = await engine.db.transaction().execute(async (trx) => {
    const lock = (id: string) => sql`select from post_sets where id = ${id} for update nowait`.execute(trx)
    await lock(first)
    const begun = parks()
    begun.catch(() => {})
    await untilSomeoneWaits(engine.db)
    await lock(second)
    return { parking: begun }
  })
  return parking
}

test('holds that were there before stay, with what they keep', async () => {
  const { engine } = await engines.startTwo()
  const whole = await engine.schedule({ accountTypes: ['BLUESKY', 'THREADS'] })
  const other = await engine.newBrand()
  const elsewhere = await engine.schedule({ socialSetId: other.socialSetId })
  await hold(engine, await connectionOf(engine, 'THREADS'))
  await holdAsCopy(engine.db)
  await hold(engine)
  expect(await park(engine)).toEqual({ publishing: 0, parked: 1, failed: 0, closed: NOTHING })
  expect([await statusOf(engine, whole), await statusOf(engine, elsewhere)]).toEqual(['SCHEDULED', 'DRAFT'])
  expect((await engine.db.selectFrom('holds').select('id').where('released_at', 'is', null).execute()).length).toBe(2)
})

describe('a hold that was there while the start was held is released later', () => {
  /** One set due before the start went on, one that comes due after that. */
  async function startHeld() {
    const started = await engines.startTwo()
    const { engine } = started
    await hold(engine)
    const before = await engine.schedule()
    await holdAsCopy(engine.db)
    await park(engine)
    await engine.advance(1_000)
    const after = await engine.schedule()
    return { ...started, before, after }
  }

  test('drafts of what was due then have the label, others have none', async () => {
    const { engine, before, after } = await startHeld()
    expect(await release(engine, 'park')).toEqual({ publishing: 0, parked: 2, failed: 0 })
    expect([await statusOf(engine, before), await labelsOn(engine, before)]).toEqual([
      'DRAFT',
      ['May have gone out already'],
    ])
    expect([await statusOf(engine, after), await labelsOn(engine, after)]).toEqual(['DRAFT', []])
  })

  test('it is published only with the number of those that may have gone out', async () => {
    const { engine, bluesky } = await startHeld()
    const publish = (count?: number) =>
      releaseByOperator(engine, { id: engine.socialSetId, late: 'publish', ...(count && { count }) }, OPERATOR)
    for (const wrong of [undefined, 2])
      await expect(publish(wrong)).rejects.toThrow(/^1 waiting post set may already have/)
    await engine.drain()
    expect(bluesky.calls).toEqual([])
    expect(await publish(1)).toEqual({ publishing: 2, parked: 0, failed: 0 })
    await engine.drain()
    expect(bluesky.calls.filter((call) => call === 'publish')).toHaveLength(2)
  })

  test('sets whose first comments end are locked with those that wait, in the order of their ids', async () => {
    const { engine } = await engines.startTwo()
    const commenting = await engine.schedule()
    await putInState(engine.db, commenting, 'FOLLOW_UP')
    await hold(engine)
    const due = await engine.schedule()
    await holdAsCopy(engine.db)
    await park(engine)
    await engine.advance(1_000)
    expect(await parkBehind(engine, commenting, due, () => release(engine, 'park'))).toMatchObject({ parked: 1 })
  })

  test('posts of sets that were begun, and first comments, end in the words for what may be live', async () => {
    const { engine } = await engines.startTwo()
    const target = await connectionOf(engine, 'BLUESKY')
    await hold(engine, target)
    const set = await engine.schedule({ accountTypes: ['BLUESKY', 'THREADS'] })
    const commenting = await engine.schedule()
    await engine.drain()
    await sql`
      update deliveries set state = 'FOLLOW_UP', handles = '{"providerId": "1", "permalink": null}'
      where post_set_id = ${commenting}`.execute(engine.db)
    await holdAsCopy(engine.db)
    await park(engine)
    expect(await release(engine, 'park', target)).toEqual({ publishing: 0, parked: 0, failed: 1 })
    const words = expect.stringMatching(/^It may have gone out already/)
    expect((await engine.set(set)).results).toEqual([
      { status: 'FAILED', reason: 'UNKNOWN', message: words },
      expect.objectContaining({ status: 'POSTED' }),
    ])
    expect((await engine.set(commenting)).results).toMatchObject([
      { status: 'POSTED', warnings: [{ message: expect.stringContaining('may have gone out already') }] },
    ])
    const ended = await engine.db
      .selectFrom('deliveries')
      .select('surely_absent')
      .where('post_set_id', '=', set)
      .where('account_type', '=', 'BLUESKY')
      .executeTakeFirst()
    expect(ended).toEqual({ surely_absent: false })
    expect(await engine.db.selectFrom('news').select('kind').execute()).toEqual([{ kind: 'POST_UNKNOWN' }])
  })

  test('one that was placed after that asks nothing', async () => {
    const { engine } = await engines.startTwo()
    await holdAsCopy(engine.db)
    await park(engine)
    await engine.advance(1_000)
    await hold(engine)
    const set = await engine.schedule()
    expect(await release(engine, 'park')).toEqual({ publishing: 0, parked: 1, failed: 0 })
    expect(await labelsOn(engine, set)).toEqual([])
  })
})

test('it is published late only with the number that was asked about, and is not late then', async () => {
  const { engine, network } = await engines.start()
  const due = await engine.schedule()
  await holdAsCopy(engine.db)
  await engine.advance(12 * HOUR_MS)
  const publish = (postSets: number | null) => resumeStart(engine, { late: 'PUBLISH', postSets }, OPERATOR)
  for (const wrong of [null, 0, 2]) await expect(publish(wrong)).rejects.toThrow(/^1 post set was due/)
  expect(await readHeldStart(engine.db)).not.toBeNull()
  expect(await publish(1)).toEqual({ publishing: 1, parked: 0, failed: 0, closed: NOTHING })
  await engine.drain()
  expect(await engine.set(due)).toMatchObject({ status: 'PUBLISHED', results: [{ status: 'POSTED' }] })
  expect(network.calls).toContain('publish')
})

test('mails and alerts that were due meanwhile may have been sent, and are not sent again', async () => {
  const { engine } = await engines.start()
  const set = await engine.schedule()
  await putInState(engine.db, set, 'DONE')
  await sql`
    insert into news_sends (id, news_id, account_id, way, state, next_at, ends_at)
    select gen_random_uuid(), id, account_id, 'RECEIVER', 'WAITING', almanac_now() + later, almanac_now() + interval '1 day'
    from news, unnest(array[interval '0', interval '1 hour']) as times (later)`.execute(engine.db)
  await holdAsCopy(engine.db)
  await park(engine)
  const sends = await engine.db.selectFrom('news_sends').select(['state', 'error']).orderBy('next_at').execute()
  expect(sends).toEqual([
    { state: 'GIVEN_UP', error: null },
    { state: 'WAITING', error: null },
  ])
})

test('after a restore it says what may be open again, and ends it all when that is asked for', async () => {
  const { engine } = await engines.start()
  const { db } = engine
  expect(await readReopened(db)).toBeNull()
  const { rows } = await sql<{ id: string; name: string }>`select id, name from accounts limit 1`.execute(db)
  const { id, name } = rows[0] ?? { id: '', name: '' }
  for (const statement of [
    sql`insert into api_keys (id, account_id, name, prefix, secret_hash, scopes) values
      (gen_random_uuid(), ${id}, 'Open', 'a', '\x01', '{}'), (gen_random_uuid(), ${id}, 'Also open', 'b', '\x02', '{}')`,
    sql`insert into api_keys (id, account_id, name, prefix, secret_hash, scopes, revoked_at, revoked_by)
      values (gen_random_uuid(), ${id}, 'Ended', 'c', '\x03', '{}', almanac_now(), 'Ada')`,
    sql`insert into webhooks (id, account_id, url, key_id, created_by_name, ignore_own, secret, secret_key_id)
      select gen_random_uuid(), account_id, 'https://example.com', id, name, true, '\x05', 'a' from api_keys where name = 'Open'`,
    sql`insert into webhooks (id, account_id, url, created_by_name, ignore_own, secret, secret_key_id)
      values (gen_random_uuid(), ${id}, 'https://hooks.example.com/secret', 'Ada', false, '\x05', 'a')`,
    sql`insert into calendar_feeds (id, account_id, social_set_id, token_hash)
      select gen_random_uuid(), account_id, id, '\x04' from social_sets limit 1`,
  ])
    await statement.execute(db)
  const takenAt = new Date('2030-01-01T00:00:00Z')
  await db
    .transaction()
    .execute((trx) =>
      afterRestore((text, values = []) => trx.executeQuery(CompiledQuery.raw(text, values)), { takenAt, forget: [] }),
    )
  expect(await readReopened(db)).toMatchObject({ takenAt, keys: { count: 2 }, links: { count: 0, newest: [] } })
  expect((await readDueWhileHeld(engine)).reopened?.keys.newest).toContain(`Open (${name})`)
  expect((await readReopened(db))?.webhooks).toEqual({
    ...{ count: 2, newest: expect.arrayContaining([`hooks.example.com (${name})`, `example.com (${name})`]) },
  })
  const close = { keys: true, links: true }
  const resumed = await resumeStart(engine, { late: 'PARK', postSets: null }, OPERATOR, close)
  expect(resumed.closed).toEqual({ keys: 2, links: 0, webhooks: 1 })
  expect(await readReopened(db)).toMatchObject({ keys: { count: 0, newest: [] } })
  expect((await sql`select from calendar_feeds`.execute(db)).rows).toEqual([])
  const webhooks = await sql`select closed_why as why, enabled from webhooks order by url`.execute(db)
  expect(webhooks.rows).toEqual([
    { why: 'KEY_ENDED', enabled: true },
    { why: null, enabled: false },
  ])
})
