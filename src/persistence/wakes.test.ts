import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#domain'
import { createDatabase } from '../../test/_util/database/database.ts'
import { insertAccount, insertSocialSet } from './accounts.ts'
import { type Database, openDatabase } from './database.ts'
import type { Listener } from './listener.ts'
import { insertMediaUpload } from './media-uploads.ts'
import { listenForWakes, WAKE_TOPICS } from './wakes.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Database
let listener: Listener
let heard: string[]
const of = { accountId: newId(), socialSetId: newId() }
const wait = { timeout: 10_000, interval: 5 }

beforeEach(async () => {
  database = await createDatabase()
  db = openDatabase(database.url)
  heard = []
  listener = listenForWakes(database.url, { onWake: (topic) => heard.push(topic), onLost: () => heard.push('lost') })
  await insertAccount(db, { id: of.accountId, name: 'Test', slug: newId(), plan: 'SCALE' })
  await insertSocialSet(db, { id: of.socialSetId, accountId: of.accountId, name: 'Brand', timezone: 'UTC' })
  // What came before was not heard, so all are woken once when listening begins.
  await vi.waitFor(() => expect(heard).toEqual([...WAKE_TOPICS]), wait)
  heard.length = 0
})
afterEach(async () => {
  await listener.close()
  await db.destroy()
  await database.drop()
})

const schedule = (on: Database, seconds: number, count = 1) =>
  sql`
    insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
    select gen_random_uuid(), ${of.accountId}, ${of.socialSetId}, almanac_now() + ${seconds} * interval '1 second', 'SCHEDULED', 'NONE'
    from generate_series(1, ${count})`.execute(on)
const by = { id: null, name: 'Anna' }
const upload = (on: Database) =>
  insertMediaUpload(on, { id: newId(), ...of, url: 'https://example.com/a.jpg', name: null, altText: null, by })

test('what is due at once is heard, as one however much it is; what is due later is not', async () => {
  await schedule(db, 60)
  await schedule(db, 0, 500)
  await vi.waitFor(() => expect(heard).toEqual(['posts']), wait)
  await sql`update post_sets set scheduled_at = almanac_now() where scheduled_at > almanac_now()`.execute(db)
  await vi.waitFor(() => expect(heard).toEqual(['posts', 'posts']), wait)
})

test('a change that leaves the time alone wakes no one, nor does a draft', async () => {
  await schedule(db, 0)
  await vi.waitFor(() => expect(heard).toHaveLength(1), wait)
  await sql`update post_sets set updated_at = almanac_now()`.execute(db)
  await sql`update post_sets set status = 'DRAFT'`.execute(db)
  await upload(db)
  await vi.waitFor(() => expect(heard).toEqual(['posts', 'imports']), wait)
})

test('a file to import is heard with its commit, and not when it is rolled back', async () => {
  const undone = db.transaction().execute(async (trx) => {
    await upload(trx)
    throw new Error('rolled back')
  })
  await expect(undone).rejects.toThrow('rolled back')
  await schedule(db, 0)
  await db.transaction().execute(async (trx) => {
    await upload(trx)
    await upload(trx)
  })
  await vi.waitFor(() => expect(heard).toEqual(['posts', 'imports']), wait)
})

test('what is to be sent to a webhook is heard, also when it is asked for again; what was sent is not', async () => {
  const id = newId()
  await sql`
    insert into webhooks (id, account_id, url, created_by_name, ignore_own, secret, secret_key_id)
    values (${id}, ${of.accountId}, 'https://example.com', 'Anna', true, '', '')`.execute(db)
  await sql`
    insert into webhook_sends (id, webhook_id, account_id, position)
    select gen_random_uuid(), ${id}, ${of.accountId}, position from generate_series(1, 500) as position`.execute(db)
  await vi.waitFor(() => expect(heard).toEqual(['webhooks']), wait)
  await sql`update webhook_sends set state = 'SENT', attempts = 1, ended_at = almanac_now()`.execute(db)
  await upload(db)
  await sql`update webhook_sends set state = 'WAITING', ended_at = null`.execute(db)
  await vi.waitFor(() => expect(heard).toEqual(['webhooks', 'imports', 'webhooks']), wait)
})

test('a listener that was cut off listens again, and wakes for what it may have missed', async () => {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'almanac-wakes' and datname = current_database()`.execute(db)
  await vi.waitFor(() => expect(heard).toEqual(['lost', ...WAKE_TOPICS]), wait)
})
