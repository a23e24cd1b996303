import { setTimeout as pause } from 'node:timers/promises'

const LONGEST_WAIT_MS = 100

/** What is done for several at once: its outcome, and the place of one of them among all, from 1 to `count`. */
export interface Shared<T> {
  outcome: T
  place: number
  count: number
}

interface Waiting<T> {
  count: number
  outcome: Promise<T>
}

/**
 * Combines calls for the same work at about the same time: calls that arrive while the work runs wait together, and
 * the work then runs once for all of them. It never starts before it is requested, so every caller gets a result
 * from after their call.
 *
 * @param work does it for so many; when it rejects, all of them get the error
 */
export function doTogether<T>(
  work: (thing: string, count: number) => Promise<T>,
): (thing: string) => Promise<Shared<T>> {
  const waiting = new Map<string, Waiting<T>>()
  const underWay = new Map<string, Promise<unknown>>()

  async function begin(thing: string, all: Waiting<T>): Promise<T> {
    // One that takes long, such as on a connection that has died, keeps the next from beginning for a moment only.
    const before = underWay.get(thing)
    await (before && Promise.race([before.catch(() => {}), pause(LONGEST_WAIT_MS, undefined, { ref: false })]))
    waiting.delete(thing)
    const run = work(thing, all.count)
    underWay.set(thing, run)
    try {
      return await run
    } finally {
      if (underWay.get(thing) === run) underWay.delete(thing)
    }
  }

  return async (thing) => {
    let all = waiting.get(thing)
    if (!all) {
      all = { count: 0, outcome: Promise.resolve() as never }
      waiting.set(thing, all)
      all.outcome = begin(thing, all)
    }
    all.count += 1
    const place = all.count
    const outcome = await all.outcome
    return { outcome, place, count: all.count }
  }
}
