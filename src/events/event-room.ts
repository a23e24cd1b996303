import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#persistence'
import { BATCH, givePositions } from './give-positions.ts'

interface EventRoom {
  start(): void
  /** Takes nothing more. */
  stop(): Promise<void>
}

interface EventSettings {
  /** Pause between two looks. An event is read within this and a few milliseconds. */
  tickMs: number
  /** The same once nothing has happened for `restsAfterMs`. */
  restMs: number
  restsAfterMs: number
}

interface EventRoomDeps {
  db: Database
  settings: EventSettings
  /** Hears of each time that events got positions: some of them may wait for endpoints. */
  onGiven: () => void
  log: { error(fields: object, message: string): void }
}

/** An event is read within a second, also where nothing else happens. */
export const eventDefaults: EventSettings = { tickMs: 250, restMs: 900, restsAfterMs: 10_000 }

/** After a failure. */
const FAILED_MS = 2_000

/** Gives positions to what happened, of all accounts. README.md says what holds. */
export function createEventRoom({ db, settings, onGiven, log }: EventRoomDeps): EventRoom {
  const stopping = new AbortController()
  let loop: Promise<void> = Promise.resolve()

  async function keepLooking(): Promise<void> {
    let lastAt = performance.now()
    while (!stopping.signal.aborted) {
      let rest = performance.now() - lastAt < settings.restsAfterMs ? settings.tickMs : settings.restMs
      try {
        let given: number
        do {
          given = await givePositions(db)
          if (given > 0) {
            lastAt = performance.now()
            rest = settings.tickMs
            onGiven()
          }
        } while (given === BATCH && !stopping.signal.aborted)
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
