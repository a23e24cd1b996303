import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { type AlmanacEvent, SCOPES } from '#contract'
import { newId } from '#domain'
import { createKey } from '#operations'
import { type Database, insertAccount, insertSocialSet, openDatabase } from '#persistence'
import { load } from './api/load.ts'
import { parentOf, processorMs, processorMsOfTree } from './api/processes.ts'
import { inMs, printTable } from './measure.ts'
import { withPlace } from './place.ts'
import { openDataDir, startServer } from './server.ts'

/**
 * What events cost who writes, and how soon they are read:
 *
 *     node bench/events.ts
 */

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '9' },
    /** Length of one side of a pair. */
    ms: { type: 'string', default: '4000' },
    connections: { type: 'string', default: '8' },
    /** Changes of which it is measured how soon their events are read. */
    reads: { type: 'string', default: '200' },
  },
})
interface Side {
  perSecond: number
  cpuMs: number
}

const accountId = newId()
const socialSetId = newId()

await withPlace(undefined, async (place) => {
  const databaseUrl = await place.url('events', async (db) => {
    await insertAccount(db, { id: accountId, name: 'Bench', slug: accountId, plan: 'SCALE' })
    await insertSocialSet(db, { id: socialSetId, accountId, name: 'Brand', timezone: 'UTC' })
  })
  const db = openDatabase(databaseUrl, { poolSize: 2 })
  await using closing = new AsyncDisposableStack()
  const dataDir = await openDataDir(closing)
  closing.defer(() => db.destroy())
  const { key } = await createKey({ db }, { accountId, name: 'Bench', scopes: SCOPES, socialSetIds: null })
  const start = (settings: Record<string, string> = {}) => startServer(closing, { databaseUrl, dataDir, settings })
  const almanac = await start()
  const silent = await start({ NODE_OPTIONS: `--import=${new URL('api/without-events.ts', import.meta.url)}` })
  const headers = { authorization: `Bearer ${key}` }
  const post = { accountType: 'BLUESKY', caption: 'The summer harvest is in.', media: [] }
  const set = { socialSetId, scheduledAt: '2090-06-01T10:00:00Z', status: 'DRAFT', approval: 'NONE', posts: [post] }
  const request = { method: 'POST', path: '/v1/post-sets', headers, body: JSON.stringify(set) } as const
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const postmaster = parentOf(rows[0]?.pid ?? 0) ?? 0
  const servers = { on: almanac, off: silent }
  const worked = (side: 'on' | 'off') => processorMs(servers[side].process.pid ?? 0) + processorMsOfTree(postmaster)
  /** Creates a second, and processor time of each, in Almanac and in PostgreSQL, until all of them are events. */
  const create = async (side: 'on' | 'off', ms: number): Promise<Side> => {
    const before = worked(side)
    const connections = Number(values.connections)
    const { answers, seconds } = await load(servers[side].url, request, { connections, ms, status: 201 })
    await untilGiven(db)
    return { perSecond: answers / seconds, cpuMs: (worked(side) - before) / answers }
  }

  await create('on', 5_000)
  await create('off', 5_000)
  const said = await countEvents(db)
  await create('off', 500)
  if (said === 0 || (await countEvents(db)) !== said) throw new Error('The sides are not what they should be.')
  const pairs: Record<'on' | 'off', Side>[] = []
  for (let pair = 0; pair < Number(values.pairs); pair++) {
    const sides: Partial<Record<'on' | 'off', Side>> = {}
    // Each goes first in every other pair.
    for (const side of pair % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
      sides[side] = await create(side, Number(values.ms))
    }
    pairs.push(sides as Record<'on' | 'off', Side>)
  }
  const middle = (of: (pair: Record<'on' | 'off', Side>) => number) =>
    (pairs.map(of).toSorted((a, b) => a - b)[Math.floor(pairs.length / 2)] ?? 0).toFixed(3)
  printTable(
    `Post sets that are created in a second, ${values.connections} at once (load ${loadavg()
      .map((number) => number.toFixed(1))
      .join(', ')})`,
    ['pair', 'with events', 'without', 'ratio', 'cpu ms with', 'without', 'ratio'],
    [
      ...pairs.map(({ on, off }, at) => [
        `${at + 1}`,
        on.perSecond.toFixed(0),
        off.perSecond.toFixed(0),
        (on.perSecond / off.perSecond).toFixed(3),
        inMs(on.cpuMs),
        inMs(off.cpuMs),
        (off.cpuMs / on.cpuMs).toFixed(3),
      ]),
      [
        'middle',
        '',
        '',
        middle(({ on, off }) => on.perSecond / off.perSecond),
        '',
        '',
        middle(({ on, off }) => off.cpuMs / on.cpuMs),
      ],
    ],
  )

  const ask = async (path: string, init: RequestInit = {}) =>
    (
      await fetch(`${almanac.url}${path}`, { ...init, headers: { ...headers, 'content-type': 'application/json' } })
    ).json()
  let { nextAfter } = (await ask('/v1/events')) as { nextAfter: number }
  const delays: number[] = []
  while (delays.length < Number(values.reads)) {
    const asking = ask(`/v1/events?after=${nextAfter}&wait=20`)
    await ask('/v1/post-sets', { method: 'POST', body: request.body })
    const written = performance.now()
    const page = (await asking) as { data: AlmanacEvent[]; nextAfter: number }
    delays.push(performance.now() - written)
    nextAfter = page.nextAfter
  }
  const sorted = delays.toSorted((a, b) => a - b)
  const at = (part: number) => inMs(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0)
  printTable(
    'From the answer of a change to the answer with its event, ms',
    ['p50', 'p99', 'most'],
    [[at(0.5), at(0.99), at(1)]],
  )
})

async function countEvents(db: Database): Promise<number> {
  return (await sql<{ count: number }>`select count(*)::int as count from events`.execute(db)).rows[0]?.count ?? 0
}

/** What happened in one side of a pair is not work of the other one. */
async function untilGiven(db: Database): Promise<void> {
  while ((await sql`select from happened limit 1`.execute(db)).rows.length > 0)
    await new Promise((resolve) => setTimeout(resolve, 50))
}
