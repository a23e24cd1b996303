import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SCOPES } from '#contract'
import { type Database, openDatabase } from '#persistence'
import { createDatabase } from '../_util/database/database.ts'
import { cuttableWay } from '../_util/faults/cuttable-way.ts'
import { type FileServer, startFileServer } from '../_util/networks/file-server.ts'
import {
  almanacJson,
  makeDataDir,
  type RunningAlmanac,
  type Settings,
  startAlmanac,
  withAnyRate,
} from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'
import { client } from '../e2e/client.ts'

/** What uses up connections, or hangs on them, does not stand in the way of a post. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Long before a lock or a statement is broken off by PostgreSQL. */
const SOON = { timeout: 12_000, interval: 100 }
/** More than the pool of work has connections; five at a time for a social set. */
const ACCOUNTS = 5
const IMPORTS = 5

let dataDir: { path: string; remove(): Promise<void> }
let database: { url: string; drop(): Promise<void> }
let way: Awaited<ReturnType<typeof cuttableWay>>
let files: FileServer
let up: RunningAlmanac
let db: Database
const clients: { api: ReturnType<typeof client>; socialSetId: string }[] = []

beforeAll(async () => {
  dataDir = await makeDataDir()
  database = await createDatabase()
  way = await cuttableWay(database.url)
  files = await startFileServer()
  db = openDatabase(database.url, { poolSize: 2 })
  const settings: Settings = {
    ALMANAC_DATA_DIR: dataDir.path,
    DATABASE_URL: way.url,
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    ALMANAC_PORT: await freePort(),
    ALMANAC_TRUSTED_FETCH_HOSTS: files.host,
    ALMANAC_LOG_LEVEL: 'warn',
    ...(await withAnyRate(dataDir.path)),
  }
  up = await startAlmanac({ settings, ...checkout })
  for (let number = 0; number < ACCOUNTS; number++) {
    const name = ['--name', `Brand ${number}`, '--sandbox']
    const account = await almanacJson<{ accountId: string; socialSetId: string }>(['accounts', 'create', ...name], {
      settings,
    })
    const args = ['keys', 'create', '--account', account.accountId, '--name', 'all', '--scopes', SCOPES.join(',')]
    const { key } = await almanacJson<{ key: string }>(args, { settings })
    clients.push({ api: client(up.url, key), socialSetId: account.socialSetId })
  }
})
afterAll(async () => {
  await up?.stop()
  await db?.destroy()
  await files?.close()
  await way?.close()
  await database?.drop()
  await dataDir?.remove()
})

/** Another checkout, to see what it does. */
const projectDir = process.env.ALMANAC_TESTED_CHECKOUT
const checkout = projectDir === undefined ? {} : { projectDir }

/** Puts a post on the calendar behind the API's back. */
async function due(): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with sets as (
      insert into post_sets (id, account_id, social_set_id, scheduled_at, schedule_requested_at, status, approval)
      select gen_random_uuid(), account_id, id, almanac_now(), almanac_now(), 'SCHEDULED', 'NONE' from social_sets
      where id = ${clients[0]?.socialSetId} returning id, social_set_id
    )
    insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
    select gen_random_uuid(), id, social_set_id, 0, 'BLUESKY', 'hello', '{}' from sets returning post_set_id as id`.execute(
    db,
  )
  return rows[0]?.id ?? ''
}

async function statusOf(id: string): Promise<string | undefined> {
  const row = await db.selectFrom('post_sets').select('status').where('id', '=', id).executeTakeFirst()
  return row?.status
}

const waiting = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
  return rows[0]?.count ?? 0
}

test('while imports hold every connection of their pool, posts go out', async () => {
  const url = await files.fixture('photo.jpg')
  await db.transaction().execute(async (trx) => {
    await sql`lock table media_items in share row exclusive mode`.execute(trx)
    await Promise.all(
      clients.flatMap(({ api, socialSetId }) =>
        Array.from({ length: IMPORTS }, () => api.post('/v1/media-upload', { socialSetId, url })),
      ),
    )
    await expect.poll(waiting, SOON).toBeGreaterThanOrEqual(10)
    const id = await due()
    await expect.poll(() => statusOf(id), SOON).toBe('PUBLISHED')
    expect(await waiting()).toBeGreaterThan(0)
  })
  const open = () =>
    db.selectFrom('media_uploads').select('id').where('status', 'not in', ['READY', 'FAILED']).execute()
  await expect.poll(open, { timeout: 30_000 }).toEqual([])
})

test('when every connection goes silent while the server is well, the next post goes out in seconds', async () => {
  way.hush()
  way.speak()
  const id = await due()
  await expect.poll(() => statusOf(id), SOON).toBe('PUBLISHED')
  expect(up.process.exitCode).toBeNull()
})
