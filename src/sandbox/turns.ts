import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import { someAtATime } from '#media'

/** What simulators do for requests a few at a time, and only for those whose client still waits. */
export interface Turns {
  /** Answers a request; what is under way for it ends with its connection. */
  forResponse<T>(response: ServerResponse, answer: () => Promise<T>): Promise<T>
  /** Runs once it is its turn. Rejects when the client of the request goes away before; `signal` reports it after. */
  take<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T>
}

/** @param atOnce how many run at the same time */
export function createTurns(atOnce: number): Turns {
  const signals = new AsyncLocalStorage<AbortSignal>()
  const inTurn = someAtATime(atOnce)
  return {
    forResponse(response, answer) {
      const leaving = new AbortController()
      response.once('close', () => {
        if (!response.writableFinished) leaving.abort()
      })
      return signals.run(leaving.signal, answer)
    },
    async take(run) {
      const signal = signals.getStore() ?? new AbortController().signal
      return inTurn(() => run(signal), signal)
    },
  }
}
