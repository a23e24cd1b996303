import { isPassing } from './errors.ts'
import { pause } from './pause.ts'
import type { AlmanacEvent, EventPage, EventQuery, EventType } from './types.ts'

export interface Followed {
  types?: EventType[] | undefined
  /** Events of this social set alone. */
  socialSetId?: string | undefined
  signal?: AbortSignal | undefined
}

/** The service holds an answer for so long until there is an event. */
const WAIT_SECONDS = 20
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/** Events as they happen. */
export async function* followEvents(
  ask: (query: EventQuery, signal: AbortSignal | undefined) => Promise<EventPage>,
  after: number | undefined,
  { signal, ...filters }: Followed,
): AsyncGenerator<AlmanacEvent, void, undefined> {
  let position = after
  let failures = 0
  let answered = false
  for (;;) {
    const query = { ...filters, ...(position === undefined ? {} : { after: position, wait: WAIT_SECONDS }) }
    try {
      const { data, nextAfter } = await ask(query, signal)
      failures = 0
      answered = true
      yield* data
      position = nextAfter
    } catch (error) {
      // At the beginning the address is wrong rather than the service away.
      if (!answered || !isPassing(error)) throw error
      await pause(Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS), signal)
      failures += 1
    }
  }
}

/** What to do with an event, by its type; `default` gets all others, those too that are new to this version of the client. */
export type EventHandlers<R> = {
  [Type in EventType]?: (event: AlmanacEvent) => R
} & { default?: (event: AlmanacEvent) => R }

/** Gives an event to the handler of its type. Without one, and without a default, nothing happens. */
export function handleEvent<R>(event: AlmanacEvent, handlers: EventHandlers<R>): R | undefined {
  const own = Object.hasOwn(handlers, event.type) ? handlers[event.type as EventType] : undefined
  return (own ?? handlers.default)?.(event)
}
