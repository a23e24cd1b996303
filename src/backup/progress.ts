const PROGRESS_MS = 2_000

/** Passes on how far it is every two seconds at the most; words are made for those alone. */
export function nowAndThen(progress: (message: string) => void): (words: () => string) => void {
  let said = Date.now()
  return (words) => {
    if (Date.now() - said < PROGRESS_MS) return
    said = Date.now()
    progress(words())
  }
}
