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

/** Forgets everything: another person or another account is at work now. */
export function clearUndo(): void {
  entries = []
}
