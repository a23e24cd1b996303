import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#persistence'
import { BATCH, givePositions } from './give-positions.ts'

interface EventRoom {
  start(): void
  /** Takes nothing more. */
  stop(): Promise<void>
}

interface EventRoomDeps {
  db: Database
  settings: { tickMs: number }
  log: { error(fields: object, message: string): void }
}

/** Pause between two looks. An event is read within this and a few milliseconds. */
export const eventDefaults = { tickMs: 250 }

/** After a failure. */
const FAILED_MS = 2_000

/** Gives positions to what happened, of all accounts. README.md says what holds. */
export function createEventRoom({ db, settings, log }: EventRoomDeps): EventRoom {
  const stopping = new AbortController()
  let loop: Promise<void> = Promise.resolve()

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      let rest = settings.tickMs
      try {
        while (!stopping.signal.aborted && (await givePositions(db)) === BATCH);
      } catch (error) {
        log.error({ error }, 'Events could not be given their positions, and are at the next look')
        rest = FAILED_MS
      }
      await pause(rest, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  return {
    start() {
      loop = keepLooking()
    },
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
