import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, openDatabase } from '#persistence'
import { makeDataDir, startAlmanac } from '../../test/_util/processes/app.ts'
import { freePort } from '../../test/_util/processes/ports.ts'
import { parentOf, processorMs, processorMsOfTree } from '../api/processes.ts'
import type { Place } from '../place.ts'
import { endWithUs, installBullMq, startProgram, startRedis } from './processes.ts'
import { fillAccounts, type Kind, SECRET_KEY, schedule } from './seed.ts'

/** Those that are compared: Almanac's worker, a floor, and BullMQ with Redis, each with a database of its own. */

const SLOTS = 200
/** As many for the networks that are used here: each of the ten keeps ten for itself. */
const SLOTS_OF_ALMANAC = String(SLOTS + 6 * 10)

/** One of those that are compared, with the database that it works on. */
export interface Side {
  name: string
  db: Database
  /** The process that sends, and those beside it that only this side needs. */
  pid: number
  others: readonly number[]
  /** Hears that posts were scheduled; resolves when it knows them. */
  scheduled(): Promise<unknown>
}

export interface Round {
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

interface SideOptions {
  place: Place
  networksUrl: string
  closing: AsyncDisposableStack
  /** Which of `almanac`, `floor`, `bullmq`. */
  only: readonly string[]
  /** A folder with `node_modules/bullmq`; empty: one is made. */
  bullmq: string
  /** `NODE_OPTIONS` of Almanac. */
  node: string
}

export async function openSides(options: SideOptions): Promise<Side[]> {
  const sides: Side[] = []
  if (options.only.includes('almanac')) sides.push(await openAlmanac(options))
  if (options.only.includes('floor')) sides.push(await openFloor(options))
  const bullmq = options.only.includes('bullmq') ? await openBullMq(options) : null
  if (bullmq) sides.push(bullmq)
  return sides
}

export async function openDatabaseOf(
  { place, closing }: Pick<SideOptions, 'place' | 'closing'>,
  name: string,
): Promise<{ url: string; db: Database }> {
  const url = await place.url(`lateness_${name}`, fillAccounts)
  const db = openDatabase(url, { poolSize: 2 })
  closing.defer(() => db.destroy())
  return { url, db }
}

async function openAlmanac(options: SideOptions): Promise<Side> {
  const { url, db } = await openDatabaseOf(options, 'almanac')
  const { pid } = await startWorker(url, options)
  return { name: 'Almanac', db, pid, others: [], scheduled: async () => {} }
}

export async function startWorker(
  databaseUrl: string,
  { networksUrl, closing, node }: Pick<SideOptions, 'networksUrl' | 'closing' | 'node'>,
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
      ALMANAC_THREADS_GRAPH_URL: `${networksUrl}/threads`,
      ALMANAC_X_API_URL: `${networksUrl}/x`,
      ALMANAC_SLOTS: SLOTS_OF_ALMANAC,
      NODE_OPTIONS: node,
    },
  })
  endWithUs(worker.process)
  closing.defer(async () => void (await worker.stop()))
  return { pid: worker.process.pid ?? 0 }
}

async function openFloor(options: SideOptions): Promise<Side> {
  const { url, db } = await openDatabaseOf(options, 'floor')
  const floor = await startProgram('floor.ts', {
    ...{ DATABASE_URL: url, NETWORKS_URL: options.networksUrl, SLOTS: String(SLOTS) },
  })
  options.closing.defer(() => floor.stop())
  return { name: 'floor', db, pid: floor.pid, others: [], scheduled: async () => void floor.ask().catch(() => {}) }
}

async function openBullMq(options: SideOptions): Promise<Side | null> {
  const { closing } = options
  const redis = await startRedis()
  if (!redis) {
    console.log('Without BullMQ: there is no redis-server here.')
    return null
  }
  closing.defer(() => redis.stop())
  const installed = await installBullMq(options.bullmq)
  if (!installed) {
    console.log('Without BullMQ: its package is not there.')
    return null
  }
  closing.defer(() => installed.remove())
  const { url, db } = await openDatabaseOf(options, 'bullmq')
  const settings = {
    ...{ DATABASE_URL: url, NETWORKS_URL: options.networksUrl, SLOTS: String(SLOTS) },
    ...{ BULLMQ_DIR: installed.dir, REDIS_PORT: redis.port },
  }
  const producer = await startProgram('bullmq.ts', { ...settings, ROLE: 'producer' })
  closing.defer(() => producer.stop())
  const worker = await startProgram('bullmq.ts', { ...settings, ROLE: 'worker' })
  closing.defer(() => worker.stop())
  return { name: 'BullMQ', db, pid: worker.pid, others: [redis.pid], scheduled: () => producer.ask() }
}

/** Schedules posts on a side and waits for their ends: how late they came, and what they cost. */
export async function measureRound(
  side: Side,
  networksUrl: string,
  { count, everyMs, kind = 'texts' }: { count: number; everyMs: number; kind?: Kind },
): Promise<Round> {
  const postmaster = await postmasterOf(side.db)
  await sql`vacuum analyze all_post_sets, posts, deliveries, history`.execute(side.db)
  const leadMs = 3_000 + (everyMs === 0 ? count / 2 : 0)
  const at = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + leadMs)
  await schedule(side.db, { count, at, everyMs, kind })
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

function sum(pids: readonly number[]): number {
  return pids.reduce((all, pid) => all + processorMs(pid), 0)
}

/** The figures of the networks since the last report. */
export async function report(networksUrl: string): Promise<{ calls: number; lateness: number[] }> {
  const answer = await fetch(`${networksUrl}/report?reset`, { headers: { connection: 'close' } })
  return (await answer.json()) as { calls: number; lateness: number[] }
}

/** Waits until so many posts have come to their networks, and all sets have ended. */
export async function allSent(db: Database, networksUrl: string, count: number): Promise<void> {
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

export function quantile({ lateness }: Pick<Round, 'lateness'>, part: number): number {
  return lateness[Math.min(lateness.length - 1, Math.floor(part * lateness.length))] ?? Number.NaN
}

/** The process of PostgreSQL that all of its others come from. */
export async function postmasterOf(db: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const parent = parentOf(rows[0]?.pid ?? 0)
  if (parent === null) throw new Error('The processes of PostgreSQL cannot be read here.')
  return parent
}
