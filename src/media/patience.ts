import { type Disk, SilentDiskError } from './disk.ts'
import { someAtATime } from './one-at-a-time.ts'
import type { MediaStore } from './store.ts'

/** How long a disk may take, for one process. */
export interface Patience extends Disk {
  /** Called each time the disk falls silent, and each time it answers again. */
  onChange(listener: (silent: boolean) => void): void
}

/** Node's own number of threads, which a process may have more of. */
const POOL_SIZE = 4
const LIMIT_MS = 5_000
const WRITE_LIMIT_MS = 30_000

/**
 * Patience with a disk that may hang, as a network file system does whose server has gone. A call that hangs keeps one of the threads of
 * the process, without which no name of a host is looked up either: a quarter of them at the most is lost to what reads, a quarter to what
 * writes, an eighth to what waits until it is written.
 */
export function createPatience({
  limitMs = LIMIT_MS,
  writeLimitMs = WRITE_LIMIT_MS,
  poolSize = POOL_SIZE,
} = {}): Patience {
  const atOnce = Math.max(1, Math.floor(poolSize / 4))
  const [reading, writing] = [someAtATime(atOnce), someAtATime(atOnce)]
  /** What takes as long as the disk is slow keeps no other write waiting. */
  const syncing = someAtATime(Math.max(1, Math.floor(poolSize / 8)))
  const listeners: ((silent: boolean) => void)[] = []
  let late = 0
  /** Those that wait for their turn when it falls silent. */
  let fellSilent = new AbortController()

  const change = (by: 1 | -1) => {
    late += by
    if (late !== (by === 1 ? 1 : 0)) return
    if (by === 1) fellSilent.abort(new SilentDiskError())
    else fellSilent = new AbortController()
    for (const listener of listeners) listener(by === 1)
  }

  return {
    silent: () => late > 0,
    onChange: (listener) => void listeners.push(listener),
    async ask(work, { writes = false, limitMs: limit = writes ? writeLimitMs : limitMs, onLate } = {}) {
      if (late > 0) throw new SilentDiskError()
      const given = Promise.withResolvers<never>()
      const lane = limit === Number.POSITIVE_INFINITY ? syncing : writes ? writing : reading
      const turn = lane(async () => {
        let isLate = false
        const giveUp = () => {
          isLate = true
          change(1)
          given.reject(new SilentDiskError())
        }
        const timer = limit === Number.POSITIVE_INFINITY ? undefined : setTimeout(giveUp, limit)
        try {
          const result = await work()
          if (isLate) onLate?.(result)
          return result
        } finally {
          clearTimeout(timer)
          if (isLate) change(-1)
        }
      }, fellSilent.signal)
      return Promise.race([turn, given.promise])
    },
  }
}

/** The same store, of which no call waits for a disk that does not answer. What it asks by itself, as for streams, it asks of that disk. */
export function withPatience(store: MediaStore, { ask, silent }: Disk): MediaStore {
  const asking =
    <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
    (...args: A) =>
      ask(() => call(...args))
  const refusing =
    <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
    async (...args: A) => {
      if (silent()) throw new SilentDiskError()
      return call(...args)
    }
  const { witnesses } = store
  return {
    ...store,
    put: refusing(store.put),
    putFile: refusing(store.putFile),
    open: (key, range) => ask(() => store.open(key, range), { onLate: (stream) => void stream.destroy() }),
    stat: asking(store.stat),
    remove: asking(store.remove),
    room: asking(store.room),
    sweep: asking(store.sweep),
    isEmpty: asking(store.isEmpty),
    witnesses: { read: asking(witnesses.read), make: asking(witnesses.make), write: asking(witnesses.write) },
  }
}
