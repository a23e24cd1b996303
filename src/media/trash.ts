import { mkdir, readdir, rename, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DAY_MS } from '#contract/durations'
import { unlessMissing } from './failure.ts'

/**
 * Files that were taken out of the store and are kept for a while, in case that was wrong: `<day>/<key>`, by the day on which they
 * were taken out.
 */
export interface Trash {
  /** Takes a file out of the store. Nothing happens when there is no such file. */
  take(key: string): Promise<void>
  /** Puts a file back into the store that is read after all. False when it is not here. */
  putBack(key: string): Promise<boolean>
  /** Removes for good what was taken out `olderThanMs` ago or earlier. The signal ends it between two files. Resolves with how many. */
  empty(options: { olderThanMs: number; signal?: AbortSignal | undefined }): Promise<number>
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** @param place where the store has a file */
export function createDiskTrash(dir: string, place: (key: string) => string): Trash {
  const days = async () => ((await readdir(dir).catch(unlessMissing)) ?? []).filter((name) => DAY.test(name)).sort()
  return {
    async take(key) {
      const folder = join(dir, new Date().toISOString().slice(0, 10))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await rename(place(key), join(folder, key)).catch(unlessMissing)
    },
    async putBack(key) {
      for (const day of (await days()).reverse()) {
        const path = join(dir, day, key)
        if ((await stat(path).catch(unlessMissing)) === null) continue
        // As one that has just been put: whatever took it out does not take it again at once.
        await utimes(path, new Date(), new Date()).catch(unlessMissing)
        await mkdir(dirname(place(key)), { recursive: true, mode: 0o700 })
        // Another reader may have been faster.
        await rename(path, place(key)).catch(unlessMissing)
        return true
      }
      return false
    },
    async empty({ olderThanMs, signal }) {
      let removed = 0
      for (const day of await days()) {
        // Of its last moment, so that nothing goes early.
        if (Date.now() - (Date.parse(day) + DAY_MS) < olderThanMs) continue
        for (const key of (await readdir(join(dir, day)).catch(unlessMissing)) ?? []) {
          if (signal?.aborted) return removed
          await rm(join(dir, day, key), { force: true })
          removed++
        }
        await rmdir(join(dir, day)).catch(unlessMissing)
      }
      return removed
    },
  }
}
