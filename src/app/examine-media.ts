import { createDiskStore, type MediaStore } from '#media'
import { foreignWords, unsweptWords, whyUnswept } from '#operations'
import { countSetsToComeWith, type Database, estimateMediaItems, listStoredFiles, readIdentity } from '#persistence'

/** What a comparison of the media library with its files found, as a finding of the doctor. */
interface MediaFinding {
  status: 'ok' | 'warning' | 'problem'
  message: string
}

interface ExamineMediaOptions {
  /** Where the files are, for people. */
  dir: string
  /** Hears how far it is, every `everyMs`. */
  progress(message: string): void
  everyMs?: number
  /** The comparison ends after this time, with what it has seen. */
  limitMs?: number
  /** Rows that are read at once. */
  batch?: number
}

const NAMED = 5

/** Compares the rows of the media library with the files in the store, the newest first. Changes nothing. */
export async function examineMedia(
  db: Database,
  store: Pick<MediaStore, 'stat' | 'isEmpty'>,
  { dir, progress, everyMs = 5_000, limitMs = 60_000, batch = 500 }: ExamineMediaOptions,
): Promise<MediaFinding> {
  const all = await estimateMediaItems(db)
  if (all === 0) return { status: 'ok', message: 'There is no media yet.' }
  if (await store.isEmpty()) {
    return {
      status: 'problem',
      message: `The database names about ${all} media files, and ${dir} has none. Mount the folder of the media there, or restore it from a backup.`,
    }
  }
  const began = performance.now()
  let reported = began
  let seen = 0
  let before: string | null = null
  const missing: { id: string; name: string }[] = []
  for (;;) {
    const files = await listStoredFiles(db, { before, limit: batch })
    const found = await Promise.all(files.map(({ storageKey }) => store.stat(storageKey)))
    missing.push(...files.filter((_, index) => found[index] === null))
    seen += files.length
    before = files.at(-1)?.id ?? null
    if (files.length < batch) return answer(db, missing, `All ${seen} media files were compared.`, 'ok')
    const now = performance.now()
    if (now - began >= limitMs) {
      const words = `The newest ${seen} of about ${all} media files were compared: more takes too long here.`
      return answer(db, missing, words, 'warning')
    }
    if (now - reported >= everyMs) {
      progress(`Comparing media files: ${seen} of about ${all}.`)
      reported = now
    }
  }
}

/** Looks at the media library and its folder. */
export async function examineLibrary(
  db: Database,
  dir: string,
  progress: (message: string) => void,
): Promise<MediaFinding[]> {
  const store = createDiskStore({ dir })
  const found = [await examineMedia(db, store, { dir, progress }), await examineOwners(db, store, dir)]
  return found.filter((finding) => finding !== null)
}

/** Why nothing is swept beside these files; null: what belongs to nothing is. */
async function examineOwners(
  db: Database,
  store: Pick<MediaStore, 'witnesses' | 'stat'>,
  dir: string,
): Promise<MediaFinding | null> {
  const { id } = await readIdentity(db)
  const witnesses = await store.witnesses.read()
  const others = witnesses.filter(({ installation }) => installation !== id)
  const own = witnesses.find(({ installation }) => installation === id)?.content
  const unswept = own ? await whyUnswept({ db, files: store }, own.owner) : null
  const message = foreignWords(others, dir) ?? unsweptWords(unswept, id, dir)
  return message === null ? null : { status: 'warning', message }
}

async function answer(
  db: Database,
  missing: readonly { id: string; name: string }[],
  seen: string,
  status: 'ok' | 'warning',
): Promise<MediaFinding> {
  if (missing.length === 0) return { status, message: `${seen} None is missing.` }
  const sets = await countSetsToComeWith(
    db,
    missing.map(({ id }) => id),
  )
  const named = missing.slice(0, NAMED).map(({ name }) => name)
  const rest = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : ''
  const use =
    sets === 0
      ? 'No post that is still to come uses them.'
      : `${sets} post sets that are still to come use them and will fail.`
  return {
    status: sets === 0 ? 'warning' : 'problem',
    message: `${seen} ${missing.length} are missing: ${named.join(', ')}${rest}. ${use} Restore the files from a backup, or import them again.`,
  }
}
