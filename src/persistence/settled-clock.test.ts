import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { createDatabase } from '../../test/_util/database/database.ts'
import { insertAccount } from './accounts.ts'
import { countAttempt } from './attempts.ts'
import { addChores, giveChoreBack, takeChore } from './chores.ts'
import { type Database, databaseNow, openDatabase } from './database.ts'
import { moveTimesAhead, storeSeenClock } from './database-clock.ts'
import { findStoredAnswer, removeExpiredAnswers, storeAnswer } from './idempotency-keys.ts'
import { removeOldRows } from './old-rows.ts'

/** What clocks that jump ahead for a moment may not do beside the way of a post: remove, give up, lock out. */

let database: { url: string; drop(): Promise<void> }
let db: Database
const accountId = newId()
const apiKeyId = newId()
const HOUR = 3_600_000

beforeAll(async () => {
  database = await createDatabase()
  db = openDatabase(database.url, { poolSize: 2 })
  await insertAccount(db, { id: accountId, name: 'Account', slug: accountId, plan: 'SCALE' })
  await sql`insert into api_keys (id, account_id, name, prefix, secret_hash, scopes)
    values (${apiKeyId}, ${accountId}, 'Key', 'alm_', '', '{}')`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
afterEach(() => step(0))

/** Sets the clock of the database off by that much. */
async function step(ms: number): Promise<void> {
  await sql`create or replace function almanac_now() returns timestamptz language sql stable parallel safe
    return date_trunc('milliseconds', clock_timestamp()) + ${sql.lit(`${ms} milliseconds`)}::interval`.execute(db)
}

/** A worker has seen the clock, and it jumps ahead by a day. */
async function jump(): Promise<void> {
  await step(0)
  await storeSeenClock(db, { seenAt: await databaseNow(db), boot: null, boottimeMs: 0 })
  await step(24 * HOUR)
}

test('a clock that jumps ahead by a day removes nothing that is younger than its limit', async () => {
  const key = { apiKeyId, key: 'young' }
  const requestHash = Buffer.alloc(32)
  await storeAnswer(db, key, { requestHash, answer: { status: 201, headers: {}, body: '{}' } })
  await jump()
  expect(await removeExpiredAnswers(db)).toBe(0)
  expect(await findStoredAnswer(db, key)).not.toBeNull()
  // When a worker has believed the clock it is as ever.
  await storeSeenClock(db, { seenAt: await databaseNow(db), boot: null, boottimeMs: 0 })
  expect(await findStoredAnswer(db, key)).toBeNull()
  expect(await removeExpiredAnswers(db)).toBe(1)
})

test('nor do rows that count by the real clock go before a worker has seen the time', async () => {
  await countAttempt(db, 'young', 15)
  await sql`update attempts set began_at = clock_timestamp() - interval '25 hours'`.execute(db)
  await storeSeenClock(db, { seenAt: new Date(Date.now() - 3 * HOUR), boot: null, boottimeMs: 0 })
  expect(await removeOldRows(db, 'attempts')).toBe(0)
  await storeSeenClock(db, { seenAt: new Date(), boot: null, boottimeMs: 0 })
  expect(await removeOldRows(db, 'attempts')).toBe(1)
})

test('tries that began ahead of the clock do not lock anyone out: the window begins again', async () => {
  for (let tries = 0; tries < 3; tries++) await countAttempt(db, 'login', 15)
  await sql`update attempts set began_at = began_at + interval '1 day'`.execute(db)
  const { tries, endsAt } = await countAttempt(db, 'login', 15)
  expect(tries).toBe(1)
  expect(endsAt.getTime()).toBeLessThan(Date.now() + 16 * 60_000)
})

test('a chore that ran in a jump is due again in its time, and one that broke off in it soon', async () => {
  const lease = { owner: 'a', ms: 300_000 }
  await addChores(db, ['tidy'])
  expect(await takeChore(db, ['tidy'], lease)).toBe('tidy')
  await jump()
  await giveChoreBack(db, 'tidy', 'a', { kind: 'done', againInMs: HOUR })
  const { next_at } = await db.selectFrom('chores').select('next_at').executeTakeFirstOrThrow()
  expect(next_at.getTime()).toBeLessThan(Date.now() + HOUR + 120_000)

  await db
    .updateTable('chores')
    .set({ next_at: new Date(0) })
    .execute()
  expect(await takeChore(db, ['tidy'], lease)).toBe('tidy')
  await step(0)
  expect(await takeChore(db, ['tidy'], { ...lease, owner: 'b' })).toBe('tidy')
})

test('a refresh that was begun in a jump is waited for no longer than any other', async () => {
  const id = newId()
  await sql`insert into network_identities (id, account_id, network, external_id, refresh_owner, refresh_until)
    values (${id}, ${accountId}, 'bluesky', 'me', ${newId()}, almanac_now() + interval '1 day')`.execute(db)
  await moveTimesAhead(db, null)
  const { refresh_until: until } = await db
    .selectFrom('network_identities')
    .select('refresh_until')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(until?.getTime()).toBeGreaterThan(Date.now() + 80_000)
  expect(until?.getTime()).toBeLessThan(Date.now() + 100_000)
})
