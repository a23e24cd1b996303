/** Something that was done and can be taken back. */
export interface Undoable {
  /** What was done, as a sentence: "Autumn teaser moved to Sunday." */
  message: string
  undo: () => Promise<void> | void
}

const MAX_ENTRIES = 20

let entries: readonly Undoable[] = []

/** Remembers it as the last thing done; the oldest beyond 20 is forgotten. */
export function rememberUndo(entry: Undoable): void {
  entries = [...entries, entry].slice(-MAX_ENTRIES)
}

/** Takes one out: it was undone by its own button, or cannot be undone any more. False when it was out already. */
export function forgetUndo(entry: Undoable): boolean {
  const there = entries.includes(entry)
  entries = entries.filter((other) => other !== entry)
  return there
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

/** Resolves when nothing is under way any more. */
export async function undoHeld(): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay)
}

/** Whether there is, or is about to be, something to undo. */
export function mayUndo(): boolean {
  return entries.length > 0 || underWay.size > 0
}

/** Forgets everything: another person or another account is at work now. */
export function clearUndo(): void {
  entries = []
}
