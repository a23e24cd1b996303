import { type Database, mayLoop, type NewEvent, noteLoops, readHappened, storeEvents } from '#persistence'
import { eventsOf } from './events-of.ts'

/** What one statement makes events of. A row may make more than one. */
export const BATCH = 500

/** A step of a tick, which tests hear of once it is taken. */
export type EventStep = 'read' | 'stored'

interface GivingOptions {
  batch?: number
  signals?: (step: EventStep) => void | Promise<void>
}

type Happened = Awaited<ReturnType<typeof readHappened>>

/** Makes events with positions of the oldest that happened. Resolves with how many rows that were; 0: none, or another process is at it. */
export async function givePositions(db: Database, { batch = BATCH, signals }: GivingOptions = {}): Promise<number> {
  const read = await readHappened(db, batch)
  if (read.length === 0) return 0
  await signals?.('read')
  const events = read.flatMap(eventsOf)
  const stored = await (mayLoop(events) ? storeWithLoops(db, events, read) : storeEvents(db, events, read))
  await signals?.('stored')
  return stored ? read.length : 0
}

/** Raised so that nothing is noted of events that another process stores. */
class StoredByAnotherError extends Error {
  override readonly name = 'StoredByAnotherError'
}

/** The same, with what is noted of programs that may answer to themselves. */
async function storeWithLoops(db: Database, events: readonly NewEvent[], read: Happened): Promise<boolean> {
  try {
    await db.transaction().execute(async (trx) => {
      await noteLoops(trx, events)
      if (!(await storeEvents(trx, events, read))) throw new StoredByAnotherError()
    })
    return true
  } catch (error) {
    if (error instanceof StoredByAnotherError) return false
    throw error
  }
}
