import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Database } from '#persistence'
import { byFrequency, startCountingProxy, statementsIn } from './lateness/counting-proxy.ts'
import { startProgram } from './lateness/processes.ts'
import { schedule } from './lateness/seed.ts'
import {
  allSent,
  measureRound,
  openDatabaseOf,
  openSides,
  quantile,
  type Round,
  report,
  type Side,
  startWorker,
} from './lateness/sides.ts'
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

const STEADY_EVERY_MS = 50

await withPlace(values.dir, async (place) => {
  await using closing = new AsyncDisposableStack()
  const networks = await startProgram('networks.ts', { NETWORK_CALL_MS: values['call-ms'] })
  closing.defer(() => networks.stop())
  if (values.count) await countAll(place, networks.said, closing)
  else {
    const { only, bullmq, node } = values
    const sides = await openSides({ place, networksUrl: networks.said, closing, only: only.split(','), bullmq, node })
    await compare(sides, networks.said)
  }
})

async function compare(sides: readonly Side[], networksUrl: string): Promise<void> {
  const [first] = sides
  if (!first) return
  const measure = (side: Side, posts: { count: number; everyMs: number }) => measureRound(side, networksUrl, posts)
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
  const { url, db } = await openDatabaseOf({ place, closing }, 'counted')
  const proxy = await startCountingProxy(url)
  closing.defer(() => proxy.close())
  await startWorker(proxy.url, { networksUrl, closing, node: values.node })
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
    const counts = proxy.counts()
    const { calls } = await report(networksUrl)
    const each = (number: number) => (number / count).toFixed(2)
    printTable(
      everyMs === 0 ? `A post of ${count} that are due at once` : `A post of ${1_000 / everyMs} a second`,
      ['', 'each'],
      [
        ['calls', each(calls)],
        ['commits that write', each(after - before)],
        ['statements', each(statementsIn(counts))],
        ['begins and ends of transactions', each(counts.around)],
        ...byFrequency(counts).map(([text, number]) => [`  ${text}`, each(number)]),
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
