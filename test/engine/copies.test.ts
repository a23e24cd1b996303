import { chmod, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { KyselyPlugin } from 'kysely'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDiskStore, type Witness, type Witnesses } from '#media'
import { endHeldStart, openDatabase, readHeldStart, readIdentity, removeOldRows } from '#persistence'
import { createDatabase } from '../_util/database/database.ts'
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
} from '../_util/processes/installation.ts'
import { WHOLE } from '../_util/run/whole.ts'

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
const FOLDER_GONE =
  'The folder of the media is another one than before: the database was copied or put back without it.'
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

test('beside PostgreSQL of its own, a folder without the witness and the files is held, and asks once', async () => {
  const together = { together: true }
  await start(home, together)
  await rm(home.dir, { recursive: true })
  expect(await start(home, together)).toMatchObject({ held: true, signs: [FOLDER_GONE] })
  expect(await start(home, together)).toMatchObject({ held: true, signs: [FOLDER_GONE] })
  await resume(home)
  for (let nth = 0; nth < 2; nth++) expect(await start(home, together)).toMatchObject({ ...NOT_HELD, owner: true })
})

test('the counter is on the disk of the database before it is in the witness, whatever the server is set to', async () => {
  const seen = () =>
    change(home.url, async (db) => {
      await start(home)
      return (await sql<{ how: string }>`select how from at_commit order by number`.execute(db)).rows.map(
        ({ how }) => how,
      )
    })
  await change(home.url, async (db) => {
    await sql`create table at_commit (number bigserial, how text)`.execute(db)
    await sql`create function note_commit() returns trigger language plpgsql as $$
      begin insert into at_commit (how) values (current_setting('synchronous_commit')); return null; end $$`.execute(db)
    await sql`create constraint trigger note_commit after update of counter on installation_identity
      deferrable initially deferred for each row when (old.counter < new.counter) execute function note_commit()`.execute(
      db,
    )
  })
  const set = (how: string) =>
    change(home.url, (db) =>
      sql.raw(`alter database "${new URL(home.url).pathname.slice(1)}" set synchronous_commit = ${how}`).execute(db),
    )
  await set('off')
  expect(await seen()).toEqual(['local'])
  // What is set to more stays more.
  await set('remote_apply')
  expect(await seen()).toEqual(['local', 'remote_apply'])
})

/** A store whose file system numbers its files at each mount. */
function mounted(
  place: Place,
  mount: number,
  { after = () => {}, agoMs = 0 }: { after?: () => void; agoMs?: number } = {},
) {
  const store = createDiskStore(place)
  const { read, make, write } = store.witnesses
  const numbered = (witness: Witness): Witness => ({
    ...witness,
    place: witness.place && { ...witness.place, inode: `${mount} ${witness.place.inode}`, bornAt: null },
    written: witness.written && {
      ...witness.written,
      at: new Date(Date.parse(witness.written.at) - agoMs).toISOString(),
    },
  })
  const witnesses: Witnesses = {
    read: async () => (await read()).map(numbered),
    make,
    async write(...args) {
      const written = await write(...args)
      after()
      return written && numbered(written)
    },
  }
  return { ...store, witnesses }
}
const startMounted = (place: Place, mount: number, options: Parameters<typeof mounted>[2] = {}) =>
  change(place.url, (db) => startOn(db, mounted(place, mount, options)))

test('where files are numbered at each mount, a kill before the last write is noted asks nothing; a copy does', async () => {
  const killed = {
    after: () => {
      throw new Error('killed')
    },
  }
  for (const mount of [1, 2]) expect(await startMounted(home, mount)).toMatchObject(NOT_HELD)
  expect(await startMounted(home, 2, killed)).toMatchObject({ held: false })
  for (const mount of [3, 4]) expect(await startMounted(home, mount)).toMatchObject(NOT_HELD)
  expect(await startMounted(home, 4, killed)).toMatchObject({ held: false })
  // Copied a minute after the write that was not noted.
  const copy = { ...home, dir: join(folder.path, 'copy') }
  await COPYING['cp -a']?.(home.dir, copy.dir)
  expect(await startMounted(copy, 5, { agoMs: 60_000 })).toMatchObject({ held: true, signs: [FOLDER] })
})

test('rows of folders that were not used for long go, but not while anything could be learned of them', async () => {
  await start(home)
  const old = { ...home, dir: join(folder.path, 'old') }
  await start(old)
  const rows = () => change(home.url, (db) => db.selectFrom('data_folders').select('id').orderBy('id').execute())
  const purge = () => change(home.url, (db) => removeOldRows(db, 'data_folders'))
  const run = (statement: string) => change(home.url, (db) => sql.raw(statement).execute(db))
  // A night off that is 40 days long: everything is as old, and nothing has run since.
  await run(`update data_folders set noted_at = almanac_now() - interval '40 days'`)
  expect(await purge()).toBe(0)
  const copy = { ...home, dir: join(folder.path, 'copy') }
  await COPYING['cp -a']?.(old.dir, copy.dir)
  expect(await start(copy)).toMatchObject({ held: true, signs: [FOLDER] })
  await resume(home)
  // It runs for 30 days, and the old folder is not used.
  await run(`update installation_identity set counter = counter + 30 * 288`)
  await start(home)
  expect(await purge()).toBe(0)
  await run(`update data_folders set noted_at = almanac_now() - interval '40 days' where id not in (
    select id from data_folders order by noted_at desc limit 1)`)
  expect([await purge(), (await rows()).length]).toEqual([1, 1])
  // The folder that is in use is known as before, and the other one comes back as a new worker's.
  expect(await start(home)).toMatchObject(NOT_HELD)
  expect(await start(old)).toMatchObject(NOT_HELD)
  expect((await rows()).length).toBe(2)
})

test('a folder that was not its own when it was first used is looked at again at each start', async () => {
  const store = createDiskStore(home)
  const { key } = await store.put(Readable.from([Buffer.from('of another one')]))
  expect(await start(home)).toMatchObject({ ...NOT_HELD, owner: false, unswept: 'UNKNOWN_FILES' })
  expect(await start(home)).toMatchObject({ owner: false, unswept: 'UNKNOWN_FILES' })
  // Files of its own beside as many that it does not know: still not.
  await withFile(home)
  expect(await start(home)).toMatchObject({ owner: false, unswept: 'UNKNOWN_FILES' })
  await store.remove(key)
  expect(await start(home)).toMatchObject({ ...NOT_HELD, owner: true, unswept: null })
  expect((await store.witnesses.read())[0]?.content).toMatchObject({ owner: true })
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
    for (let dies = 1; ; dies += WHOLE ? 1 : 2) {
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
