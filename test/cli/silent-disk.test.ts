import { execFile } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { openDatabase, readHeldStart } from '#persistence'
import { createDatabase } from '../_util/database/database.ts'
import { makeDataDir, type Settings, spawnAlmanac } from '../_util/processes/app.ts'
import { start } from '../_util/processes/installation.ts'
import { freePort } from '../_util/processes/ports.ts'

/** Starts that meet a disk or a database which takes its time. */

vi.setConfig({ testTimeout: 90_000 })

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function installation() {
  const [data, database, port] = [await makeDataDir(), await createDatabase(), await freePort()]
  ends.push(data.remove, database.drop)
  const settings = {
    ALMANAC_DATA_DIR: data.path,
    DATABASE_URL: database.url,
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    ALMANAC_WORKER_PORT: port,
  }
  const db = openDatabase(database.url, { poolSize: 1 })
  ends.push(() => db.destroy())
  return { settings, db, media: join(data.path, 'media'), health: `http://127.0.0.1:${port}` }
}

/** A worker that ends with the test at the latest. */
function begin(settings: Settings) {
  const child = spawnAlmanac(['worker'], settings)
  ends.push(async () => {
    child.process.kill('SIGKILL')
    await child.ended
  })
  return child
}

const ready = async (health: string) => {
  const response = await fetch(`${health}/readyz`)
  return { status: response.status, body: await response.text() }
}
const SILENT = /The disk or network folder of the media does not answer/

test('a folder that hangs keeps no worker from its start and its posts, and is compared as soon as it answers', async () => {
  const { settings, db, media, health } = await installation()
  await start({ url: settings.DATABASE_URL, dir: media })
  const [name = ''] = await readdir(join(media, 'installations'))
  const path = join(media, 'installations', name)
  const text = await readFile(path, 'utf8')
  // Whoever opens it waits for the other end, as for the server of a network folder.
  await rm(path)
  await promisify(execFile)('mkfifo', [path])
  const worker = begin(settings)
  const impatient = begin({ ...settings, ALMANAC_WORKER_PORT: await freePort() })
  for (const { stdout } of [worker, impatient]) await expect.poll(stdout, { timeout: 30_000 }).toMatch(/is ready/)
  expect(await ready(health)).toMatchObject({ status: 200, body: expect.stringMatching(SILENT) })
  expect(worker.stderr()).toMatch(SILENT)
  // It looks at the calendar: the connections of posts were admitted.
  const { rows } = await sql<{ looked: boolean }>`select clock_seen_at is not null as looked from heartbeat`.execute(db)
  expect(rows).toEqual([{ looked: true }])

  // Asked twice, a process ends although something of it hangs.
  const asking = setInterval(() => impatient.process.kill('SIGTERM'), 500)
  await impatient.ended.finally(() => clearInterval(asking))

  const other = join(media, 'installations/kept')
  await promisify(execFile)('mv', [path, other])
  await writeFile(path, text)
  // Ends the wait of the one that has it open.
  await writeFile(other, '')
  await expect.poll(() => worker.stderr(), { timeout: 20_000 }).toMatch(/of the media answers again/)
  await expect.poll(async () => (await ready(health)).body).not.toMatch(SILENT)
  // What is there now is a copy.
  await expect
    .poll(() => readHeldStart(db), { timeout: 10_000 })
    .toMatchObject({ signs: ['The data folder was copied, moved to another disk or put back.'] })
  worker.process.kill('SIGTERM')
  expect((await worker.ended).code).toBe(0)
})

test('a database that is slow at the start is waited for, and the process says so meanwhile', async () => {
  const { settings, db, health } = await installation()
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = db.transaction().execute(async (trx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
    await sql`lock table installation_identity in access exclusive mode`.execute(trx)
    locked.resolve()
    await held.promise
  })
  await locked.promise
  ends.push(async () => held.resolve())
  const child = begin(settings)
  await expect.poll(() => child.stderr(), { timeout: 30_000 }).toMatch(/The start waits for the database/)
  await expect
    .poll(() => ready(health).catch(() => null), { timeout: 10_000 })
    .toMatchObject({ status: 503, body: expect.stringContaining('The start waits for the database') })
  expect((await fetch(`${health}/healthz`)).status).toBe(200)
  held.resolve()
  await holding
  await expect.poll(() => child.stdout(), { timeout: 30_000 }).toMatch(/is ready/)
  child.process.kill('SIGTERM')
  expect((await child.ended).code).toBe(0)
})
