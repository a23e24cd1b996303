import { createReadStream } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'

/** What a backup cannot be made, read or restored for. The message is a sentence for the operator. */
export class BackupError extends Error {
  override name = 'BackupError'
}

const FORMAT = 1
/** Written last: a folder with it is a whole backup. */
export const MANIFEST = 'backup.json'
/** One line of JSON for each file: its key, bytes and hash. */
export const FILE_LIST = 'files.jsonl'
export const KEY_FILE = 'secret-key'
/** Beside the backups of a place: files never change, so that each is there once for all of them. */
/** The folder of a place with the files of its backups. */
export const FILES = 'files'

const Count = Type.Integer({ minimum: 0 })
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Name = Type.String({ pattern: '^[a-z][a-z0-9_]*$' })

const Table = Type.Object({ name: Name, columns: Type.Array(Name), rows: Count, bytes: Count, sha256: Hash })
const ManifestSchema = Type.Object({
  format: Type.Literal(FORMAT),
  /** Of Almanac. */
  version: Type.String(),
  /** When the rows were as they are here: everything until then is in it. */
  takenAt: Type.String(),
  serverVersion: Type.String(),
  migrations: Type.Array(Type.String(), { minItems: 1 }),
  tables: Type.Array(Table),
  sequences: Type.Array(
    Type.Object({ name: Name, value: Type.String({ pattern: '^-?\\d+$' }), isCalled: Type.Boolean() }),
  ),
  files: Type.Object({ count: Count, bytes: Count, missing: Count, sha256: Hash }),
  /** Names of the secret keys that its secrets are sealed with; the keys themselves may be elsewhere. */
  keyIds: Type.Array(Type.String()),
  /** Where the secret key is: beside, sealed beside, or elsewhere. */
  key: Type.Enum(['beside', 'sealed', 'elsewhere']),
  /** Accounts on networks, which have to be connected again without the key. */
  identities: Count,
})
export type Manifest = Static<typeof ManifestSchema>
export type ManifestTable = Static<typeof Table>

const FileSchema = Type.Object({ key: Type.String({ pattern: '^[0-9a-f]{32}$' }), bytes: Count, sha256: Hash })
export type BackedUpFile = Static<typeof FileSchema>

export const tablePath = (folder: string, table: string) => join(folder, 'tables', `${table}.copy.zst`)

/** Where a file of the library is in a place of backups. */
export const filePath = (place: string, key: string) => join(place, FILES, key.slice(0, 2), key)

/** @throws BackupError it is none, damaged, or of a newer version */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    throw new BackupError(`There is no whole backup at ${folder}: it has no ${MANIFEST}.`)
  })
  const read = parse(text)
  if (Value.Check(ManifestSchema, read)) return read
  const { format } = (read ?? {}) as { format?: unknown }
  if (typeof format === 'number' && format > FORMAT)
    throw new BackupError(`${path} was written by a newer Almanac. Restore it with that version.`)
  throw new BackupError(`${path} is damaged, or is no list of a backup.`)
}

/** The files of a backup, one after the other. @throws BackupError */
export async function* listedFiles(folder: string): AsyncGenerator<BackedUpFile> {
  const input = createReadStream(join(folder, FILE_LIST))
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const read = parse(line)
    if (!Value.Check(FileSchema, read)) throw new BackupError(`The list of files in ${folder} is damaged.`)
    yield read
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Is there as a whole or not at all, also when the power fails. */
export async function writeWhole(path: string, text: string, mode = 0o600): Promise<void> {
  const draft = `${path}.part`
  const file = await open(draft, 'w', mode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  await syncFolder(dirname(path))
}

/** Names are on the disk only when their folder is. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
