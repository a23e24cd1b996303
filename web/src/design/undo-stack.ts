import { ApiError, isOutage } from '../api/api-error.ts'

/** Something that was done and can be taken back. */
export interface Undoable {
  /** What was done, as a sentence: "Autumn teaser moved to Sunday." */
  message: string
  /** May answer, or promise, what the person should know of it: a sentence. */
  undo: () => unknown
}

const MAX_ENTRIES = 20
const TOO_MANY = 429

let entries: readonly Undoable[] = []

/** Remembers it as the last thing done; the oldest beyond 20 is forgotten. */
export function rememberUndo(entry: Undoable): void {
  entries = [...entries, entry].slice(-MAX_ENTRIES)
}

/** The last thing done, or undefined. */
export function lastUndo(): Undoable | undefined {
  return entries.at(-1)
}

const underWay = new Set<Promise<unknown>>()

/** Something is being done that will be remembered, unless it fails: an undo waits for it. */
export function holdUndo(doing: Promise<unknown>): void {
  underWay.add(doing)
  const over = () => void underWay.delete(doing)
  doing.then(over, over)
}

type UndoOutcome = { entry: Undoable } & (
  | { undone: true; reported: string | undefined }
  | { undone: false; error: unknown; kept: boolean }
)

let turn: Promise<unknown> = Promise.resolve()

/**
 * Undoes the entry that `which` answers, when everything that is under way and every undo before this one is over. What
 * failed for a reason that passes stays, to be tried again; what the server refuses is forgotten. Undefined when there
 * was nothing to undo.
 */
export function takeBack(which: () => Undoable | undefined): Promise<UndoOutcome | undefined> {
  const taking = turn.then(async (): Promise<UndoOutcome | undefined> => {
    while (underWay.size > 0) await Promise.allSettled(underWay)
    const entry = which()
    if (!entry || !entries.includes(entry)) return
    try {
      const reported = await entry.undo()
      forget(entry)
      return { entry, undone: true, reported: typeof reported === 'string' ? reported : undefined }
    } catch (error) {
      const kept = isOutage(error) || (error instanceof ApiError && error.status === TOO_MANY)
      if (!kept) forget(entry)
      return { entry, undone: false, error, kept }
    }
  })
  turn = taking
  return taking
}

function forget(entry: Undoable): void {
  entries = entries.filter((other) => other !== entry)
}

/** Whether there is, or is about to be, something to undo. */
export function mayUndo(): boolean {
  return entries.length > 0 || underWay.size > 0
}

/** Forgets everything: another person or another account is at work now. */
export function clearUndo(): void {
  entries = []
}
