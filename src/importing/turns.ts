/**
 * Runs work one after the other by key: each waits for what came before it of the same key, whatever became of that, and
 * has its own outcome.
 */
export function createTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work)
    const ended = turn
      .catch(() => {})
      .then(() => {
        if (last.get(key) === ended) last.delete(key)
      })
    last.set(key, ended)
    return turn
  }
}
