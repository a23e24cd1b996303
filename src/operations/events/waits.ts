import { setTimeout as pause } from 'node:timers/promises'
import { LIMITS } from '#contract'
import { SECOND_MS } from '#contract/durations'
import type { Listener, listenForEvents } from '#persistence'

/** The requests of a process that wait for events. */
export interface EventWaits {
  /** A place for one more of an account, which is given back by `dispose`; null: all are taken. */
  enter(accountId: string): EventWait | null
  /** Ends all waiting, also that which is yet to begin: the process stops. */
  close(): Promise<void>
}

export interface EventWait extends Disposable {
  /** From here on is heard what comes. */
  listen(): void
  /** Resolves once something has come since `listen`, or may have; after `ms` milliseconds; or by the signal, or the end of the process. */
  until(ms: number, signal: AbortSignal): Promise<void>
  over(): boolean
}

interface WaitsDeps {
  listen(handlers: Parameters<typeof listenForEvents>[1]): Listener
  log: { warn(fields: object, message: string): void }
}

/** While nothing is heard, those who wait look again after this. */
const DEAF_MS = SECOND_MS

/** Starts listening when the first caller waits. */
export function createEventWaits({ listen, log }: WaitsDeps): EventWaits {
  const waiting = new Map<string, Set<() => void>>()
  const closing = new AbortController()
  let listener: Listener | null = null
  let listening = false

  const handlers: Parameters<typeof listenForEvents>[1] = {
    onEvents: (accountId) => {
      for (const wake of waiting.get(accountId) ?? []) wake()
    },
    onListening() {
      listening = true
      for (const wake of [...waiting.values()].flatMap((wakes) => [...wakes])) wake()
    },
    onLost(error) {
      listening = false
      log.warn({ error }, 'New events are not heard of at the moment: requests that wait for them look each second')
    },
  }

  return {
    enter(accountId) {
      const others = waiting.get(accountId) ?? new Set()
      if (others.size >= LIMITS.events.waiting) return null
      let heard = Promise.withResolvers<void>()
      const wake = () => heard.resolve()
      waiting.set(accountId, others.add(wake))
      listener ??= listen(handlers)
      return {
        listen() {
          heard = Promise.withResolvers<void>()
        },
        async until(ms, signal) {
          const ending = new AbortController()
          const ends = AbortSignal.any([ending.signal, closing.signal, signal])
          const timer = pause(listening ? ms : Math.min(ms, DEAF_MS), undefined, { signal: ends }).catch(() => {})
          await Promise.race([heard.promise, timer])
          ending.abort()
        },
        over: () => closing.signal.aborted,
        [Symbol.dispose]() {
          others.delete(wake)
          if (others.size === 0 && waiting.get(accountId) === others) waiting.delete(accountId)
        },
      }
    },
    async close() {
      closing.abort()
      await listener?.close()
    },
  }
}
