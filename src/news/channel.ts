import { setTimeout as pause } from 'node:timers/promises'
import { pauseAfter } from '#domain'

/** One way out, which works by itself: what is slow here waits for nothing and keeps nothing else waiting. */
export interface Channel {
  /** Sends what is due until nothing is; joins in when that is going on already. Never rejects. */
  drain(): Promise<void>
  /** Resolves when nothing is on its way. */
  ended(): Promise<void>
}

export function createChannel<T>(deps: {
  /** Takes what is due, as much as is sent at once. */
  take(): Promise<T[]>
  /** Sends one and stores the outcome; resolves with whether it arrived. */
  send(item: T): Promise<boolean>
  /** Pauses after the first, second, … failure in a row; the last one repeats. */
  pausesMs: readonly number[]
  stopping: AbortSignal
  failed(error: unknown): void
}): Channel {
  const { take, send, pausesMs, stopping, failed } = deps
  let draining: Promise<void> | null = null
  let failures = 0

  async function sendAll(): Promise<void> {
    while (!stopping.aborted) {
      const items = await take()
      if (items.length === 0) return
      const sent = await Promise.all(items.map(send))
      failures = sent.includes(true) ? 0 : failures + 1
      if (failures === 0) continue
      const wait = pauseAfter(pausesMs, failures)
      await pause(wait, undefined, { signal: stopping }).catch(() => {})
    }
  }

  const drain = (): Promise<void> => {
    draining ??= sendAll()
      .catch(failed)
      .finally(() => {
        draining = null
      })
    return draining
  }
  return { drain, ended: () => draining ?? Promise.resolve() }
}
