import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  BackupError,
  compareFiles,
  findBackup,
  KEY_FILE,
  type KeyWay,
  type MadeBackup,
  type Manifest,
  makeBackup,
  openKeys,
  readManifest,
  requireEmpty,
  requireKnown,
  restoreFiles,
  restoreRows,
} from '#backup'
import { keepSecretKeys, parseSecretKeys, readSecretKeysOf } from '#config'
import { createSecretBox } from '#domain'
import { createDiskStore } from '#media'
import type * as Operations from '#operations'
import { openDatabase, readKnown } from '#persistence'
import type { Stop } from './begin.ts'
import { reachServer, type Server } from './database.ts'
import { openDrillDatabase } from './drill-database.ts'
import { type Installation, loadInstallation } from './installation.ts'
import { mediaDirOf } from './media.ts'
import { inWords, StartError } from './start-error.ts'

interface Running {
  /** Hears in words how far it is. */
  progress(message: string): void
  stop: Stop
}

/** How the key of a backup is kept, as the command says it: `sealedFor` is the path of a file. */
type KeyChoice = { kind: 'beside' } | { kind: 'elsewhere' } | { kind: 'sealed'; sealedFor: string }

/**
 * Backs up this installation, which may run meanwhile.
 *
 * @throws StartError, BackupError, TableCopyError
 */
export async function backUp(target: string, choice: KeyChoice, { progress, stop }: Running): Promise<MadeBackup> {
  const installation = await loadInstallation()
  const { config } = installation
  const way = await wayOf(choice)
  await using closing = new AsyncDisposableStack()
  const server = await reach(installation, progress, closing)
  const keys = await readSecretKeysOf(config)
  try {
    const made = await makeBackup(resolve(target), way, {
      databaseUrl: directly(server),
      store: createDiskStore({ dir: mediaDirOf(config) }),
      keys: { text: keys.map((key) => key.toString('base64')).join(','), ids: createSecretBox(keys).keyIds },
      version: await versionOf(installation),
      progress,
      signal: stop.graceful,
    })
    const db = openDatabase(directly(server), { poolSize: 1, name: 'almanac-backup' })
    closing.defer(() => db.destroy())
    const { noteBackup } = await import('#operations')
    await noteBackup(db, { takenAt: made.takenAt })
    return made
  } catch (error) {
    throw stop.graceful.aborted ? new StartError('No backup was made.') : inWordsOf(error, resolve(target))
  }
}

const PLACE_WORDS: Readonly<Record<string, string>> = {
  EACCES: 'cannot be written',
  EPERM: 'cannot be written',
  EROFS: 'cannot be written',
  EEXIST: 'is not a folder',
  ENOTDIR: 'is not a folder',
  ENOSPC: 'is on a disk that is full',
  EDQUOT: 'is on a disk whose share for this user is used up',
  ENOENT: 'has gone, as when its disk is unmounted',
  EIO: 'is on a disk that does not work',
  ENODEV: 'is on a disk that has gone',
  ESTALE: 'is on a disk that has gone',
}

/** What went wrong with the place of backups, in words; anything else as everywhere. */
function inWordsOf(error: unknown, place: string): unknown {
  const { code = '', path } = error as NodeJS.ErrnoException
  const words = PLACE_WORDS[code]
  // What a write meets names no path: nothing else is written to by a backup.
  if (words === undefined || (path !== undefined && !path.startsWith(place))) return inWords(error)
  return new BackupError(`${path ?? place} ${words}. No backup was made; earlier ones are as they were.`)
}

async function wayOf(choice: KeyChoice): Promise<KeyWay> {
  if (choice.kind !== 'sealed') return choice
  return { kind: 'sealed', secret: await readGiven(choice.sealedFor) }
}

async function readGiven(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error) => {
    throw new BackupError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  })
}

interface Restored {
  folder: string
  takenAt: string
  rows: number
  files: number
  /** Where the secret key was written; null: it is set, or there is none. */
  keyPath: string | null
  /** Whether the key has to be set before a start: with an external database. */
  setsKey: boolean
  /** Accounts on networks to connect again: the key is lost. */
  toConnect: number
  due: Awaited<ReturnType<typeof Operations.readDueWhileHeld>>
}

/**
 * Restores a backup into this installation, whose database is empty. It is held afterwards.
 *
 * @param source a backup, or a place of some, whose newest is meant
 * @throws StartError, BackupError, ConfigError
 */
export async function restore(
  source: string,
  { keyFrom, withoutKey }: { keyFrom: string | null; withoutKey: boolean },
  { progress, stop }: Running,
): Promise<Restored> {
  const installation = await loadInstallation()
  const { config } = installation
  const backup = await findBackup(resolve(source))
  const manifest = await readManifest(backup.folder)
  const known = await readKnown()
  requireKnown(manifest, known)
  const keyText = withoutKey ? null : await keyOf(backup.folder, manifest, { config, keyFrom })
  await using closing = new AsyncDisposableStack()
  const server = await reach(installation, progress, closing)
  const databaseUrl = directly(server)
  const deps = { databaseUrl, known, progress, signal: stop.graceful }
  try {
    await requireEmpty(databaseUrl, manifest)
    // Before the rows, which name it: a start without it would make another one.
    const keyPath = keyText === null ? null : await keepSecretKeys(config, keyText)
    await restoreFiles(backup, manifest, createDiskStore({ dir: mediaDirOf(config) }), deps)
    const operations = await import('#operations')
    const forget = withoutKey ? [operations.SECRET_KEY_FACT] : []
    const rows = await restoreRows(backup.folder, manifest, { ...deps, forget })
    const db = openDatabase(databaseUrl, { poolSize: 1, name: 'almanac-restore' })
    closing.defer(() => db.destroy())
    const due = await operations.readDueWhileHeld({ db })
    const setsKey = keyPath !== null && config.databaseUrl !== null
    const toConnect = withoutKey ? manifest.identities : 0
    const { takenAt } = manifest
    return { folder: backup.folder, takenAt, rows, files: manifest.files.count, keyPath, setsKey, toConnect, due }
  } catch (error) {
    throw stop.graceful.aborted ? new StartError('Nothing was restored.') : inWords(error, { dataDir: config.dataDir })
  }
}

