import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { createDatabase } from '../../test/_util/database/database.ts'
import { insertAccount } from './accounts.ts'
import { type Database, openDatabase } from './database.ts'
import { storeSeenClock } from './database-clock.ts'
import { wakeDelivery } from './operator-deliveries.ts'
import { releaseUnproven, releaseUnsent } from './release-delivery.ts'

/** A clock that has jumped ahead, and is not believed, makes nothing wait until its time. */

const HOUR_MS = 3_600_000
const OWNER = 'a worker/1'
let database: { url: string; drop(): Promise<void> }
let db: Database
const id = newId()
beforeAll(async () => {
  database = await createDatabase()
  db = openDatabase(database.url, { poolSize: 2 })
  const [account, socialSet, set, post] = [newId(), newId(), newId(), newId()]
  await insertAccount(db, { id: account, name: 'Account', slug: account, plan: 'SCALE' })
  await sql`insert into social_sets (id, account_id, name, timezone) values (${socialSet}, ${account}, 'Brand', 'UTC')`.execute(
    db,
  )
  await sql`insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
    values (${set}, ${account}, ${socialSet}, almanac_now(), 'PUBLISHING', 'NONE')`.execute(db)
  await sql`insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
    values (${post}, ${set}, ${socialSet}, 0, 'BLUESKY', 'Bread', '{}')`.execute(db)
  await sql`insert into deliveries (id, post_set_id, post_id, content_version, account_type, state, next_at, gives_up_at, account_id,
      lane, place)
    values (${id}, ${set}, ${post}, 1, 'BLUESKY', 'FOLLOW_UP', almanac_now(), almanac_now() + interval '1 day', ${account},
      'bluesky', 'UNDER_WAY')`.execute(db)
  await sql`create or replace function almanac_now() returns timestamptz language sql stable parallel safe
    return date_trunc('milliseconds', clock_timestamp()) + interval '1 hour'`.execute(db)
  const seen = { seenAt: new Date(), boot: 'a boot', boottimeMs: 1, aheadMs: HOUR_MS }
  await storeSeenClock(db, seen)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const nextInMs = async () => {
  const { next_at } = await db.selectFrom('deliveries').select('next_at').executeTakeFirstOrThrow()
  return next_at.getTime() - Date.now()
}

test.each([
  ['behind a look that proved nothing', releaseUnproven],
  ['behind a turn that was interrupted', releaseUnsent],
])('what is given back %s is taken again in seconds', async (_, release) => {
  await sql`update deliveries set lease_owner = ${OWNER}, lease_until = almanac_now() + interval '1 minute'`.execute(db)
  await release(db, id, OWNER, { againInMs: 5_000, notAfter: new Date() })
  expect(await nextInMs()).toBeLessThan(6_000)
})

test('what people ask for now is due now', async () => {
  await sql`update deliveries set next_at = ${new Date(Date.now() + HOUR_MS / 2)}`.execute(db)
  expect(await wakeDelivery(db, id)).toBe(true)
  expect(await nextInMs()).toBeLessThan(1_000)
})

/** Their deliveries are `WAITING`: of those nothing asks for the time. */
const WAITING = ['moveHold']

test('no other statement says by the clock alone when a delivery goes on', () => {
  const here = new URL('./', import.meta.url)
  const found = readdirSync(here)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) =>
      readFileSync(new URL(name, here), 'utf8').split(/^(?=(?:export )?(?:async )?(?:function|const) )/m),
    )
    .filter(
      (part) =>
        /\bupdate(Table\(')? ?deliveries\b/.test(part) &&
        /\bnext_at\s*[:=]\s*(\$\{)?(now\b|fromNow|almanac_now)/.test(part),
    )
    .map((part) => /(?:function|const) (\w+)/.exec(part)?.[1])
  expect(found).toEqual(WAITING)
})
