import { chmod, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { KyselyPlugin } from 'kysely'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDiskStore } from '#media'
import { endHeldStart, openDatabase, readHeldStart, readIdentity } from '#persistence'
import { createDatabase } from '../_util/database.ts'
import {
  COPYING,
  change,
  hasCommand,
  type Place,
  PUTTING_BACK,
  shell,
  start,
  startOn,
  tempFolder,
} from '../_util/installation.ts'

/** What a start makes of data that was copied, moved, put back or left where it is. */

let folder: { path: string; remove(): Promise<void> }
let home: Place
const ends: (() => Promise<void>)[] = []

beforeEach(async () => {
  folder = await tempFolder()
  const { url, drop } = await createDatabase()
  ends.push(drop, folder.remove)
  home = { url, dir: join(folder.path, 'media') }
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const NOT_HELD = { held: false, signs: [] }
const FOLDER = 'The data folder was copied, moved to another disk or put back.'
const OLDER = 'The database is older than what this installation has done: an earlier state was put back.'
const TABLES = 'The tables of the database were restored from a dump.'
const DATABASE = 'The database is another one on the same PostgreSQL server: it was copied or restored.'
const SERVER = 'The database is on another PostgreSQL server than before.'

const witnessOf = async ({ dir }: Place) => {
  const [name] = await readdir(join(dir, 'installations'))
  return join(dir, 'installations', name ?? '')
}
const resume = ({ url }: Place) =>
  change(url, async (db) => endHeldStart(db, (await readHeldStart(db))?.id ?? '', 'operator', 'PARK'))

/** A database with the same rows and the same numbers of tables on the same server. */
async function copyDatabase(from: string): Promise<string> {
  const { url, drop } = await createDatabase(new URL(from).pathname.slice(1) as never)
  ends.push(drop)
  return url
}

/** What `pg_restore --clean` leaves of the table: another one with the same rows. */
const restoreTable = (url: string) =>
  change(url, async (db) => {
    await sql`alter table installation_identity rename to before`.execute(db)
    await sql`create table installation_identity (like before including all)`.execute(db)
    await sql`insert into installation_identity select * from before`.execute(db)
    await sql`drop table before`.execute(db)
  })

test('ordinary starts ask nothing, and each raises the counter', async () => {
  for (const counter of [1, 2, 3]) expect(await start(home)).toMatchObject({ ...NOT_HELD, counter, owner: true })
  const [witness] = await createDiskStore(home).witnesses.read()
  const { id } = await change(home.url, readIdentity)
  expect(witness).toMatchObject({ installation: id, content: { counter: 3, owner: true } })
})

test('neither do owners and modes that change, a witness that is torn or gone, nor the folder of a new worker', async () => {
  await start(home)
  const path = await witnessOf(home)
  await chmod(path, 0o640)
  expect(await start(home)).toMatchObject(NOT_HELD)
  await utimes(path, new Date(0), new Date(0))
  expect(await start(home)).toMatchObject(NOT_HELD)
  await writeFile(path, 'torn')
  expect(await start(home)).toMatchObject(NOT_HELD)
  expect(await start(home)).toMatchObject({ ...NOT_HELD, owner: true })
  await rm(path)
  expect(await start(home)).toMatchObject(NOT_HELD)
  expect(await start({ ...home, dir: join(folder.path, 'other') })).toMatchObject({ ...NOT_HELD, owner: true })
  expect(await start(home)).toMatchObject({ ...NOT_HELD, counter: 8 })
})

test('a folder that is renamed asks nothing', async () => {
  await start(home)
  const dir = join(folder.path, 'renamed')
  await shell(`mv '${home.dir}' '${dir}'`)
  expect(await start({ ...home, dir })).toMatchObject({ ...NOT_HELD, counter: 2 })
})

test.for(Object.keys(COPYING))('a folder copied by %s is held, and asks once', async (way) => {
  if (!(await hasCommand(way.split(' ')[0] ?? ''))) return
  await start(home)
  await start(home)
  const dir = join(folder.path, 'copy')
  await COPYING[way]?.(home.dir, dir)
  expect(await start({ ...home, dir })).toMatchObject({ held: true, signs: [FOLDER] })
  expect(await start({ ...home, dir })).toMatchObject({ held: true, signs: [FOLDER] })
  await resume(home)
  expect(await start({ ...home, dir })).toMatchObject(NOT_HELD)
  expect(await start({ ...home, dir })).toMatchObject(NOT_HELD)
})

test.for(Object.keys(PUTTING_BACK))('a folder put back by %s over a newer one is held', async (way) => {
  if (!(await hasCommand(way.split(' ')[0] ?? ''))) return
  await start(home)
  const backup = join(folder.path, 'backup')
  await COPYING['cp -a']?.(home.dir, backup)
  // Backups are older than a second, which is as exactly as rsync compares.
  await utimes(await witnessOf({ ...home, dir: backup }), new Date(0), new Date(0))
  await start(home)
  await PUTTING_BACK[way]?.(backup, home.dir)
  expect(await start(home)).toMatchObject({ held: true, signs: [FOLDER] })
})

test('a database that was copied on its server, or whose tables were restored, is held and asks once', async () => {
  await start(home)
  const copy = { ...home, url: await copyDatabase(home.url) }
  expect(await start(copy)).toMatchObject({ held: true, signs: [DATABASE] })
  await resume(copy)
  expect(await start(copy)).toMatchObject(NOT_HELD)

  await restoreTable(copy.url)
  expect(await start(copy)).toMatchObject({ held: true, signs: [TABLES] })
  await resume(copy)
  expect(await start(copy)).toMatchObject(NOT_HELD)
})

test('a database on another server is held; one whose server may not be asked is not', async () => {
  await start(home)
  const say = (identifier: string | null) =>
    change(home.url, (db) => sql`update installation_identity set system_identifier = ${identifier}`.execute(db))
  const { systemIdentifier } = await change(home.url, readIdentity)
  expect(systemIdentifier).toMatch(/^\d{15,}$/)
  await say(null)
  expect(await start(home)).toMatchObject(NOT_HELD)
  await say('1')
  expect(await start(home)).toMatchObject({ held: true, signs: [SERVER] })
  await resume(home)
  expect(await start(home)).toMatchObject(NOT_HELD)
})

test('a database that is older than its files is held, also while others use them', async () => {
  await start(home)
  const earlier = await copyDatabase(home.url)
  await start(home)
  const [then, now] = [await change(earlier, readIdentity), await change(home.url, readIdentity)]
  expect([then.counter, now.counter]).toEqual([1, 2])
  // As the same database, at the earlier state.
  await change(home.url, (db) =>
    sql`update installation_identity set counter = 1, raised_at = ${then.raisedAt}`.execute(db),
  )
  expect(await start(home)).toMatchObject({ held: true, signs: [OLDER] })
  const held = await change(home.url, readHeldStart)
  expect(held?.lastRanAt).toEqual(then.raisedAt)
  await resume(home)
  expect(await start(home)).toMatchObject({ ...NOT_HELD, counter: 3 })
})

test('a dump of before this version is held where its files have a witness already', async () => {
  const { store } = await withFile(home)
  const old = await copyDatabase(home.url)
  await start(home)
  expect(await start({ ...home, url: old })).toMatchObject({ held: true, signs: [OLDER] })
  expect(await store.witnesses.read()).toHaveLength(1)
  await resume({ ...home, url: old })
  expect(await start({ ...home, url: old })).toMatchObject({ ...NOT_HELD, owner: true })
})

test('killed between any two steps, alone or beside another process, it asks nothing', async () => {
  for (const begun of [false, true]) {
    for (let dies = 1; ; dies++) {
      const { url, drop } = await createDatabase()
      const place = { url, dir: join(folder.path, `${begun}-${dies}`) }
      if (begun) await start(place)
      const reached = await startBeside(place, { at: dies, kills: true })
      expect([begun, dies, await start(place)]).toMatchObject([begun, dies, NOT_HELD])
      const stops = await startBeside(place, { at: dies, kills: false })
      expect([begun, dies, await start(place)]).toMatchObject([begun, dies, NOT_HELD])
      await drop()
      if (!reached && !stops) {
        expect(dies).toBeGreaterThan(10)
        break
      }
    }
  }
})

/**
 * A start that stands still behind one of its steps, each an answer of the database or something done to a witness, while another
 * process starts; then it is killed or goes on. False when it has fewer steps.
 */
async function startBeside(place: Place, { at, kills }: { at: number; kills: boolean }): Promise<boolean> {
  let steps = 0
  const step = async () => {
    if (++steps !== at) return
    expect(await start(place)).toMatchObject(NOT_HELD)
    if (kills) throw new Error('killed')
  }
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await step()
      return result
    },
  }
  const db = openDatabase(place.url, { poolSize: 1 })
  const store = createDiskStore(place)
  const after =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A) => {
      const done = await work(...args)
      await step()
      return done
    }
  const { read, make, write } = store.witnesses
  const witnesses = { read: after(read), make: after(make), write: after(write) }
  try {
    expect(await startOn(db.withPlugin(plugin), { ...store, witnesses })).toMatchObject(NOT_HELD)
  } catch (error) {
    if ((error as Error).message !== 'killed') throw error
  } finally {
    await db.destroy()
  }
  return steps >= at
}

async function withFile({ url, dir }: Place) {
  const store = createDiskStore({ dir })
  const { key } = await store.put(Readable.from([Buffer.from('picture')]))
  const [account, brand, item] = ['a', 'b', 'c'].map((end) => `01990000-0000-7000-8000-00000000000${end}`)
  await change(url, async (db) => {
    await sql`insert into accounts (id, name, slug, plan) values (${account}, 'Test', 'test', 'SCALE')`.execute(db)
    await sql`insert into social_sets (id, account_id, name, timezone) values (${brand}, ${account}, 'Brand', 'UTC')`.execute(
      db,
    )
    await sql`insert into media_items (id, account_id, social_set_id, name, facts, bytes, sha256, storage_key, source)
      values (${item}, ${account}, ${brand}, 'a', '{}', 7, '', ${key}, 'UPLOAD')`.execute(db)
  })
  return { store, key }
}
