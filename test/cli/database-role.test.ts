import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { copyOfBegunData } from '../_util/database/begun-data.ts'
import { superuserUrl } from '../_util/database/superuser.ts'
import { almanacJson, type RunningAlmanac, type Settings, startAlmanac, withAnyRate } from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'
import { client } from '../e2e/client.ts'

/** The role with which Almanac works on its own server. */

vi.setConfig({ testTimeout: 120_000 })

let dataDir: { path: string; remove(): Promise<void> }
let settings: Settings
let running: RunningAlmanac[]

beforeEach(async () => {
  dataDir = await copyOfBegunData()
  settings = { ALMANAC_DATA_DIR: dataDir.path, ALMANAC_PORT: await freePort(), ...(await withAnyRate(dataDir.path)) }
  running = []
})
afterEach(async () => {
  for (const almanac of running) await almanac.stop()
  await dataDir.remove()
})

async function up(): Promise<RunningAlmanac> {
  const almanac = await startAlmanac({ settings })
  running.push(almanac)
  return almanac
}

const inHome = (name: string) => join(dataDir.path, 'postgres', name)

async function asSuperuser<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const port = (await readFile(inHome('port'), 'utf8')).trim()
  const admin = new pg.Client(await superuserUrl(dataDir.path, `postgres://127.0.0.1:${port}/almanac`))
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

/** Roles of all sessions in the database but the one that asks. */
const rolesInUse = () =>
  asSuperuser(async (admin) => {
    const { rows } = await admin.query<{ role: string; rolsuper: boolean }>(
      `select distinct usename as role, rolsuper from pg_stat_activity join pg_roles on rolname = usename
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    return rows
  })

async function publishes(almanac: RunningAlmanac, key: string): Promise<void> {
  const api = client(almanac.url, key)
  const { data } = await api.get('/v1/social-sets')
  const set = await api.post('/v1/post-sets', {
    socialSetId: data[0].id,
    scheduledAt: '2026-01-01T09:00:00Z',
    status: 'SCHEDULED',
    approval: 'NONE',
    posts: [{ accountType: 'BLUESKY', caption: 'By a plain role', media: [] }],
  })
  const done = await api.until(`/v1/post-sets/${set.id}`, ({ status }) => status === 'PUBLISHED')
  expect(done.posts[0].result).toMatchObject({ status: 'POSTED' })
}

const PLAIN = [{ role: 'almanac_app', rolsuper: false }]

test('no session of Almanac is a superuser’s, also on data of a version whose role was one', async () => {
  const first = await up()
  const { key } = await first.firstSignIn()
  await publishes(first, key)
  expect(await rolesInUse()).toEqual(PLAIN)
  first.signal('SIGKILL')
  await first.ended

  // What an earlier version had made, and its server still runs: one role, of which everything is, and its password alone.
  await asSuperuser((admin) =>
    admin.query(`
      select pg_terminate_backend(pid) from pg_stat_activity where usename = 'almanac_app';
      reassign owned by almanac_app to almanac;
      drop owned by almanac_app;
      drop role almanac_app`),
  )
  await rm(inHome('app-password'))

  const second = await up()
  await publishes(second, key)
  expect(await rolesInUse()).toEqual(PLAIN)
  const owners = await asSuperuser((admin) =>
    admin.query<{ schema: string; owner: string }>(
      `select distinct schemaname as schema, tableowner as owner from pg_tables
       where schemaname = 'public'`,
    ),
  )
  expect(owners.rows).toEqual([{ schema: 'public', owner: 'almanac_app' }])
  const [owner] = await almanacJson<object[]>(['users', 'list'], { settings })
  expect(owner).toMatchObject({ email: 'owner@demo.invalid' })
})
