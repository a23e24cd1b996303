import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { type Database, openDatabase } from '#persistence'
import { makeDataDir, startAlmanac } from '../test/_util/app.ts'
import { freePort } from '../test/_util/ports.ts'
import { parentOf, processorMs, processorMsOfTree } from './api/processes.ts'
import { startCountingProxy } from './lateness/counting-proxy.ts'
import { endWithUs, installBullMq, startProgram, startRedis } from './lateness/processes.ts'
import { fillAccounts, SECRET_KEY, schedule } from './lateness/seed.ts'
import { printTable } from './measure.ts'
import { type Place, withPlace } from './place.ts'

/**
 * How late posts leave that are due at once, what each of them costs, and how many leave in a second: Almanac's worker, a floor,
 * and BullMQ with Redis, in turns. README.md, "How late, and for how much".
 */
const { values } = parseArgs({
  options: {
    /** Posts that are due at once, and how often each number is measured. */
    sizes: { type: 'string', default: '1000,10000' },
    rounds: { type: 'string', default: '3,1' },
    /** Some of the sides alone: `almanac,floor,bullmq`. */
    only: { type: 'string', default: 'almanac,floor,bullmq' },
    /** How long a network takes for an answer. */
    'call-ms': { type: 'string', default: '200' },
    /** Seconds of the steady flow of twenty posts a second; 0 for none. */
    steady: { type: 'string', default: '30' },
    /** Counts statements and commits instead of measuring. */
    count: { type: 'boolean', default: false },
    /** A folder with `node_modules/bullmq`, instead of one that is made for this run. */
    bullmq: { type: 'string', default: '' },
    /** Starts Almanac with `NODE_OPTIONS` of this, for a profile. */
    node: { type: 'string', default: '' },
    dir: { type: 'string' },
  },
})

const SLOTS = 200
/** As many for the four networks that are used here: each of the ten keeps ten for itself. */
const SLOTS_OF_ALMANAC = String(SLOTS + 6 * 10)
const STEADY_EVERY_MS = 50

/** One of those that are compared, with the database that it works on. */
interface Side {
  name: string
  db: Database
  /** The process that sends, and those beside it that only this side needs. */
  pid: number
  others: readonly number[]
  /** Hears that posts were scheduled; resolves when it knows them. */
  scheduled(): Promise<unknown>
}

interface Round {
  count: number
  /** In milliseconds, sorted. */
  lateness: number[]
  /** From the time of the posts to the end of the last one. */
  seconds: number
  calls: number
  /** Processor time of a post, in milliseconds. */
  nodeMs: number
  databaseMs: number
  otherMs: number
  load: number
}

await withPlace(values.dir, async (place) => {
  await using closing = new AsyncDisposableStack()
  const networks = await startProgram('networks.ts', { NETWORK_CALL_MS: values['call-ms'] })
  closing.defer(() => networks.stop())
  if (values.count) await countAll(place, networks.said, closing)
  else await compare(await openSides(place, networks.said, closing), networks.said)
})

async function openSides(place: Place, networksUrl: string, closing: AsyncDisposableStack): Promise<Side[]> {
  const wanted = values.only.split(',')
  const sides: Side[] = []
  if (wanted.includes('almanac')) sides.push(await openAlmanac(place, networksUrl, closing))
  if (wanted.includes('floor')) sides.push(await openFloor(place, networksUrl, closing))
  const bullmq = wanted.includes('bullmq') ? await openBullMq(place, networksUrl, closing) : null
  if (bullmq) sides.push(bullmq)
  return sides
}

async function openDatabaseOf(place: Place, name: string, closing: AsyncDisposableStack) {
  const url = await place.url(`lateness_${name}`, fillAccounts)
  const db = openDatabase(url, { poolSize: 2 })
  closing.defer(() => db.destroy())
  return { url, db }
}

async function openAlmanac(place: Place, networksUrl: string, closing: AsyncDisposableStack): Promise<Side> {
  const { url, db } = await openDatabaseOf(place, 'almanac', closing)
  const { pid } = await startWorker(url, networksUrl, closing)
  return { name: 'Almanac', db, pid, others: [], scheduled: async () => {} }
}