/**
 * The secret keys for a backup as text, when they have to be written down; null: this installation has them set.
 *
 * @throws BackupError nothing here opens its secrets
 */
async function keyOf(
  folder: string,
  manifest: Manifest,
  { config, keyFrom }: { config: Installation['config']; keyFrom: string | null },
): Promise<string | null> {
  const opens = (keys: readonly Buffer[]) => createSecretBox(keys).keyIds.includes(manifest.keyIds[0] ?? '')
  if (config.secretKeys !== null && opens(config.secretKeys)) return null
  const text = await keyInside(folder, manifest, keyFrom)
  if (text !== null && config.secretKeys === null) return text
  const lost = manifest.identities === 1 ? '1 account has' : `${manifest.identities} accounts have`
  const otherwise = `Without it ${lost} to be connected again, second steps of sign-ins have to be removed, and network apps entered again: that is --without-key.`
  if (config.secretKeys !== null)
    throw new BackupError(
      `ALMANAC_SECRET_KEY is not the key of this backup. Set that one (behind the new one: new,old). ${otherwise}`,
    )
  throw new BackupError(`The secret key of this backup is not in it. Set ALMANAC_SECRET_KEY to it. ${otherwise}`)
}

/** Null: it is not in the backup. @throws BackupError it is sealed, and not for `keyFrom` */
async function keyInside(folder: string, { key }: Manifest, keyFrom: string | null): Promise<string | null> {
  if (key === 'elsewhere') return null
  const text = await readGiven(join(folder, KEY_FILE))
  if (key === 'beside') return text.trim()
  if (keyFrom === null)
    throw new BackupError(
      'The secret key of this backup is sealed. Give the passphrase or the private key: --key-from FILE.',
    )
  return openKeys(text, await readGiven(keyFrom))
}

interface Verified {
  folder: string
  takenAt: string
  rows: number
  files: number
  /** Whether a secret of it was opened: `no key` where the key is neither in the backup nor set here. */
  secrets: 'open' | 'no key'
}

/**
 * Restores a backup into a database of its own in a folder for a while, compares every file, and opens what only the right key opens.
 *
 * @throws BackupError what is wrong with it, in a sentence each
 */
export async function verifyBackup(
  source: string,
  { keyFrom }: { keyFrom: string | null },
  { progress, stop }: Running,
): Promise<Verified> {
  const { config, projectDir } = await loadInstallation()
  const backup = await findBackup(resolve(source))
  const manifest = await readManifest(backup.folder)
  const known = await readKnown()
  requireKnown(manifest, known)
  const text = await keyInside(backup.folder, manifest, keyFrom)
  const keys = text === null ? config.secretKeys : parseSecretKeys(text)
  const signal = stop.graceful
  const wrong = await compareFiles(backup, manifest, { progress, signal })
  await using closing = new AsyncDisposableStack()
  try {
    const server = closing.use(await openDrillDatabase({ projectDir, progress }))
    const rows = await restoreRows(backup.folder, manifest, { databaseUrl: server.url, known, progress, signal })
    const secrets = keys === null ? ('no key' as const) : ('open' as const)
    if (keys !== null) {
      const db = openDatabase(server.url, { poolSize: 1, name: 'almanac-verify' })
      closing.defer(() => db.destroy())
      const { inspectSecretKey } = await import('#operations')
      const { fit } = await inspectSecretKey(db, createSecretBox(keys))
      if (fit === 'other') wrong.push('The secret key is not the one of this backup: its secrets do not open.')
    }
    if (wrong.length > 0) throw new BackupError(wrong.slice(0, 20).join('\n'))
    return { folder: backup.folder, takenAt: manifest.takenAt, rows, files: manifest.files.count, secrets }
  } catch (error) {
    if (signal.aborted) throw new StartError('The backup was not verified.')
    if (error instanceof BackupError && wrong.length > 0 && !wrong.includes(error.message))
      throw new BackupError([...wrong.slice(0, 20), error.message].join('\n'))
    throw inWords(error)
  }
}

async function reach(
  installation: Installation,
  progress: Running['progress'],
  closing: AsyncDisposableStack,
): Promise<Server> {
  for (const warning of installation.config.warnings) progress(warning)
  const server = await reachServer(installation, { mode: 'join', log: progress })
  closing.defer(() => server.stop())
  return server
}

function directly({ directUrl }: Server): string {
  if (directUrl !== null) return directUrl
  throw new StartError(
    'A backup needs PostgreSQL itself, not a pooler in transaction mode. Set ALMANAC_DATABASE_DIRECT_URL.',
  )
}

async function versionOf({ projectDir }: Installation): Promise<string> {
  return JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8')).version
}
