import { closeSync, openSync } from 'node:fs'
import { serveParent } from './program.ts'

/** Runs only as a process of `whoReads`. */

export interface Reader {
  /** Null where users have no ids. */
  uid: number | null
  /** Whether this user can read the code of Almanac, which some programs load more of while they run. */
  loads: boolean
}

if (process.send) {
  serveParent()
  process.send({ uid: process.getuid?.() ?? null, loads: canLoad() } satisfies Reader)
}

function canLoad(): boolean {
  try {
    closeSync(openSync(new URL('./who-program.ts', import.meta.url), 'r'))
    return true
  } catch {
    return false
  }
}
