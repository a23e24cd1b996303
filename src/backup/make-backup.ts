import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { DAY_MS } from '#contract/durations'
import { type MediaStore, unlessMissing } from '#media'
import { openSnapshot, readKnown, type Snapshot } from '#persistence'
import { isAlive } from '#processes'
import {
  type BackedUpFile,
  BackupError,
  FILE_LIST,
  FILES,
  filePath,
  KEY_FILE,
  listedFiles,
  MANIFEST,
  type Manifest,
  type ManifestTable,
  readManifest,
  syncFolder,
  tablePath,
  writeWhole,
} from './format.ts'
import { counting, hashOf } from './hashing.ts'
import { type KeyWay, sealKeys } from './keys.ts'
import { backupsOf, MAKING } from './place.ts'
import { nowAndThen } from './progress.ts'

interface BackupDeps {
  /** Of PostgreSQL itself, not of a pooler. */
  databaseUrl: string
  store: Pick<MediaStore, 'open'>
  /** The secret keys as the setting has them, the sealing one first, and their names. */
  keys: { text: string; ids: readonly string[] }
  version: string
  progress(message: string): void
  signal?: AbortSignal | undefined
}

export interface MadeBackup {
  folder: string
  takenAt: string
  rows: number
  files: number
  /** Of the files that were not in the place before. */
  newFiles: number
  newBytes: number
  /** Files that rows name and that are not in the library: they were lost before. */
  missing: number
}

/**
 * Backs up everything into a folder of a place, beside earlier ones: all rows as they are at one moment, and after that the files that
 * are not in the place yet, which never change. It is whole when the folder has its name; one that was broken off is removed by
 * the next, and its files are used.
 *
 * @param place a folder, made when it is missing
 * @throws BackupError, TableCopyError, what the disk and the database throw, and the signal's reason
 */
