import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { newId } from '#domain'
import {
  claimDuePostSets,
  countPostSets,
  type Database,
  type DatabaseTransaction,
  insertConnection,
  insertIdentity,
  listCards,
  listPostSetRows,
  moveUp,
  nextDue,
  type PostSetFilters,
  takeDeliveries,
} from '#persistence'
import { inMs, printTable } from './measure.ts'
import { withPlace } from './place.ts'
import { CALENDAR, seed, WORDS } from './seed.ts'

/**
 * What claim, pull, month and search cost for a brand of 5,000 sets while the rest of the database grows; and what a pull costs
 * with ten deliveries waiting and with a hundred thousand. README.md, "Growth".
 *
 *     node bench/growth.ts [--sizes 10000,100000,1000000,10000000] [--dir /var/tmp/b]
 */
const { values } = parseArgs({
  options: { sizes: { type: 'string', default: '10000,100000,1000000' }, dir: { type: 'string' } },
})
const sizes = values.sizes.split(',').map(Number)

const BRAND_SETS = 5_000
/** Sets of each other brand. */
const OTHER_SETS = 1_000
const DUE = 100
const GIVE_UP_AFTER_MS = 24 * 3_600_000
const LANE = 'bluesky'
const RUNS = 9
const TABLES = ['all_post_sets', 'posts', 'deliveries', 'history']

interface Cost {
  ms: number
  buffers: number
}

class Undone extends Error {}

await withPlace(values.dir, async (place) => {
  const fill = async (db: Database) => {
    await seed(db, { name: 'growth', sizes: [{ sets: BRAND_SETS, times: 1 }] })
    await prepare(db)
  }
  const db = await place.database('growth', fill)
  const brand = await brandOf(db)
  const costs: { sets: number; cost: Map<string, Cost> }[] = []
  for (const size of sizes) {
    const since = performance.now()
    await growTo(db, size)
    console.error(`${size} sets after ${((performance.now() - since) / 1_000).toFixed(0)} s, load ${loadavg()[0]}`)
    costs.push({ sets: size, cost: await costsOf(db, brand) })
  }
  printGrowth(costs)
  await waitingTable(db, brand)
})

type Work = [name: string, work: (db: Database) => Promise<unknown>]

async function costsOf(db: Database, brand: Brand): Promise<Map<string, Cost>> {
  await makeDue(db, brand)
  const all: PostSetFilters = {
    ...{ socialSetId: brand.id, from: null, before: null, statuses: null, accountTypes: null },
    ...{ approvals: null, labelIds: null, search: null, externalId: null },
  }
  const day = (number: number) => new Date(CALENDAR.from.getTime() + number * 86_400_000)
  const seen = { accountId: brand.accountId, socialSetIds: null }
  const month = { ...all, from: day(900), before: day(930) }
  const search = (word: string) => async (on: Database) => {
    const wanted = { ...all, search: word }
    await listPostSetRows(on, wanted, [{ by: 'scheduledAt', direction: 'ASC' }], { limit: 25, offset: 0 })
    await countPostSets(on, wanted)
  }
  const due = {
    late: false,
    besideFull: false,
    newestFirst: false,
    limit: DUE,
    perConnection: 1_000_000,
    except: [],
  } as const
  const works: Work[] = [
    ['when the next set is due', (on) => nextDue(on)],
    [`claim of ${DUE}`, (on) => undone(on, (trx) => claimDuePostSets(trx, due, { lateLimitMs: 3_600_000 }))],
    ['pull of 20', (on) => undone(on, pull)],
    ['month of cards', (on) => listCards(on, seen, month, { limit: 2_001, captionCodePoints: 480 })],
    ['search, in half of the captions', search(WORDS.half)],
    ['search, in a hundredth', search(WORDS.hundredth)],
    ['search, in none', search(WORDS.none)],
  ]
  const costs = new Map<string, Cost>()
  for (const [name, work] of works) costs.set(name, await cost(db, work))
  return costs
}

function pull(trx: Database): Promise<unknown[]> {
  return takeDeliveries(
    trx,
    [{ lane: LANE, room: 20, late: 0, overShare: [], roomOverShare: 20 }],
    { owner: 'bench', ms: 40_000 },
    { begunOnly: false, closed: false, over: [] },
  )
}