async function startWorker(
  databaseUrl: string,
  networksUrl: string,
  closing: AsyncDisposableStack,
): Promise<{ pid: number }> {
  const data = await makeDataDir()
  closing.defer(() => data.remove())
  const port = await freePort()
  const worker = await startAlmanac({
    process: 'worker',
    settings: {
      DATABASE_URL: databaseUrl,
      ALMANAC_DATA_DIR: data.path,
      ALMANAC_WORKER_PORT: port,
      ALMANAC_SECRET_KEY: SECRET_KEY.toString('base64'),
      ALMANAC_SANDBOX: 'off',
      ALMANAC_BLUESKY_SERVICE_URL: `${networksUrl}/bluesky`,
      ALMANAC_FACEBOOK_GRAPH_URL: `${networksUrl}/facebook`,
      ALMANAC_LINKEDIN_API_URL: `${networksUrl}/linkedin`,
      ALMANAC_X_API_URL: `${networksUrl}/x`,
      ALMANAC_SLOTS: SLOTS_OF_ALMANAC,
      NODE_OPTIONS: values.node,
    },
  })
  endWithUs(worker.process)
  closing.defer(async () => void (await worker.stop()))
  return { pid: worker.process.pid ?? 0 }
}

async function openFloor(place: Place, networksUrl: string, closing: AsyncDisposableStack): Promise<Side> {
  const { url, db } = await openDatabaseOf(place, 'floor', closing)
  const floor = await startProgram('floor.ts', {
    ...{ DATABASE_URL: url, NETWORKS_URL: networksUrl, SLOTS: String(SLOTS) },
  })
  closing.defer(() => floor.stop())
  return { name: 'floor', db, pid: floor.pid, others: [], scheduled: async () => void floor.ask().catch(() => {}) }
}

async function openBullMq(place: Place, networksUrl: string, closing: AsyncDisposableStack): Promise<Side | null> {
  const redis = await startRedis()
  if (!redis) {
    console.log('Without BullMQ: there is no redis-server here.')
    return null
  }
  closing.defer(() => redis.stop())
  const installed = await installBullMq(values.bullmq)
  if (!installed) {
    console.log('Without BullMQ: its package is not there.')
    return null
  }
  closing.defer(() => installed.remove())
  const { url, db } = await openDatabaseOf(place, 'bullmq', closing)
  const settings = {
    ...{ DATABASE_URL: url, NETWORKS_URL: networksUrl, SLOTS: String(SLOTS) },
    ...{ BULLMQ_DIR: installed.dir, REDIS_PORT: redis.port },
  }
  const producer = await startProgram('bullmq.ts', { ...settings, ROLE: 'producer' })
  closing.defer(() => producer.stop())
  const worker = await startProgram('bullmq.ts', { ...settings, ROLE: 'worker' })
  closing.defer(() => worker.stop())
  return { name: 'BullMQ', db, pid: worker.pid, others: [redis.pid], scheduled: () => producer.ask() }
}

