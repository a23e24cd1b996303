import { type Database, unnamedFiles } from '#persistence'

/** What the sweep needs of a store. */
export interface ListedFiles {
  /** Keys of whole files that were written at least `olderThanMs` ago, in any order. */
  list(options: { olderThanMs: number }): AsyncIterable<string>
  remove(key: string): Promise<void>
}

const DAY_MS = 86_400_000
const BATCH = 500

/**
 * Removes files that no row names: what processes leave that die between writing a file and writing its row. Files that
 * are younger than a day are left alone, because their rows may be on their way. The signal ends it between two files. Resolves
 * with how many were removed.
 */
export async function sweepOrphans(
  { db, files }: { db: Database; files: ListedFiles },
  { olderThanMs = DAY_MS, signal }: { olderThanMs?: number; signal?: AbortSignal } = {},
): Promise<number> {
  let removed = 0
  let batch: string[] = []
  const sweep = async () => {
    for (const key of await unnamedFiles(db, batch)) {
      if (signal?.aborted) return
      await files.remove(key)
      removed++
    }
    batch = []
  }
  for await (const key of files.list({ olderThanMs })) {
    if (signal?.aborted) return removed
    batch.push(key)
    if (batch.length === BATCH) await sweep()
  }
  await sweep()
  return removed
}