/** Does the work in a transaction that is rolled back. */
async function undone(db: Database, work: (trx: DatabaseTransaction) => Promise<unknown>): Promise<void> {
  await db
    .transaction()
    .execute(async (trx) => {
      await work(trx)
      throw new Undone()
    })
    .catch((error) => {
      if (!(error instanceof Undone)) throw error
    })
}
/** The middle of some runs; buffers as the one connection's own counters report them, in the memory of PostgreSQL or not. */
async function cost(db: Database, work: (db: Database) => Promise<unknown>): Promise<Cost> {
  const runs: Cost[] = []
  for (let run = 0; run < RUNS + 2; run++) {
    const before = await buffersOf(db)
    const since = performance.now()
    await work(db)
    const ms = performance.now() - since
    runs.push({ ms, buffers: (await buffersOf(db)) - before })
  }
  const warm = runs.slice(2)
  const middle = (of: (cost: Cost) => number) => warm.map(of).toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0
  return { ms: middle(({ ms }) => ms), buffers: middle(({ buffers }) => buffers) }
}

async function buffersOf(db: Database): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ buffers: number }>`
    select sum(hits + reads)::float8 as buffers from pg_stat_get_backend_io(pg_backend_pid())`.execute(db)
  return rows[0]?.buffers ?? 0
}

interface Brand {
  id: string
  accountId: string
  connectionId: string
}

async function brandOf(db: Database): Promise<Brand> {
  const { rows } = await sql<Brand>`
    select social_set_id as id, account_id as "accountId", id as "connectionId" from connections limit 1`.execute(db)
  if (!rows[0]) throw new Error('The brand is not there.')
  return rows[0]
}

/** The connection of the brand, and deliveries as its published sets have them. */
async function prepare(db: Database): Promise<void> {
  const { rows } = await sql<{ id: string; accountId: string }>`
    select id, account_id as "accountId" from social_sets`.execute(db)
  const { id: socialSetId = '', accountId = '' } = rows[0] ?? {}
  const identityId = newId()
  await insertIdentity(db, {
    ...{ id: identityId, accountId, network: LANE, externalId: 'me', sandbox: false, endpoints: {} },
    ...{ secret: Buffer.from('sealed'), secretKeyId: 'bench', expiresAt: null },
  })
  await insertConnection(db, {
    ...{ id: newId(), accountId, socialSetId, identityId, accountType: 'BLUESKY', name: 'Me', username: null },
    ...{ profileUrl: null, avatarUrl: null, statusReason: null, defaults: {} },
  })
  // The sets that seed.ts schedules lie ahead.
  await sql`update all_post_sets set scheduled_at = scheduled_at + interval '40 years' where status = 'SCHEDULED'`.execute(
    db,
  )
  await sql`create table templates as
    select row_number() over (order by scheduled_at) as number, scheduled_at, created_at, status, approval, search_text,
      (select caption from posts where post_set_id = post_set.id and position = 0) as caption
    from post_sets post_set order by random() limit ${OTHER_SETS}`.execute(db)
  await sql`insert into deliveries (id, post_set_id, post_id, content_version, account_type, state, next_at, gives_up_at, result,
        finished_at)
      select gen_random_uuid(), post_set.id, post.id, 1, post.account_type, 'DONE', scheduled_at, scheduled_at,
        '{"status": "POSTED"}', scheduled_at
      from post_sets post_set join posts post on post.post_set_id = post_set.id
      where post_set.status = 'PUBLISHED'`.execute(db)
}

/** More brands of a thousand sets with a post, a delivery and a line of history each, until there are so many sets. */
async function growTo(db: Database, size: number): Promise<void> {
  const { rows } = await sql<{ sets: number }>`select count(*) as sets from all_post_sets`.execute(db)
  const brands = Math.floor((size - (rows[0]?.sets ?? 0)) / OTHER_SETS)
  if (brands > 0) {
    await db.connection().execute(async (connection) => {
      const run = (text: string) => sql.raw(text).execute(connection)
      await run(`set session_replication_role = replica; set synchronous_commit = off;
        set maintenance_work_mem = '1GB'; set work_mem = '256MB'; set max_parallel_maintenance_workers = 1`)
      const { rows: indexes } = await sql<{ name: string; definition: string }>`
        select indexname as name, indexdef as definition from pg_indexes
        where tablename = any(${TABLES}) and not exists (
          select from pg_constraint where conname = indexname
        )`.execute(connection)
      for (const { name } of indexes) await run(`drop index ${name}`)
      await run(`create temp table brands as select gen_random_uuid() as id from generate_series(1, ${brands});
        insert into accounts (id, name, slug, plan) select id, 'Other', id::text, 'SCALE' from brands;
        insert into social_sets (id, account_id, name, timezone) select id, id, 'Other', 'Europe/Berlin' from brands;
        create temp table added as select gen_random_uuid() as id, gen_random_uuid() as post_id, brands.id as brand, number
          from brands, templates;
        insert into all_post_sets (id, account_id, social_set_id, scheduled_at, created_at, status, approval, search_text)
          select added.id, brand, brand, scheduled_at, created_at, status, approval, search_text
          from added join templates using (number);
        insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
          select post_id, added.id, brand, 0, 'BLUESKY', caption, '{}' from added join templates using (number);
        insert into deliveries (id, post_set_id, post_id, content_version, account_type, state, next_at, gives_up_at, result,
            finished_at)
          select gen_random_uuid(), added.id, post_id, 1, 'BLUESKY', 'DONE', scheduled_at, scheduled_at,
            '{"status": "POSTED"}', scheduled_at
          from added join templates using (number) where status = 'PUBLISHED';
        insert into history (id, account_id, post_set_id, actor_type, actor_id, actor_name, action)
          select gen_random_uuid(), brand, id, 'USER', brand::text, 'Somebody', 'created' from added;
        drop table brands, added`)
      for (const { definition } of indexes) await run(definition)
      await run('reset all')
    })
  }
  for (const table of [...TABLES, 'social_sets', 'accounts']) await sql.raw(`vacuum analyze ${table}`).execute(db)
  await sql`checkpoint`.execute(db)
}

