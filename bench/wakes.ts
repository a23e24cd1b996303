import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { newId } from '#domain'
import { type Database, insertAccount, insertSocialSet, listenForWakes, openDatabase } from '#persistence'
import { printTable } from './measure.ts'
import { withPlace } from './place.ts'

/**
 * How many notifications posts cause, and what they cost: each commit with one waits for a lock of the whole server.
 *
 *     node bench/wakes.ts
 */

const ROUNDS = 3
const ROUND_MS = 2_000
const of = { accountId: newId(), socialSetId: newId() }

/** Commits a post that is due so many seconds from now. */
const schedule = (db: Database, seconds: number) =>
  sql`
    insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
    values (${newId()}, ${of.accountId}, ${of.socialSetId}, almanac_now() + ${seconds} * interval '1 second', 'SCHEDULED', 'NONE')`.execute(
    db,
  )

/** Commits a second, over so many connections at once. */
async function rate(db: Database, connections: number, seconds: number): Promise<number> {
  const since = performance.now()
  let commits = 0
  const one = async () => {
    for (; performance.now() - since < ROUND_MS; commits++) await schedule(db, seconds)
  }
  await Promise.all(Array.from({ length: connections }, one))
  return (commits / (performance.now() - since)) * 1_000
}

await withPlace(undefined, async (place) => {
  const url = await place.url('wakes', async (db) => {
    await insertAccount(db, { id: of.accountId, name: 'Bench', slug: of.accountId, plan: 'SCALE' })
    await insertSocialSet(db, { id: of.socialSetId, accountId: of.accountId, name: 'Brand', timezone: 'UTC' })
  })
  let heard = 0
  const listener = listenForWakes(url, {
    onWake(topic) {
      if (topic === 'posts') heard += 1
    },
    onLost: console.error,
  })
  const db = openDatabase(url, { poolSize: 32 })
  await pause(1_000)
  const heardDuring = async (work: () => Promise<unknown>) => {
    heard = 0
    await work()
    await pause(1_000)
    return String(heard)
  }
  const steady = async (seconds: number) => {
    for (let nth = 0; nth < 100; nth++) await Promise.all([schedule(db, seconds), pause(50)])
  }
  const thousand = (seconds: number) => Promise.all(Array.from({ length: 1_000 }, () => schedule(db, seconds)))
  printTable(
    'Notifications',
    ['', 'scheduled ahead', 'due when written'],
    [
      ['1,000 at once', await heardDuring(() => thousand(60)), await heardDuring(() => thousand(0))],
      ['20 a second, 100', await heardDuring(() => steady(60)), await heardDuring(() => steady(0))],
    ],
  )
  const rows: string[][] = []
  for (const connections of [1, 8, 32]) {
    let [ahead, due] = [0, 0]
    for (let round = 0; round < ROUNDS; round++) {
      ahead = Math.max(ahead, await rate(db, connections, 3_600))
      due = Math.max(due, await rate(db, connections, 0))
    }
    rows.push([`${connections}`, ahead.toFixed(0), due.toFixed(0), `${((100 * due) / ahead).toFixed(0)} %`])
  }
  const load = loadavg().map((number) => number.toFixed(1))
  const title = `Commits a second, the best of ${ROUNDS} (load ${load.join(', ')})`
  printTable(title, ['connections', 'without', 'with one', 'of it'], rows)
  await db.destroy()
  await listener.close()
})
