import { someAtATime } from './one-at-a-time.ts'
import type { MediaStore } from './store.ts'

/** Raised at once for what is asked of a disk that does not answer. Nothing is known of the files. */
export class SilentDiskError extends Error {
  override readonly name = 'SilentDiskError'
  readonly code = 'EDISKSILENT'

  constructor() {
    super('The disk or network folder of the media does not answer.')
  }
}

/** How long a disk may take, for one process. */
export interface Patience {
  /** Whether something that the disk was asked for is late and still under way. */
  silent(): boolean
  /**
   * Asks the disk. Rejects with `SilentDiskError` when it takes longer than the limit, and at once while it is silent. What was asked goes
   * on: nothing can break it off.
   */
  ask<T>(work: () => Promise<T>): Promise<T>
  /** Called each time the disk falls silent, and each time it answers again. */
  onChange(listener: (silent: boolean) => void): void
}

/** A call that hangs keeps one of the four threads of the process, without which no name of a host is looked up either. */
const AT_ONCE = 2
const LIMIT_MS = 5_000

/** Patience with a disk that may hang, as a network file system does whose server has gone. */
export function createPatience({ limitMs = LIMIT_MS }: { limitMs?: number } = {}): Patience {
  const inTurn = someAtATime(AT_ONCE)
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
    async ask(work) {
      if (late > 0) throw new SilentDiskError()
      const given = Promise.withResolvers<never>()
      const turn = inTurn(async () => {
        let isLate = false
        const timer = setTimeout(() => {
          isLate = true
          change(1)
          given.reject(new SilentDiskError())
        }, limitMs)
        try {
          return await work()
        } finally {
          clearTimeout(timer)
          if (isLate) change(-1)
        }
      }, fellSilent.signal)
      return Promise.race([turn, given.promise])
    },
  }
}

/** The same store, of which no call waits for a disk that does not answer. Streams that are being read or written wait as ever. */
export function withPatience(store: MediaStore, { ask, silent }: Patience): MediaStore {
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
    open: asking(store.open),
    stat: asking(store.stat),
    remove: asking(store.remove),
    room: asking(store.room),
    sweep: asking(store.sweep),
    isEmpty: asking(store.isEmpty),
    witnesses: { read: asking(witnesses.read), make: asking(witnesses.make), write: asking(witnesses.write) },
  }
}
