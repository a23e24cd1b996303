import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { type MediaStore, unlessMissing } from '#media'
import { afterRestore, fillTables, migrate, readEmptiness } from '#persistence'
import {
  BackupError,
  FILE_LIST,
  filePath,
  listedFiles,
  type Manifest,
  type ManifestTable,
  tablePath,
} from './format.ts'
import { counting, hashOf } from './hashing.ts'
import { nowAndThen } from './progress.ts'

interface RestoreDeps {
  /** Of PostgreSQL itself, not of a pooler. */
  databaseUrl: string
  /** Migrations that this version has. */
  known: readonly string[]
  progress(message: string): void
  signal?: AbortSignal | undefined
}

/** @throws BackupError a newer version has made it */
export function requireKnown({ migrations, version }: Manifest, known: readonly string[]): void {
  const unknown = migrations.find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new BackupError(
    `The backup was made by a newer Almanac (${version}, with the migration ${unknown}). Restore it with that version or a newer one.`,
  )
}

/** @throws BackupError the database is in use, or of another version */
export async function requireEmpty(databaseUrl: string, manifest: Manifest): Promise<void> {
  const { migrations, others, used } = await readEmptiness(databaseUrl)
  if (used)
    throw new BackupError(
      'The database is in use: there are accounts in it. Restore into an empty one, with an empty ALMANAC_DATA_DIR or another DATABASE_URL.',
    )
  if (others.length > 0)
    throw new BackupError(
      `The database has tables of another program (${others.slice(0, 3).join(', ')}). Restore into an empty one.`,
    )
  if (migrations.length > 0 && migrations.join() !== manifest.migrations.join())
    throw new BackupError(
      'The database has the tables of another version of Almanac, without accounts. Restore into an empty one.',
    )
}

/**
 * Brings the files of a backup into the library, each as it was backed up. What is there already, of a restore that was broken off, is
 * compared and kept.
 *
 * @throws BackupError a file is missing or another one
 */
export async function restoreFiles(
  { folder, place }: { folder: string; place: string },
  manifest: Manifest,
  store: Pick<MediaStore, 'put' | 'open' | 'stat' | 'remove'>,
  { progress, signal }: RestoreDeps,
): Promise<void> {
  await requireList(folder, manifest)
  let count = 0
  const say = nowAndThen(progress)
  for await (const file of listedFiles(folder)) {
    signal?.throwIfAborted()
    const { key, bytes, sha256 } = file
    const there = await store.stat(key)
    if (there?.bytes !== bytes || (await hashOf(await store.open(key))).sha256 !== sha256) {
      const put = await store.put(await openFile(place, key), { key, signal })
      if (put.sha256 !== sha256) {
        await store.remove(key)
        throw damaged(filePath(place, key))
      }
    }
    count++
    say(() => `${count} of ${manifest.files.count} files.`)
  }
}

/**
 * Compares each file of a backup with what was written down of it.
 *
 * @returns what is wrong, a sentence each
 */
export async function compareFiles(
  { folder, place }: { folder: string; place: string },
  manifest: Manifest,
  { progress, signal }: Pick<RestoreDeps, 'progress' | 'signal'>,
): Promise<string[]> {
  await requireList(folder, manifest)
  const wrong: string[] = []
  let count = 0
  const say = nowAndThen(progress)
  for await (const { key, bytes, sha256 } of listedFiles(folder)) {
    signal?.throwIfAborted()
    const path = filePath(place, key)
    const found = await stat(path).catch(unlessMissing)
    if (found === null) wrong.push(`${path} is missing.`)
    else if (found.size !== bytes || (await hashOf(createReadStream(path))).sha256 !== sha256)
      wrong.push(`${path} is damaged. Remove it: the next backup brings it again from the library.`)
    count++
    say(() => `${count} of ${manifest.files.count} files.`)
  }
  return wrong
}

/**
 * Fills an empty database with the rows of a backup, as its version had them, and brings them to this version. It is held afterwards, like a
 * copy: nothing of it acts before a person answers.
 *
 * @param deps.forget facts of the installation that do not hold any more
 * @returns how many rows there are
 * @throws BackupError a table is damaged or has another number of rows; the database is as empty as before
 */
export async function restoreRows(
  folder: string,
  manifest: Manifest,
  { databaseUrl, progress, signal, forget = [] }: RestoreDeps & { forget?: readonly string[] },
): Promise<number> {
  const { tables, sequences, migrations, takenAt } = manifest
  const options = { report: progress, signal }
  await migrate(databaseUrl, { ...options, until: migrations.at(-1) ?? '' })
  let done = 0
  const say = nowAndThen(progress)
  const checks: (() => void)[] = []
  let reading: ManifestTable | undefined
  const counts = await fillTables(
    databaseUrl,
    { tables, sequences },
    async (table) => {
      signal?.throwIfAborted()
      for (const check of checks.splice(0)) check()
      say(() => `${done} of ${tables.length} tables.`)
      done++
      reading = table as ManifestTable
      const { source, check } = openTable(folder, reading)
      checks.push(check)
      return source
    },
    async (query) => {
      for (const check of checks.splice(0)) check()
      await afterRestore(query, { takenAt: new Date(takenAt), forget })
    },
  ).catch(async (error: unknown) => {
    // No matter what the database says of rows that are not what they were.
    if (reading && (await isDamaged(folder, reading))) throw damaged(tablePath(folder, reading.name))
    throw error
  })
  await migrate(databaseUrl, options)
  for (const { name, rows } of tables) {
    const found = counts.get(name) ?? 0
    if (found !== rows) throw new BackupError(`The table ${name} has ${found} rows instead of ${rows}.`)
  }
  return [...counts.values()].reduce((sum, rows) => sum + rows, 0)
}

function openTable(folder: string, { name, sha256, bytes }: ManifestTable): { source: Readable; check(): void } {
  const path = tablePath(folder, name)
  const seen = counting()
  const file = createReadStream(path)
  const source = createZstdDecompress()
  const fail = () => source.destroy(damaged(path))
  // Neither a file that cannot be read nor one that is no archive says which one it is.
  file.on('error', fail)
  // Who reads it hears of it first; more than one error may come.
  source.on('error', () => {})
  file.pipe(seen.stream).pipe(source)
  const check = () => {
    const found = seen.result()
    if (found.bytes !== bytes || found.sha256 !== sha256) throw damaged(path)
  }
  return { source, check }
}

async function isDamaged(folder: string, { name, sha256 }: ManifestTable): Promise<boolean> {
  const found = await hashOf(createReadStream(tablePath(folder, name))).catch(() => null)
  return found?.sha256 !== sha256
}

async function requireList(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, FILE_LIST)
  const { sha256 } = await hashOf(createReadStream(path)).catch(() => ({ sha256: null }))
  if (sha256 !== manifest.files.sha256) throw damaged(path)
}

async function openFile(place: string, key: string): Promise<Readable> {
  const path = filePath(place, key)
  if ((await stat(path).catch(unlessMissing)) === null)
    throw new BackupError(`${path} is missing. Nothing was restored.`)
  return createReadStream(path)
}

const damaged = (path: string) =>
  new BackupError(`${path} is damaged or missing: it is not what was backed up. Use another backup.`)
