import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync } from 'node:fs'
import { lstat, open as openFile, readdir, rm, rmdir, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { HOUR_MS } from '#contract/durations'
import { FOLDER_PREFIX } from './program.ts'

/**
 * What programs run as where Almanac runs as root. No user and no service has this id. `nobody` is not alone: the database of
 * ours may run as that one.
 */
export const OTHER_USER = 65_533

/** Where it puts files for a while that it does not keep in memory, as libvips does with large WebP pictures. */
export const PASSING = 'passing'

/** The folder that a process works in. */
export interface ProgramFolder {
  path: string
  /** Whether `OTHER_USER` can read it, as whom its process is to run; that user writes to `PASSING` there alone. */
  forOther: boolean
}

/** A file of another's that a process is to read. */
export interface FileToRead {
  /** Null: it is not on this machine. */
  path: string | null
  /** Its bytes. */
  open(): Promise<Readable>
}

const folders = new WeakMap<ChildProcess, ProgramFolder>()

/**
 * Makes an empty folder for one process. Where none can be made, as on a full disk, the process works without one. Root keeps its own:
 * what a broken decoder could put in the place of a file or a folder, root would write to.
 */
export function makeFolder(): ProgramFolder | null {
  sweep().catch(() => {})
  try {
    const path = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`))
    return { path, forOther: process.getuid?.() === 0 && openTo(path) }
  } catch {
    return null
  }
}

/** Some containers let no one give a file away. */
function openTo(path: string): boolean {
  try {
    // Root can remove what lies in it also where it may not do everything.
    const passing = join(path, PASSING)
    mkdirSync(passing)
    chmodSync(passing, 0o770)
    chownSync(passing, OTHER_USER, 0)
    chownSync(path, 0, OTHER_USER)
    chmodSync(path, 0o750)
    return true
  } catch {
    return false
  }
}

/** The folder goes when the process has ended, or could not be started. */
export function keepFolder(folder: ProgramFolder, child: ChildProcess): void {
  folders.set(child, folder)
  if (child.pid === undefined) removeFolder(folder)
  else child.once('exit', () => removeFolder(folder))
}

export function removeFolder({ path }: ProgramFolder): void {
  clear(path).catch(() => {})
}

/**
 * Removes what processes leave in their folders: files. Nothing is looked for further down, where another user could lead root elsewhere
 * while it removes.
 */
async function clear(path: string): Promise<void> {
  for (const folder of [join(path, PASSING), path]) {
    for (const name of await readdir(folder).catch(() => [])) await unlink(join(folder, name)).catch(() => {})
    await rmdir(folder).catch(() => {})
  }
}

/** Longer than any file is lent, so that folders of another container that shares this one's for temporary files stay. */
const LEFT_MS = HOUR_MS
let swept = 0

/** Removes folders whose makers were killed, and whose processes could not remove them. */
async function sweep(): Promise<void> {
  if (Date.now() - swept < LEFT_MS) return
  swept = Date.now()
  for (const name of await readdir(tmpdir())) {
    if (name.startsWith(FOLDER_PREFIX) && (await isLeft(name))) await clear(join(tmpdir(), name))
  }
}

async function isLeft(name: string): Promise<boolean> {
  const found = await lstat(join(tmpdir(), name)).catch(() => null)
  // Of another user's nothing is removed: it could be swapped meanwhile.
  if (!found?.isDirectory() || found.uid !== process.getuid?.() || Date.now() - found.mtimeMs < LEFT_MS) return false
  return !isAlive(Number.parseInt(name.slice(FOLDER_PREFIX.length), 10))
}

/** Whether there is a process of this number. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Where a process reads a file: in its place, or, if it cannot be read from there, as a copy in the folder of the process, which
 * is removed at the end.
 *
 * @throws what `open` and the disk throw, and the signal's reason
 */
export async function lendFile(
  child: ChildProcess,
  { path, open }: FileToRead,
  signal?: AbortSignal,
): Promise<{ path: string } & AsyncDisposable> {
  const folder = folders.get(child)
  if (path !== null && !folder?.forOther) return { path, [Symbol.asyncDispose]: async () => {} }
  if (!folder) throw noRoom(new Error('No folder can be made there.'))
  const name = randomUUID()
  const copy = join(folder.path, name)
  const remove = () => rm(copy, { force: true })
  try {
    const source = await open()
    // Nothing that is there already is opened, nor what a link leads to.
    const file = await openFile(copy, 'wx', 0o600).catch((error) => {
      source.destroy()
      throw error
    })
    // For all who can come into the folder, whatever this process lets others read.
    if (folder.forOther) await file.chmod(0o644)
    await pipeline(source, file.createWriteStream(), signal ? { signal } : {})
  } catch (error) {
    await remove()
    if (signal?.aborted) throw signal.reason
    throw FULL.has((error as NodeJS.ErrnoException).code ?? '') ? noRoom(error) : error
  }
  // The process is in its folder, and may not be able to come to it from elsewhere.
  return { path: `./${name}`, [Symbol.asyncDispose]: remove }
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])

/** Says where room is missing, as it is another disk than that of the library. */
function noRoom(cause: unknown): Error {
  const message = `The folder for temporary files (${tmpdir()}) takes no file: make room there, so that files of others can be read.`
  return Object.assign(new Error(message, { cause }), { code: (cause as NodeJS.ErrnoException).code ?? 'ENOSPC' })
}
