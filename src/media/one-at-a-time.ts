/**
 * Runs what it is given in the order in which it was asked; each has its own outcome. Rejects with the signal's reason as
 * soon as it aborts before the turn comes; work that has begun heeds the signal itself.
 */
type InTurn = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

export const oneAtATime = (): InTurn => someAtATime(1)

/** As many at once as there are places. */
export function someAtATime(places: number): InTurn {
  const waiting = new Set<() => void>()
  let free = places

  const place = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(begin)
        reject(signal?.reason)
      }
      const begin = () => {
        waiting.delete(begin)
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      waiting.add(begin)
      signal?.addEventListener('abort', leave, { once: true })
    })

  return async (work, signal) => {
    signal?.throwIfAborted()
    if (free > 0) free--
    else await place(signal)
    try {
      return await work()
    } finally {
      const [next] = waiting
      if (next) next()
      else free++
    }
  }
}

/** One at a time by key: work of several keys does not wait for each other. */
export function oneAtATimeByKey(): <T>(key: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T> {
  const lines = new Map<string, { inTurn: InTurn; asked: number }>()
  return async (key, work, signal) => {
    const line = lines.get(key) ?? { inTurn: oneAtATime(), asked: 0 }
    lines.set(key, line)
    line.asked++
    try {
      return await line.inTurn(work, signal)
    } finally {
      if (--line.asked === 0) lines.delete(key)
    }
  }
}
