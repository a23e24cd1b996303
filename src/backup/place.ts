import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError, MANIFEST } from './format.ts'

/** How folders of backups begin that are not whole. */
export const MAKING = '.making-'
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

/** The whole backups of a place, newest first. */
export async function backupsOf(place: string): Promise<string[]> {
  const names = await readdir(place).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  return names
    .filter((name) => NAME.test(name) && existsSync(join(place, name, MANIFEST)))
    .sort()
    .reverse()
    .map((name) => join(place, name))
}

/** Which backup is meant: that folder itself, or the newest of a place. @throws BackupError */
export async function findBackup(source: string): Promise<{ folder: string; place: string }> {
  if (existsSync(join(source, MANIFEST))) return { folder: source, place: join(source, '..') }
  const [newest] = await backupsOf(source)
  if (newest === undefined) throw new BackupError(`There is no whole backup at ${source}.`)
  return { folder: newest, place: source }
}
