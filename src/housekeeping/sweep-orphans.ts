import { DAY_MS, HOUR_MS } from '#contract/durations'
import type { Witnesses } from '#media'
import {
  type Database,
  endedDirectUploads,
  listStoredFiles,
  readIdentity,
  unnamedFiles,
  wasHeldWithin,
} from '#persistence'

/** What the sweep needs of a store. */
export interface ListedFiles {
  /** Keys of whole files that were written at least `olderThanMs` ago, in any order. */
  list(options: { olderThanMs: number }): AsyncIterable<string>
  remove(key: string): Promise<void>
  /** Null when there is no such file. */
  stat(key: string): Promise<{ bytes: number } | null>
  /** Files whose bytes still arrive, by the ids of their uploads. */
  arriving: Pick<ListedFiles, 'list' | 'remove'>
  /** Which installations have used these files. */
  witnesses: Pick<Witnesses, 'read'>
  /** Where a sweep puts files, in case it was wrong. */
  trash: {
    take(key: string): Promise<void>
    empty(options: { olderThanMs: number; signal?: AbortSignal | undefined }): Promise<number>
  }
}

const BATCH = 500

/** How long the trash keeps what a sweep has put there. */
export const TRASH_DAYS = 30

/**
 * Puts files that no row names into the trash: what processes leave that die between writing a file and writing its row. Files
 * that are younger than a day are left alone, because their rows may be on their way. The signal ends it between two files.
 * Resolves with how many were put there.
 */
export async function sweepOrphans(
  { db, files }: { db: Database; files: ListedFiles },
  { olderThanMs = DAY_MS, signal }: { olderThanMs?: number; signal?: AbortSignal } = {},
): Promise<number> {
  const listed = { list: files.list, remove: files.trash.take }
  return removeUnused(listed, { olderThanMs, signal }, (keys) => unnamedFiles(db, keys))
}

/** Removes for good what has been in the trash for long enough. Resolves with how many files. */
export function emptyTrash(
  { files }: { files: ListedFiles },
  { signal }: { signal?: AbortSignal } = {},
): Promise<number> {
  return files.trash.empty({ olderThanMs: TRASH_DAYS * DAY_MS, signal })
}

/**
 * Removes files that rows have named and let go of: those that no row of any brand names by now. Behind the change, once it is committed: of
 * two that let go of one file the later one removes it, or the sweep.
 */
export async function removeUnnamed(
  { db, files }: { db: Database; files: Pick<ListedFiles, 'remove'> },
  keys: readonly string[],
): Promise<void> {
  for (const key of await unnamedFiles(db, keys)) await files.remove(key)
}

const NEWEST = 20

/** Whether any of the newest files of the library is here; null without rows. */
export async function hasNewestFiles({
  db,
  files,
}: {
  db: Database
  files: Pick<ListedFiles, 'stat'>
}): Promise<boolean | null> {
  const newest = await listStoredFiles(db, { before: null, limit: NEWEST })
  if (newest.length === 0) return null
  const found = await Promise.all(newest.map(({ storageKey }) => files.stat(storageKey)))
  return found.some((file) => file !== null)
}

/**
 * Whether what no row names belongs to nothing: these files are of this installation alone, the library is here and not in the folder of
 * another worker, and the database is not one that may be a copy or an older state, nor was within a day.
 */
export async function maySweep({
  db,
  files,
}: {
  db: Database
  files: Pick<ListedFiles, 'witnesses' | 'stat'>
}): Promise<boolean> {
  if (await wasHeldWithin(db, DAY_MS)) return false
  const { id } = await readIdentity(db)
  const [own, ...others] = await files.witnesses.read()
  if (others.length > 0 || own?.installation !== id || own.content?.owner !== true) return false
  return (await hasNewestFiles({ db, files })) !== false
}

/** Removes what arrived of uploads that have ended or are gone, where it may. Resolves with how many. */
export async function sweepArriving(
  { db, files }: { db: Database; files: ListedFiles },
  { signal }: { signal?: AbortSignal } = {},
): Promise<number> {
  if (!(await maySweep({ db, files }))) return 0
  return removeUnused(files.arriving, { olderThanMs: HOUR_MS, signal }, (ids) => endedDirectUploads(db, ids))
}

async function removeUnused(
  files: Pick<ListedFiles, 'list' | 'remove'>,
  { olderThanMs, signal }: { olderThanMs: number; signal: AbortSignal | undefined },
  unusedOf: (keys: readonly string[]) => Promise<string[]>,
): Promise<number> {
  let removed = 0
  let batch: string[] = []
  const sweep = async () => {
    for (const key of await unusedOf(batch)) {
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
