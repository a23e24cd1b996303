/** Room for work by kind (a network), so that a kind that hangs keeps only its own waiting. */
export interface Lanes {
  /**
   * Begins the work at once where its lane has room, and resolves with it; else it waits its turn in memory and this
   * resolves at once. Work of an id that waits already is not put down twice.
   */
  enter(lane: string, id: string, work: () => Promise<void>): Promise<void>
  /** What waits is forgotten: whoever rang will ring again. */
  clear(): void
}

/** Lanes with room for `width` each. `onError` hears of work that threw after it had waited. */
export function createLanes(width: number, onError: (error: unknown) => void): Lanes {
  const running = new Map<string, number>()
  const waiting = new Map<string, Map<string, () => Promise<void>>>()

  async function run(lane: string, work: () => Promise<void>): Promise<void> {
    running.set(lane, (running.get(lane) ?? 0) + 1)
    try {
      await work()
    } finally {
      running.set(lane, (running.get(lane) ?? 1) - 1)
      next(lane)
    }
  }

  function next(lane: string): void {
    const queue = waiting.get(lane)
    const [first] = queue ?? []
    if (!queue || !first) return
    const [id, work] = first
    queue.delete(id)
    run(lane, work).catch(onError)
  }

  return {
    async enter(lane, id, work) {
      if ((running.get(lane) ?? 0) < width) return run(lane, work)
      const queue = waiting.get(lane) ?? new Map<string, () => Promise<void>>()
      queue.set(id, work)
      waiting.set(lane, queue)
    },
    clear: () => waiting.clear(),
  }
}
