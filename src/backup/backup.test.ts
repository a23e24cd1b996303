import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDiskStore } from '#media'
import { type Database, fillTables, migrate, openDatabase, openSnapshot, readKnown, readStartState } from '#persistence'
import { createDatabase } from '../../test/_util/database/database.ts'
import { shell } from '../../test/_util/processes/installation.ts'
import { part } from '../../test/_util/run/whole.ts'
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

test.each(part(names.slice(0, -1), 4))('rows of %s come to this version', async (name) => {
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

test('a backup during a migration is refused, and a migration during a backup comes behind its rows', async () => {
  const source = await loaded(names.at(-2) ?? '')
  try {
    const inTheWay = openDatabase(source.url, { poolSize: 1 })
    await sql`select pg_advisory_lock(hashtextextended('almanac migrations', 0))`.execute(inTheWay)
    await expect(openSnapshot(source.url)).rejects.toThrow('are being brought to another version')
    await inTheWay.destroy()

    const before = await hashes(source.db)
    const refused = Promise.withResolvers<string>()
    let migrated: Promise<void>
    {
      await using snapshot = await openSnapshot(source.url)
      migrated = migrate(source.url, { report: (line) => line.includes('almanac-backup') && refused.resolve(line) })
      expect(await refused.promise).toContain('It is tried again in')
      expect(snapshot.migrations.at(-1)).toBe(names.at(-2))
      for (const table of snapshot.tables) for await (const _ of snapshot.rows(table));
      expect(await hashes(source.db)).toEqual(before)
    }
    await migrated
    await using after = await openSnapshot(source.url)
    expect(after.migrations).toEqual(await readKnown())
  } finally {
    await source.close()
  }
})

/**
 * What becomes of the disk while files are copied to it, and what the backup then ends with. That it is made read-only is
 * refused by Linux as long as a file is open for writing.
 */
const DISK_GOES = [
  ['unmounted', (disk: string) => `umount -l '${disk}'`, 'ENOENT'],
  ['full', (disk: string) => `dd if=/dev/zero of='${disk}/all' bs=64k 2>/dev/null || true`, 'ENOSPC'],
] as const

test.skipIf(process.getuid?.() !== 0).each(DISK_GOES)(
  'a disk that is %s in the middle ends it, and nothing is written below it',
  async (name, command, code) => {
    const source = await loaded(names.at(-1) ?? '')
    const disk = join(folder, name)
    await mkdir(disk)
    await shell(`mount -t tmpfs -o size=8m tmpfs '${disk}'`)
    try {
      let opened = 0
      const back = (open: () => Promise<Readable>) =>
        makeBackup(
          disk,
          { kind: 'elsewhere' },
          {
            progress: () => {},
            databaseUrl: source.url,
            store: { open },
            keys: { text: '', ids: ['id'] },
            version: '0.0.0',
          },
        )
      const whole = await back(async () => Readable.from('a file'))
      await shell(`rm -r '${disk}/files'`)
      const broken = back(async () => {
        opened += 1
        if (opened === 2) await shell(command(disk))
        return Readable.from(Buffer.alloc(100_000))
      })
      await expect(broken).rejects.toThrow(code)
      expect(opened).toBeLessThan(whole.files)
      const left = await readdir(disk)
      expect(left.sort()).toEqual(code === 'ENOENT' ? [] : [basename(whole.folder), 'all', 'files'])
    } finally {
      await shell(`umount -l '${disk}' 2>/dev/null || true`)
      await source.close()
    }
  },
)

/** The schema of this version, and nothing of it left silent. */
async function expectWhole(db: Database) {
  expect(await dumpSchema(db)).toBe(await readFile(join(import.meta.dirname, '../persistence/schema.sql'), 'utf8'))
  const { rows } = await sql`select tgname from pg_trigger where tgenabled <> 'O'`.execute(db)
  expect(rows).toEqual([])
}
