import { chmodSync, existsSync, mkdirSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folders of runs begin so, with the number of the process that made them behind. */
export const RUN_PREFIX = 'almanac-run-'
/** Set for the processes of a run: where what outlives it is kept, such as the browser. */
export const KEPT_DIR = 'ALMANAC_TESTS_KEPT_DIR'

const IN_MEMORY = '/dev/shm'
const ROOM_BYTES = 6 * 1024 ** 3

/**
 * Where the folders of runs are: in memory where there is room, else where temporary files go. Tests make hundreds of
 * databases, and writing their files to a disk takes a third of the processor time of the whole run.
 */
export function rootOfRuns(): string {
  const kept = process.env[KEPT_DIR] ?? tmpdir()
  if (!existsSync(IN_MEMORY)) return kept
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  return Math.min(bavail * bsize, freemem()) > ROOM_BYTES ? IN_MEMORY : kept
}

/** Makes the folder of this run the one for temporary files, for this process and all that it starts. */
export function openRunFolder(): void {
  // A run within a test of another run uses that one's folder.
  if (process.env[KEPT_DIR] !== undefined) return
  const folder = join(rootOfRuns(), `${RUN_PREFIX}${process.pid}`)
  mkdirSync(folder, { recursive: true })
  // As root, databases belong to another user, who has to pass through.
  chmodSync(folder, 0o711)
  process.env[KEPT_DIR] = tmpdir()
  process.env.TMPDIR = folder
}
