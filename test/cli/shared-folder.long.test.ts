import { mkdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#domain'
import { createDiskStore, type MediaStore } from '#media'
import { type Database, insertMediaItem, openDatabase, readHeldStart } from '#persistence'
import { createDatabase } from '../_util/database/database.ts'
import { makeDataDir, runAlmanac, startAlmanac } from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

/** Databases that meet on one data folder: no file goes that one of them may need. */

vi.setConfig({ testTimeout: 60_000 })

const LONG_AGO = new Date('2026-01-01T00:00:00Z')

let dataDir: { path: string; remove(): Promise<void> }
let store: MediaStore
const databases: { url: string; db: Database; drop(): Promise<void> }[] = []

beforeEach(async () => {
  dataDir = await makeDataDir()
  store = createDiskStore({ dir: join(dataDir.path, 'media') })
  await mkdir(dataDir.path)
})
afterEach(async () => {
  for (const { db, drop } of databases.splice(0)) {
    await db.destroy()
    await drop()
  }
  await dataDir.remove()
})

async function newDatabase() {
  const { url, drop } = await createDatabase()
  const database = { url, db: openDatabase(url, { poolSize: 2 }), drop }
  databases.push(database)
  return database
}

async function oldFile(): Promise<string> {
  const { key } = await store.put(Readable.from([Buffer.from('picture')]))
  await utimes(store.path(key) ?? '', LONG_AGO, LONG_AGO)
  return key
}

/** Files that an installation has, with their rows. */
async function library(db: Database, count: number): Promise<string[]> {
  const [accountId, socialSetId] = [newId(), newId()]
  await db.insertInto('accounts').values({ id: accountId, name: 'Test', slug: accountId, plan: 'SCALE' }).execute()
  const brand = { id: socialSetId, account_id: accountId, name: 'Brand', timezone: 'UTC' }
  await db.insertInto('social_sets').values(brand).execute()
  const keys: string[] = []
  for (let index = 0; index < count; index++) {
    const storageKey = await oldFile()
    keys.push(storageKey)
    await insertMediaItem(db, {
      ...{ id: newId(), accountId, socialSetId, name: 'photo.jpg', altText: null },
      facts: { bytes: 7 } as never,
      ...{ sha256: Buffer.alloc(32), storageKey, thumbnailKey: null, source: 'UPLOAD', sourceUrl: null },
    })
  }
  return keys
}

const settingsFor = ({ url }: { url: string }) => ({
  ALMANAC_DATA_DIR: dataDir.path,
  DATABASE_URL: url,
  ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
})

/** Runs a worker until its housekeeper has looked through the files. */
async function workOn({ url, db }: { url: string; db: Database }): Promise<string> {
  await db.updateTable('chores').set({ next_at: LONG_AGO, ran_at: null }).execute()
  const worker = await startAlmanac({
    process: 'worker',
    settings: { ...settingsFor({ url }), ALMANAC_WORKER_PORT: await freePort() },
  })
  const ran = db
    .selectFrom('chores')
    .select('name')
    // The last one by name: what sweeps comes before it, where it may.
    .where('name', '=', 'watched')
    .where('ran_at', 'is not', null)
  await expect.poll(() => ran.execute(), { timeout: 20_000 }).toHaveLength(1)
  const { stderr } = await worker.stop()
  return stderr
}

/** What is at its place, without asking the store, which would bring back what it has in the trash. */
async function present(keys: readonly string[]): Promise<number> {
  const listed = await Array.fromAsync(store.list({ olderThanMs: 0 }))
  return keys.filter((key) => listed.includes(key)).length
}

const FOREIGN =
  /Another installation has used the files in .* as well, last on \S+ at \S+Z: none that seems to belong to nothing/

const UNKNOWN = /had files that this installation does not know/

test('another database that is tried on a data folder leaves every file alone', async () => {
  const files = await library((await newDatabase()).db, 14)
  await workOn(await newDatabase())
  expect(await present(files)).toBe(14)
})

test('an installation of before adopts the folder of its files, and sweeps there until another one comes', async () => {
  const [own, other] = [await newDatabase(), await newDatabase()]
  const files = await library(own.db, 3)
  const [orphan] = [await oldFile()]
  expect(await workOn(own)).not.toMatch(FOREIGN)
  expect([await present(files), await present([orphan])]).toEqual([3, 0])

  expect(await workOn(other)).toMatch(FOREIGN)
  const later = [await oldFile(), ...(await library(other.db, 2))]
  await store.arriving.write(newId(), 0).then((file) => file.close())
  const [arriving] = await Array.fromAsync(store.arriving.list({ olderThanMs: 0 }))
  await utimes(join(dataDir.path, 'media/arriving', arriving ?? ''), LONG_AGO, LONG_AGO)
  expect(await workOn(own)).toMatch(FOREIGN)
  expect(await workOn(other)).toMatch(FOREIGN)
  expect(await present([...files, ...later])).toBe(6)
  expect(await Array.fromAsync(store.arriving.list({ olderThanMs: 0 }))).toEqual([arriving])

  const { stdout } = await runAlmanac(['doctor', '--json'], { settings: settingsFor(own) })
  const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string; message: string }[] }
  expect(findings).toContainEqual({ check: 'media', status: 'warning', message: expect.stringMatching(FOREIGN) })
  // What it says to do.
  const [, witness = ''] =
    /remove (\S+\.json)\.$/.exec(findings.find(({ message }) => FOREIGN.test(message))?.message ?? '') ?? []
  await rm(witness)
  expect(await workOn(own)).not.toMatch(FOREIGN)
  expect(await present(files)).toBe(3)
  expect(await present(later)).toBe(0)
})

test('a folder that had unknown files is reported, with what to do, and doing that helps', async () => {
  const own = await newDatabase()
  const strange = [await oldFile(), await oldFile()]
  expect(await workOn(own)).toMatch(UNKNOWN)
  const files = await library(own.db, 2)
  expect(await workOn(own)).toMatch(UNKNOWN)
  const { stdout } = await runAlmanac(['doctor', '--json'], { settings: settingsFor(own) })
  const { findings } = JSON.parse(stdout) as { findings: { check: string; message: string }[] }
  const { message = '' } = findings.find(({ message }) => UNKNOWN.test(message)) ?? {}
  expect(await present([...strange, ...files])).toBe(4)
  const [, witness = ''] = /remove (\S+\.json) and start/.exec(message) ?? []
  await rm(witness)
  expect(await workOn(own)).not.toMatch(UNKNOWN)
  expect([await present(strange), await present(files)]).toEqual([0, 2])
})

test('a worker without the shared folder leaves the sweep to the one that has it', async () => {
  const own = await newDatabase()
  await workOn(own)
  await library(own.db, 1)
  const orphan = await oldFile()
  const shared = dataDir
  const alone = await makeDataDir()
  try {
    dataDir = alone
    expect(await workOn(own)).toMatch(/The newest files of the media library are not in/)
    const sweep = own.db.selectFrom('chores').select('ran_at').where('name', '=', 'orphaned-files')
    expect(await sweep.execute()).toEqual([{ ran_at: null }])
  } finally {
    dataDir = shared
    await alone.remove()
  }
  await workOn(own)
  expect(await present([orphan])).toBe(0)
})

test('a database that was tried first does not keep an installation of before from its folder', async () => {
  const [own, tried] = [await newDatabase(), await newDatabase()]
  const files = await library(own.db, 3)
  await workOn(tried)
  expect(await workOn(own)).toMatch(FOREIGN)
  expect(await readHeldStart(own.db)).toBeNull()
  expect(await present(files)).toBe(3)
})
