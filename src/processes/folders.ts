import type { ChildProcess } from 'node:child_process'
import { chownSync, createWriteStream, mkdtempSync } from 'node:fs'
import { chmod, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FOLDER_PREFIX } from './program.ts'

/**
 * What programs run as where Almanac runs as root. No user and no service has this id. `nobody` is not alone: the database of
 * ours may run as that one.
 */
export const OTHER_USER = 65_533

/** The folder that a process works in. */
export interface ProgramFolder {
  path: string
  /** Whether it belongs to `OTHER_USER`, as whom its process is to run. */
  ofOther: boolean
}

/** A file of another's that a process is to read. */
export interface FileToRead {
  /** Null: it is not on this machine. */
  path: string | null
  /** Its bytes. */
  open(): Promise<Readable>
}

const folders = new WeakMap<ChildProcess, ProgramFolder>()

/** Makes an empty folder for one process. Where none can be made, as on a full disk, the process works without one. */
export function makeFolder(): ProgramFolder | null {
  try {
    const path = mkdtempSync(join(tmpdir(), FOLDER_PREFIX))
    return { path, ofOther: process.getuid?.() === 0 && giveAway(path) }
  } catch {
    return null
  }
}

/** Some containers let nobody give a file away. */
function giveAway(path: string): boolean {
  try {
    chownSync(path, OTHER_USER, OTHER_USER)
    return true
  } catch {
    return false
  }
}

/** The folder goes when the process has ended. */
export function keepFolder(folder: ProgramFolder, child: ChildProcess): void {
  folders.set(child, folder)
  child.once('close', () => void rm(folder.path, { recursive: true, force: true }).catch(() => {}))
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
  if (path !== null && !folder?.ofOther) return { path, [Symbol.asyncDispose]: async () => {} }
  if (!folder) throw new Error('There is no folder to copy a file to that is read.')
  const copy = join(folder.path, COPY)
  const remove = () => rm(copy, { force: true })
  try {
    await pipeline(await open(), createWriteStream(copy, { mode: 0o600 }), signal ? { signal } : {})
    // For the one who owns the folder, whatever this process lets others read.
    if (folder.ofOther) await chmod(copy, 0o644)
  } catch (error) {
    await remove()
    throw signal?.aborted ? signal.reason : error
  }
  // The process is in its folder, and may not be able to come to it from elsewhere.
  return { path: `./${COPY}`, [Symbol.asyncDispose]: remove }
}

/** A process works on one file at a time. */
const COPY = 'file'
