import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDiskStore } from '#media'
import { type Database, fillTables, migrate, openDatabase, openSnapshot, readKnown, readStartState } from '#persistence'
import { createDatabase } from '../../test/_util/database.ts'
import { dumpSchema } from '../persistence/schema-dump.ts'
import { readManifest } from './format.ts'
import { makeBackup } from './make-backup.ts'
import { restoreRows } from './restore-backup.ts'

/** Databases of this version and of earlier ones, with something of every kind, through a backup. */

const DUMPS = join(import.meta.dirname, '../../test/_fixtures/upgrades')
const names = (await readdir(DUMPS)).sort()
/** What a restore writes itself. */
const CHANGED = [
  'sessions',
  'user_links',
  'authorizations',
  'held_starts',
  'installation',
  'news_sends',
  'event_positions',
  'alert_sends',
  'migrations',
]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-backup-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function loaded(name: string) {
  const database = await createDatabase('template0')
  const db = openDatabase(database.url, { poolSize: 1 })
  await sql.raw(gunzipSync(await readFile(join(DUMPS, name, 'dump.sql.gz'))).toString()).execute(db)
  return { url: database.url, db, close: () => db.destroy().then(database.drop) }
}

async function hashes(db: Database): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`.execute(
    db,
  )
  const all: Record<string, string> = {}
  for (const { name } of rows.filter((each) => !CHANGED.includes(each.name))) {
    const { rows: found } = await sql<{ rows: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as rows from ${sql.table(name)} t`.execute(
      db,
    )
    all[name] = found[0]?.rows ?? ''
  }
  return all
}

test('what was there is there again, row by row, and what was to be sent is not', async () => {
  const name = names.at(-1) ?? ''
  const source = await loaded(name)
  const target = await createDatabase('template0')
  const db = openDatabase(target.url, { poolSize: 1 })
  try {
    const deps = { progress: () => {} }
    const made = await makeBackup(
      join(folder, name),
      { kind: 'elsewhere' },
      {
        ...deps,
        databaseUrl: source.url,
        store: createDiskStore({ dir: join(folder, 'no media') }),
        keys: { text: '', ids: ['id'] },
        version: '0.0.0',
      },
    )
    expect(made.missing).toBeGreaterThan(0)
    const manifest = await readManifest(made.folder)
    expect(manifest.migrations.at(-1)).toBe(name)
    const [before, restoring] = [
      await hashes(source.db),
      { ...deps, databaseUrl: target.url, known: await readKnown() },
    ]
    expect(await restoreRows(made.folder, manifest, restoring)).toBe(made.rows)
    await expectWhole(db)
    expect(await hashes(db)).toEqual(before)
    const { rows: sends } = await sql`
      select from news_sends where state = 'WAITING' union all select from alert_sends where state = 'WAITING'
      union all select from sessions`.execute(db)
    expect(sends).toEqual([])
    expect(await readStartState(db)).toMatchObject({ why: 'COPY', lastRanAt: new Date(manifest.takenAt) })
  } finally {
    await db.destroy()
    await target.drop()
    await source.close()
  }
})

test.each(names.slice(0, -1))('rows of %s come to this version', async (name) => {
  const source = await loaded(name)
  const target = await createDatabase('template0')
  const db = openDatabase(target.url, { poolSize: 1 })
  try {
    await using snapshot = await openSnapshot(source.url)
    await migrate(target.url, { until: snapshot.migrations.at(-1) ?? '' })
    await fillTables(
      target.url,
      snapshot,
      (table) => snapshot.rows(table),
      async () => {},
    )
    await migrate(target.url)
    await expectWhole(db)
  } finally {
    await db.destroy()
    await target.drop()
    await source.close()
  }
})

/** The schema of this version, and nothing of it left silent. */
async function expectWhole(db: Database) {
  expect(await dumpSchema(db)).toBe(await readFile(join(import.meta.dirname, '../persistence/schema.sql'), 'utf8'))
  const { rows } = await sql`select tgname from pg_trigger where tgenabled <> 'O'`.execute(db)
  expect(rows).toEqual([])
}