async function compare(sides: readonly Side[], networksUrl: string): Promise<void> {
  const [first] = sides
  if (!first) return
  const postmaster = await postmasterOf(first.db)
  // Everything has been run once before it is measured, and the tables are known to the planner.
  for (const side of sides) await measure(side, { count: 400, everyMs: 0 })
  const rounds = values.rounds.split(',').map(Number)
  for (const [index, size] of values.sizes.split(',').map(Number).entries()) {
    const measured = new Map(sides.map((side): [Side, Round[]] => [side, []]))
    for (let round = 0; round < (rounds[index] ?? 1); round++) {
      // The first one finds the machine as the one before has left it: so they take turns in that, too.
      for (let nth = 0; nth < sides.length; nth++) {
        const side = sides[(round + nth) % sides.length] ?? first
        const one = await measure(side, { count: size, everyMs: 0 })
        measured.get(side)?.push(one)
        console.error(`${side.name}, ${size}: p99 ${quantile(one, 0.99).toFixed(0)} ms, load ${one.load.toFixed(1)}`)
      }
    }
    print(
      `${size} posts due at once, calls of ${values['call-ms']} ms; middle of ${rounds[index] ?? 1} rounds`,
      measured,
    )
  }
  const seconds = Number(values.steady)
  if (seconds === 0) return
  const steady = new Map<Side, Round[]>()
  for (const side of sides) {
    const count = (seconds * 1_000) / STEADY_EVERY_MS
    steady.set(side, [await measure(side, { count, everyMs: STEADY_EVERY_MS })])
  }
  print(`${1_000 / STEADY_EVERY_MS} posts a second for ${seconds} s`, steady)

  async function measure(side: Side, { count, everyMs }: { count: number; everyMs: number }): Promise<Round> {
    await sql`vacuum analyze all_post_sets, posts, deliveries, history`.execute(side.db)
    const leadMs = 3_000 + count / 2
    const at = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + leadMs)
    await schedule(side.db, { count, at, everyMs })
    await sql`analyze all_post_sets, posts`.execute(side.db)
    await report(networksUrl)
    await side.scheduled()
    const ahead = at.getTime() - Date.now() - 200
    if (ahead < 0) throw new Error(`${side.name}: the posts were due before they were scheduled.`)
    await pause(ahead)
    const before = { node: processorMs(side.pid), database: processorMsOfTree(postmaster), other: sum(side.others) }
    await allSent(side.db, networksUrl, count)
    const perPost = (ms: number) => ms / count
    const nodeMs = perPost(processorMs(side.pid) - before.node)
    const databaseMs = perPost(processorMsOfTree(postmaster) - before.database)
    const otherMs = perPost(sum(side.others) - before.other)
    const { lateness, calls } = await report(networksUrl)
    const ended = await lastEnd(side.db)
    return {
      ...{ count, lateness: lateness.toSorted((a, b) => a - b), calls, nodeMs, databaseMs, otherMs },
      ...{ seconds: (ended.getTime() - at.getTime()) / 1_000, load: loadavg()[0] ?? 0 },
    }
  }
}

function sum(pids: readonly number[]): number {
  return pids.reduce((all, pid) => all + processorMs(pid), 0)
}

/** The figures of the networks since the last report. */
async function report(networksUrl: string): Promise<{ calls: number; lateness: number[] }> {
  const answer = await fetch(`${networksUrl}/report?reset`, { headers: { connection: 'close' } })
  return (await answer.json()) as { calls: number; lateness: number[] }
}

/** Waits until so many posts have come to their networks, and all sets have ended. */
async function allSent(db: Database, networksUrl: string, count: number): Promise<void> {
  for (const until = performance.now() + 600_000; performance.now() < until; await pause(250)) {
    const answer = await fetch(`${networksUrl}/report`, { headers: { connection: 'close' } })
    const { lateness } = (await answer.json()) as { lateness: number[] }
    await noneFailed(db)
    if (lateness.length < count) continue
    const { rows } = await sql<{ open: number }>`
      select count(*) as open from post_sets where status <> 'PUBLISHED'`.execute(db)
    if (rows[0]?.open === 0) return
  }
  throw new Error('Not all posts were sent.')
}

async function noneFailed(db: Database): Promise<void> {
  const { rows } = await sql<{ result: object }>`
    select result from deliveries where result ->> 'status' <> 'POSTED' limit 1`.execute(db)
  if (rows[0]) throw new Error(`A post failed: ${JSON.stringify(rows[0].result)}`)
}