/** A hundred sets of the brand are due, and as many have been claimed: twenty of them are heads, the rest waits. */
async function makeDue(db: Database, brand: Brand): Promise<void> {
  await sql`delete from deliveries where state <> 'DONE'`.execute(db)
  await sql`
    update all_post_sets set status = 'SCHEDULED', scheduled_at = almanac_now() - interval '20 seconds',
      schedule_requested_at = almanac_now() - interval '20 seconds'
    where id in (
      select id from post_sets where social_set_id = ${brand.id} and status in ('DRAFT', 'SCHEDULED')
      order by id limit ${DUE}
    )`.execute(db)
  await waitingDeliveries(db, brand, DUE)
  await moveUp(db, [brand.connectionId], { perConnection: 20, giveUpAfterMs: GIVE_UP_AFTER_MS })
  for (const table of ['all_post_sets', 'deliveries']) await sql.raw(`vacuum analyze ${table}`).execute(db)
}

/** Deliveries of published sets of the brand, as if they had just been claimed: one version of content each. */
async function waitingDeliveries(db: Database, { id, accountId, connectionId }: Brand, count: number): Promise<void> {
  await sql`
    insert into deliveries (id, post_set_id, post_id, content_version, account_type, connection_id, state, next_at,
      gives_up_at, account_id, lane, due_at, place)
    select gen_random_uuid(), post_set_id, post.id, 1000 + version, 'BLUESKY', ${connectionId}, 'PREPARING', almanac_now(),
      almanac_now() + interval '1 day', ${accountId}, ${LANE}, almanac_now(), 'WAITING'
    from (
      select id, post_set_id from posts where social_set_id = ${id} and position = 0 order by id limit 1000
    ) as post, generate_series(1, ${Math.ceil(count / 1_000)}::int) as version
    limit ${count}`.execute(db)
}

function printGrowth(costs: readonly { sets: number; cost: Map<string, Cost> }[]): void {
  const [first] = costs
  const last = costs.at(-1)
  if (!first || !last) return
  const rows = [...first.cost.keys()].map((name) => {
    const of = (at: { cost: Map<string, Cost> }) => at.cost.get(name) ?? { ms: 0, buffers: 0 }
    return [
      name,
      ...costs.flatMap((at) => [inMs(of(at).ms), String(of(at).buffers)]),
      (of(last).ms / of(first).ms).toFixed(2),
      (of(last).buffers / of(first).buffers).toFixed(2),
    ]
  })
  printTable(
    `A brand of ${BRAND_SETS} sets, while the database grows (load ${loadavg()[0]?.toFixed(1)})`,
    ['', ...costs.flatMap(({ sets }) => [`${sets}: ms`, 'buffers']), '× ms', '× buffers'],
    rows,
  )
}

/** What a pull and the end of a delivery cost with few waiting and with many. */
async function waitingTable(db: Database, brand: Brand): Promise<void> {
  const rows: string[][] = []
  for (const count of [10, 100_000]) {
    await sql`delete from deliveries where state <> 'DONE'`.execute(db)
    await waitingDeliveries(db, brand, count)
    await moveUp(db, [brand.connectionId], { perConnection: 2, giveUpAfterMs: GIVE_UP_AFTER_MS })
    await sql`vacuum analyze deliveries`.execute(db)
    const pulled = await cost(db, (on) => undone(on, pull))
    const moved = await cost(db, (on) =>
      undone(on, (trx) => moveUp(trx, [brand.connectionId], { perConnection: 3, giveUpAfterMs: GIVE_UP_AFTER_MS })),
    )
    rows.push([String(count), inMs(pulled.ms), String(pulled.buffers), inMs(moved.ms), String(moved.buffers)])
  }
  printTable('With so many waiting', ['', 'pull ms', 'buffers', 'next head ms', 'buffers'], rows)
}