export async function makeBackup(place: string, way: KeyWay, deps: BackupDeps): Promise<MadeBackup> {
  const { keys, progress, signal } = deps
  await mkdir(place, { recursive: true, mode: 0o700 })
  await mkdir(join(place, FILES), { recursive: true, mode: 0o700 })
  await removeBrokenOff(place, progress)
  const making = join(place, `${MAKING}${process.pid}-${randomUUID().slice(0, 8)}`)
  // Before the rows are read: a wrong key file ends it at once.
  const key = way.kind === 'sealed' ? sealKeys(keys.text, way.secret) : `${keys.text}\n`
  const known = await knownFiles(place, progress)
  try {
    await mkdir(join(making, 'tables'), { recursive: true, mode: 0o700 })
    const copied = await copyRows(making, deps)
    const files = await copyFiles({ place, making, known }, deps)
    if (way.kind !== 'elsewhere') await writeWhole(join(making, KEY_FILE), key)
    const { tables, sequences, migrations, serverVersion, identities } = copied
    const takenAt = copied.takenAt.toISOString()
    const manifest: Manifest = {
      format: 1,
      version: deps.version,
      takenAt,
      serverVersion,
      migrations,
      tables,
      sequences,
      files: { count: files.count, bytes: files.bytes, missing: files.missing, sha256: files.sha256 },
      keyIds: [...keys.ids],
      key: way.kind,
      identities,
    }
    await writeWhole(join(making, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`)
    signal?.throwIfAborted()
    const folder = join(place, takenAt.replace(/[:.]/g, '-'))
    await rename(making, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
      throw new BackupError(`Another backup of the same moment is at ${folder}.`)
    })
    await syncFolder(place)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    return {
      folder,
      takenAt,
      rows,
      files: files.count,
      newFiles: files.newFiles,
      newBytes: files.newBytes,
      missing: files.missing,
    }
  } catch (error) {
    await rm(making, { recursive: true, force: true }).catch(() => {})
    throw error
  }
}

/** What a process left that was killed; one that is still at work keeps its own. */
async function removeBrokenOff(place: string, progress: BackupDeps['progress']): Promise<void> {
  for (const name of await readdir(place)) {
    if (!name.startsWith(MAKING)) continue
    const path = join(place, name)
    const { mtimeMs } = await stat(path)
    const pid = Number.parseInt(name.slice(MAKING.length), 10)
    // Of another machine the number says nothing: what has not changed for a day is left.
    if (isAlive(pid) && Date.now() - mtimeMs < DAY_MS) {
      throw new BackupError(`Another backup is being made there (process ${pid}). If none is, remove ${path}.`)
    }
    await rm(path, { recursive: true })
    progress(`A backup that was broken off is removed: ${path}. Its files are used again.`)
  }
}

type Copied = Pick<Snapshot, 'takenAt' | 'serverVersion' | 'migrations' | 'sequences'> & {
  tables: ManifestTable[]
  identities: number
}

/** All rows, and the keys of all files, as they are at one moment. */
async function copyRows(making: string, { databaseUrl, progress, signal }: BackupDeps): Promise<Copied> {
  await using snapshot = await openSnapshot(databaseUrl)
  if (snapshot.migrations.join() !== (await readKnown()).join())
    throw new BackupError(
      'The database is of another version of Almanac than this command. Run the command of that version, or start this one first.',
    )
  const tables: ManifestTable[] = []
  let rows = 0
  const say = nowAndThen(progress)
  for (const table of snapshot.tables) {
    signal?.throwIfAborted()
    const copied = await copyTable(tablePath(making, table.name), snapshot.rows(table), signal)
    tables.push({ ...table, ...copied })
    rows += copied.rows
    say(() => `${tables.length} of ${snapshot.tables.length} tables, ${rows} rows.`)
  }
  const list = createWriteStream(join(making, 'keys'), { mode: 0o600 })
  await pipeline(async function* () {
    for await (const keys of snapshot.files()) yield `${keys.join('\n')}\n`
  }, list)
  const { takenAt, serverVersion, migrations, sequences } = snapshot
  const identities = tables.find(({ name }) => name === 'network_identities')?.rows ?? 0
  return { takenAt, serverVersion, migrations, sequences, tables, identities }
}

async function copyTable(path: string, source: Readable, signal: AbortSignal | undefined) {
  const seen = counting()
  await pipeline(source, createZstdCompress(), seen.stream, newFile(path), { signal })
  const { rowCount = 0 } = source as { rowCount?: number }
  return { rows: rowCount, ...seen.result() }
}

/** Files that earlier backups of the place list: they are there, with these hashes. */
async function knownFiles(place: string, progress: BackupDeps['progress']): Promise<Map<string, BackedUpFile>> {
  const known = new Map<string, BackedUpFile>()
  const [newest] = await backupsOf(place)
  if (newest === undefined) {
    // Said, since a disk that is not mounted looks like this.
    progress(`There is no earlier backup at ${place}: all files are copied.`)
    return known
  }
  await readManifest(newest)
  for await (const file of listedFiles(newest)) known.set(file.key, file)
  return known
}

interface CopyOptions {
  place: string
  making: string
  known: Map<string, BackedUpFile>
}

/** Copies what the place does not have, and lists all. */
async function copyFiles({ place, making, known }: CopyOptions, { store, progress, signal }: BackupDeps) {
  const done = { count: 0, bytes: 0, missing: 0, newFiles: 0, newBytes: 0 }
  const hash = createHash('sha256')
  const say = nowAndThen(progress)
  const listed = join(making, FILE_LIST)
  const keys = createInterface({ input: createReadStream(join(making, 'keys')), crlfDelay: Number.POSITIVE_INFINITY })
  await pipeline(async function* () {
    for await (const key of keys) {
      signal?.throwIfAborted()
      const file = await bringFile({ place, store, signal }, key, known.get(key))
      if (file === null) {
        done.missing++
        continue
      }
      const { isNew, ...entry } = file
      done.count++
      done.bytes += file.bytes
      if (isNew) {
        done.newFiles++
        done.newBytes += file.bytes
      }
      say(() => `${done.count} files, ${Math.round(done.bytes / 1_000_000)} MB.`)
      const line = `${JSON.stringify(entry)}\n`
      hash.update(line)
      yield line
    }
  }, newFile(listed))
  await rm(join(making, 'keys'))
  return { ...done, sha256: hash.digest('hex') }
}

/** Null: the library has no such file. */
async function bringFile(
  { place, store, signal }: { place: string; store: BackupDeps['store']; signal: AbortSignal | undefined },
  key: string,
  known: BackedUpFile | undefined,
): Promise<(BackedUpFile & { isNew: boolean }) | null> {
  const path = filePath(place, key)
  const there = await stat(path).catch(unlessMissing)
  if (there && known?.bytes === there.size) return { ...known, isNew: false }
  // One that a backup has brought which was broken off: whole, as it has its name.
  if (there) return { key, ...(await hashOf(createReadStream(path))), isNew: false }
  const source = await store.open(key).catch(unlessMissing)
  if (source === null) return null
  // Its parent is there: where the disk of the place has been unmounted, nothing is written to the folder below it.
  await mkdir(dirname(path), { mode: 0o700 }).catch(unlessThere)
  const draft = `${path}.part`
  const seen = counting()
  try {
    await pipeline(source, seen.stream, createWriteStream(draft, { mode: 0o600, flush: true }), { signal })
    await rename(draft, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
  return { key, ...seen.result(), isNew: true }
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

const newFile = (path: string) => createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