async function lastEnd(db: Database): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select max(published_at) as at from all_post_sets`.execute(db)
  return rows[0]?.at ?? new Date(Number.NaN)
}

function quantile({ lateness }: Round, part: number): number {
  return lateness[Math.min(lateness.length - 1, Math.floor(part * lateness.length))] ?? Number.NaN
}

/** Each figure is the middle of the rounds; beside it how much it is of the floor's. */
function print(title: string, measured: ReadonlyMap<Side, readonly Round[]>): void {
  const middle = (rounds: readonly Round[], of: (round: Round) => number) => {
    const sorted = rounds.map(of).toSorted((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  }
  const floor = [...measured].find(([side]) => side.name === 'floor')?.[1] ?? []
  const rows = [...measured].map(([side, rounds]) => {
    const of = (read: (round: Round) => number) => middle(rounds, read)
    const ofFloor = (read: (round: Round) => number) => `${(of(read) / middle(floor, read)).toFixed(2)}`
    const p99 = (round: Round) => quantile(round, 0.99)
    const rate = ({ count, seconds }: Round) => count / seconds
    const all = ({ nodeMs, databaseMs, otherMs }: Round) => nodeMs + databaseMs + otherMs
    return [
      ...[side.name, of((round) => quantile(round, 0.5)).toFixed(0), of(p99).toFixed(0), ofFloor(p99)],
      ...[of(rate).toFixed(1), ofFloor(rate)],
      ...[of(all), of(({ nodeMs }) => nodeMs), of(({ databaseMs }) => databaseMs), of(({ otherMs }) => otherMs)].map(
        (ms) => ms.toFixed(1),
      ),
      of(({ calls, count }) => calls / count).toFixed(2),
      of(({ load }) => load).toFixed(1),
    ]
  })
  printTable(
    title,
    [
      ...['', 'p50 ms', 'p99 ms', 'of floor', 'a second', 'of floor'],
      ...['cpu ms a post', 'node', 'PostgreSQL', 'Redis', 'calls', 'load'],
    ],
    rows,
  )
}

/** Statements and commits of Almanac's worker for a post, all at once and at a steady flow. */
async function countAll(place: Place, networksUrl: string, closing: AsyncDisposableStack): Promise<void> {
  const { url, db } = await openDatabaseOf(place, 'counted', closing)
  const proxy = await startCountingProxy(url)
  closing.defer(() => proxy.close())
  await startWorker(proxy.url, networksUrl, closing)
  for (const { count, everyMs } of [
    { count: 1_000, everyMs: 0 },
    { count: 200, everyMs: STEADY_EVERY_MS },
  ]) {
    const at = new Date(Date.now() + 3_000)
    await schedule(db, { count, at, everyMs })
    await sql`analyze all_post_sets, posts`.execute(db)
    await report(networksUrl)
    await pause(at.getTime() - Date.now() - 100)
    proxy.reset()
    const before = await transactions(db)
    await allSent(db, networksUrl, count)
    const after = await transactions(db)
    const { statements, around } = proxy.counts()
    const all = [...statements.values()].reduce((whole, each) => whole + each, 0)
    const { calls } = await report(networksUrl)
    const each = (number: number) => (number / count).toFixed(2)
    printTable(
      everyMs === 0 ? `A post of ${count} that are due at once` : `A post of ${1_000 / everyMs} a second`,
      ['', 'each'],
      [
        ['calls', each(calls)],
        ['commits that write', each(after - before)],
        ['statements', each(all)],
        ['begins and ends of transactions', each(around)],
        ...[...statements].toSorted(([, a], [, b]) => b - a).map(([text, number]) => [`  ${text}`, each(number)]),
      ],
    )
  }
  await printHotUpdates(db)
}

/** How many of the updates stay on the page of their row, and so need no entry in any index. */
async function printHotUpdates(db: Database): Promise<void> {
  // Sessions report what they have done once a second.
  await pause(1_500)
  const { rows } = await sql<{ name: string; updates: number; hot: number }>`
    select relname as name, n_tup_upd::int as updates, n_tup_hot_upd::int as hot
    from pg_stat_user_tables where n_tup_upd >= 100 order by updates desc`.execute(db)
  printTable(
    'Updates that stay on the page of their row',
    ['table', 'updates', 'of them', 'share'],
    rows.map(({ name, updates, hot }) => [name, updates, hot, `${((100 * hot) / updates).toFixed(0)} %`].map(String)),
  )
}

/** The number of the next transaction that writes: only those have one. */
async function transactions(db: Database): Promise<number> {
  const { rows } = await sql<{ next: string }>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as next`.execute(db)
  return Number(rows[0]?.next)
}

async function postmasterOf(db: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const parent = parentOf(rows[0]?.pid ?? 0)
  if (parent === null) throw new Error('The processes of PostgreSQL cannot be read here.')
  return parent
}
