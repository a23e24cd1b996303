import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterEach, expect, inject, test, vi } from 'vitest'
import { openDatabase, readHeldStart, readIdentity } from '#persistence'
import { copyOfBegunData } from '../_util/database/begun-data.ts'
import { createDatabase } from '../_util/database/database.ts'
import { superuserUrl } from '../_util/database/superuser.ts'
import { makeDataDir, type RunningAlmanac, runAlmanac, type Settings, startAlmanac } from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

/** Processes that find that their data is a copy, or older than what was done. */

vi.setConfig({ testTimeout: 120_000 })

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function started(process: 'up' | 'worker' | 'api', settings: Settings): Promise<RunningAlmanac> {
  const almanac = await startAlmanac({ process, settings })
  ends.push(() => almanac.stop())
  return almanac
}

async function asked<T>(url: string, work: (db: ReturnType<typeof openDatabase>) => Promise<T>): Promise<T> {
  const db = openDatabase(url, { poolSize: 1 })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}
const heldOn = (url: string) => asked(url, readHeldStart)

/** The address of the embedded database of a running `up`. */
async function embedded(dataDir: string): Promise<string> {
  const port = (await readFile(join(dataDir, 'postgres/port'), 'utf8')).trim()
  return superuserUrl(dataDir, `postgres://127.0.0.1:${port}/almanac`)
}

test('a data folder that is copied while Almanac runs is held where it is started; the original goes on', async () => {
  const data = await copyOfBegunData()
  ends.push(data.remove)
  const copy = await makeDataDir()
  ends.push(copy.remove)
  const original = await started('up', { ALMANAC_DATA_DIR: data.path, ALMANAC_PORT: '0' })
  await promisify(execFile)('cp', ['-a', data.path, copy.path])
  await rm(join(copy.path, 'postgres/port'))
  await started('up', { ALMANAC_DATA_DIR: copy.path, ALMANAC_PORT: '0' })
  expect(await heldOn(await embedded(copy.path))).toMatchObject({
    why: 'COPY',
    signs: ['The data folder was copied, moved to another disk or put back.'],
  })
  // Killed and started again where it is, the original asks nothing.
  original.signal('SIGKILL')
  await original.ended
  await started('up', { ALMANAC_DATA_DIR: data.path, ALMANAC_PORT: '0' })
  expect(await heldOn(await embedded(data.path))).toBeNull()
})

async function asAdmin(url: string, work: (admin: pg.Client, name: string) => Promise<unknown>): Promise<void> {
  const { pathname } = new URL(url)
  const admin = new pg.Client(Object.assign(new URL(inject('databaseAdminUrl')), { pathname }).href)
  await admin.connect()
  await work(admin, pathname.slice(1)).finally(() => admin.end())
}

async function external(): Promise<{ url: string; dir: string; settings: Settings }> {
  const [data, database] = [await makeDataDir(), await createDatabase()]
  ends.push(data.remove, database.drop)
  const settings = {
    ALMANAC_DATA_DIR: data.path,
    DATABASE_URL: database.url,
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  }
  return { url: database.url, dir: data.path, settings }
}

test('workers that get another state of their database hold the start before they use it', async () => {
  const { url, settings } = await external()
  for (let nth = 0; nth < 2; nth++) await started('worker', { ...settings, ALMANAC_WORKER_PORT: await freePort() })
  const before = await asked(url, readIdentity)
  expect(before.counter).toBe(2)
  expect(await heldOn(url)).toBeNull()
  // It goes away, and comes back as it was five minutes ago.
  await asAdmin(url, async (admin, name) => {
    await admin.query(`alter database ${name} with connection limit 0`)
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    await admin.query('update installation_identity set counter = 1')
    await admin.query(`alter database ${name} with connection limit -1`)
  })
  await expect
    .poll(() => heldOn(url), { timeout: 20_000 })
    .toMatchObject({
      why: 'COPY',
      signs: ['The database is older than what this installation has done: an earlier state was put back.'],
      lastRanAt: before.raisedAt,
    })
})

test('a command that calls others holds a copy on which no process was started', async () => {
  const { url, dir, settings } = await external()
  const worker = await startAlmanac({
    process: 'worker',
    settings: { ...settings, ALMANAC_WORKER_PORT: await freePort() },
  })
  await worker.stop()
  const copy = await makeDataDir()
  ends.push(copy.remove)
  await promisify(execFile)('cp', ['-r', dir, copy.path])
  const check = (dir: string) =>
    runAlmanac(['alerts', 'test'], {
      settings: { ...settings, ALMANAC_ALERT_URL: 'http://127.0.0.1:9/', ALMANAC_DATA_DIR: dir },
    })
  expect((await check(dir)).stderr).not.toMatch(/copy/)
  expect(await heldOn(url)).toBeNull()
  expect(await check(copy.path)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/may be a copy of another one/),
  })
  expect(await heldOn(url)).toMatchObject({ why: 'COPY' })
})

test('a start is held that is asked to be, and only a start', async () => {
  const { url, settings } = await external()
  await started('api', { ...settings, ALMANAC_PORT: '0', ALMANAC_START_HELD: 'on' })
  expect(await heldOn(url)).toMatchObject({ why: 'ASKED', signs: [] })
})
