import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import {
  addHistory,
  cutPool,
  type Database,
  insertAccount,
  insertSocialSet,
  listEvents,
  openDatabase,
} from '#persistence'
import { createDatabase } from '../../test/_util/database/database.ts'
import { WHOLE } from '../../test/_util/run/whole.ts'
import { type EventStep, givePositions } from './give-positions.ts'

const WRITERS = 8
/** Changes of each writer. */
const CHANGES = WHOLE ? 12_500 : 40
/** Rows of a tick: few, so that many ticks die; but each takes a connection of its own. */
const BATCH = WHOLE ? 211 : 13

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Database
const accounts = [newId(), newId()]
const socialSets = accounts.map(() => newId())
beforeAll(async () => {
  database = await createDatabase()
  db = openDatabase(database.url, { poolSize: WRITERS + 2 })
  for (const [at, id] of accounts.entries()) {
    await insertAccount(db, { id, name: 'Account', slug: id, plan: 'SCALE' })
    await insertSocialSet(db, { id: socialSets[at] ?? '', accountId: id, name: 'Brand', timezone: 'UTC' })
  }
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** A set of an account, which is changed again and again, sometimes in a transaction that stays open for a while. */
async function write(writer: number): Promise<void> {
  const id = newId()
  const place = writer % accounts.length
  const accountId = accounts[place] ?? ''
  const about = { accountId, postSetId: id, actor: { type: 'API_KEY', id: newId(), name: `Writer ${writer}` } } as const
  await sql`
    insert into all_post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
    values (${id}, ${accountId}, ${socialSets[place]}, '2030-06-01T10:00Z', 'DRAFT', 'NONE')`.execute(db)
  for (let change = 1; change <= CHANGES; change++) {
    await db.transaction().execute(async (trx) => {
      await sql`update all_post_sets set version = version + 1 where id = ${id}`.execute(trx)
      await addHistory(trx, [{ ...about, action: 'updated', changes: { scheduledAt: { from: 'x', to: 'y' } } }])
      // Others that come later commit before.
      if (change % 7 === writer % 7) await sql`select pg_sleep(0.005)`.execute(trx)
    })
  }
}

/** Ticks whose process is killed at every step in turn, until `isOver` and nothing is left. Two of them work at once. */
async function tickAndDie(isOver: () => boolean): Promise<number> {
  let killed = 0
  let step = 0
  for (;;) {
    const own = openDatabase(database.url, { poolSize: 1 })
    const dies: EventStep | null = (['read', 'stored', null] as const)[step++ % 3] ?? null
    const over = isOver()
    try {
      const given = await givePositions(own, {
        batch: BATCH,
        signals(now) {
          if (now !== dies) return
          killed += 1
          cutPool(own)
        },
      })
      if (given === 0 && over && dies === null) return killed
    } catch {
      // Its connection was cut.
    } finally {
      await own.destroy()
    }
  }
}

test(
  'positions are without gap or double, in the order of the changes of a set, and none is lost, however ticks die',
  async () => {
    let writing = true
    const followed = accounts.map((accountId) => follow(accountId, () => writing))
    const ticking = [tickAndDie(() => !writing), tickAndDie(() => !writing)]
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
    writing = false
    const killed = await Promise.all(ticking)
    expect(Math.min(...killed)).toBeGreaterThan(1)
    expect((await sql`select from happened`.execute(db)).rows).toEqual([])
    for (const [at, accountId] of accounts.entries()) {
      const { rows } = await sql<{ position: number; set: string; version: number }>`
      select position, data ->> 'postSetId' as set, (data ->> 'version')::int as version
      from events where account_id = ${accountId} order by position`.execute(db)
      const count = (WRITERS / accounts.length) * CHANGES
      expect(rows.map(({ position }) => position)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
      for (const changes of Map.groupBy(rows, ({ set }) => set).values()) {
        expect(changes.map(({ version }) => version)).toEqual(Array.from({ length: CHANGES }, (_, at) => at + 2))
      }
      // A reader beside it saw the same.
      expect(await followed[at]).toEqual(rows.map(({ position }) => position))
    }
  },
  WHOLE ? 1_800_000 : 60_000,
)

async function follow(accountId: string, goesOn: () => boolean): Promise<number[]> {
  const seen: number[] = []
  const all = (WRITERS / accounts.length) * CHANGES
  for (let after = 0; goesOn() || seen.length < all; ) {
    const wanted = { after, types: [], socialSetId: null, limit: 50 }
    const page = await listEvents(db, { accountId, socialSetIds: null }, wanted)
    if (!page) throw new Error(`Behind ${after} there is a gap.`)
    seen.push(...page.rows.map(({ position }) => position))
    after = page.nextAfter
  }
  return seen
}

test('what an account that is gone has left is deleted', async () => {
  await sql`insert into happened (account_id, what, data) values (${newId()}, 'media.deleted', '{}')`.execute(db)
  expect(await givePositions(db)).toBe(1)
  expect(await givePositions(db)).toBe(0)
})
