import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createDiskStore, type MediaStore } from '#media'
import { type Noticed, noticeCopy } from '#operations'
import { type Database, openDatabase, readHeldStart } from '#persistence'

const run = promisify(execFile)

/** A database and a folder of media, which are started and put elsewhere. */
export interface Place {
  url: string
  dir: string
}

/** What a start on a database and a folder finds. */
export async function start(
  { url, dir }: Place,
  how: { together?: boolean } = {},
): Promise<Noticed & { signs: string[] }> {
  const db = openDatabase(url, { poolSize: 1 })
  try {
    return await startOn(db, createDiskStore({ dir }), how)
  } finally {
    await db.destroy()
  }
}

export async function startOn(
  db: Database,
  store: Pick<MediaStore, 'witnesses' | 'stat' | 'isEmpty' | 'list'>,
  how: { together?: boolean } = {},
): Promise<Noticed & { signs: string[] }> {
  const noticed = await noticeCopy({ db, store, log: { warn: () => {} } }, { raises: true, ...how })
  return { ...noticed, signs: (await readHeldStart(db))?.signs ?? [] }
}

/** Changes something in the database. */
export async function change<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(url, { poolSize: 1 })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

export async function tempFolder(parent = tmpdir()): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(parent, 'almanac-copies-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

export const shell = (command: string): Promise<unknown> => run('sh', ['-ec', command])
export const hasCommand = (name: string): Promise<boolean> =>
  shell(`command -v ${name}`).then(
    () => true,
    () => false,
  )

/** Ways in which people copy a folder to a place where none is. */
export const COPYING: Readonly<Record<string, (from: string, to: string) => Promise<unknown>>> = {
  'cp -a': (from, to) => shell(`cp -a '${from}' '${to}'`),
  'cp -r': (from, to) => shell(`cp -r '${from}' '${to}'`),
  tar: async (from, to) => {
    await mkdir(to)
    await shell(`tar -C '${from}' -cf - . | tar -C '${to}' -xpf -`)
  },
  'rsync -a': (from, to) => shell(`rsync -a '${from}/' '${to}'`),
}

/** The same over a folder that is there and newer. `cp -a` writes into the files that are there, which shows nothing. */
export const PUTTING_BACK: Readonly<Record<string, (from: string, to: string) => Promise<unknown>>> = {
  tar: (from, to) => shell(`tar -C '${from}' -cf - . | tar -C '${to}' -xpf -`),
  'rsync -a': (from, to) => shell(`rsync -a '${from}/' '${to}'`),
}
