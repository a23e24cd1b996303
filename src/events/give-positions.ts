import { changesByKeys, type Database, noteLoops, readHappened, storeEvents } from '#persistence'
import { eventsOf } from './events-of.ts'

/** What one statement makes events of. A row may make more than one. */
export const BATCH = 500

/** A step of a tick, which tests hear of once it is taken. */
export type EventStep = 'read' | 'stored'

interface GivingOptions {
  batch?: number
  signals?: (step: EventStep) => void | Promise<void>
}

/** Makes events with positions of the oldest that happened. Resolves with how many rows that were; 0: none, or another process is at it. */
export async function givePositions(db: Database, { batch = BATCH, signals }: GivingOptions = {}): Promise<number> {
  const read = await readHappened(db, batch)
  if (read.length === 0) return 0
  await signals?.('read')
  const events = read.flatMap(eventsOf)
  const changes = changesByKeys(events)
  const store = (to: Database) => storeEvents(to, events, read)
  const stored = await (changes.length === 0 ? store(db) : storeBehindLoops(db, changes, store))
  await signals?.('stored')
  return stored ? read.length : 0
}

/** Raised so that nothing is noted of events that another process stores. */
class StoredByAnotherError extends Error {
  override readonly name = 'StoredByAnotherError'
}

/** Stores them with what is noted of programs that may answer to themselves: both or neither. */
async function storeBehindLoops(
  db: Database,
  changes: Parameters<typeof noteLoops>[1],
  store: (trx: Database) => Promise<boolean>,
): Promise<boolean> {
  try {
    await db.transaction().execute(async (trx) => {
      await noteLoops(trx, changes)
      if (!(await store(trx))) throw new StoredByAnotherError()
    })
    return true
  } catch (error) {
    if (error instanceof StoredByAnotherError) return false
    throw error
  }
}
