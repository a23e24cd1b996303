import { type Database, inTransaction, noteLoops, storeEvents, takeHappened } from '#persistence'
import { eventsOf } from './events-of.ts'

/** What one transaction makes events of. A row may make more than one. */
export const BATCH = 500

/** A step of a tick, which tests hear of before it is taken. */
export type EventStep = 'taken' | 'stored'

interface GivingOptions {
  batch?: number
  signals?: (step: EventStep) => void | Promise<void>
}

/** Makes events with positions of the oldest that happened. Resolves with how many rows that were; 0: none, or another process is at it. */
export function givePositions(db: Database, { batch = BATCH, signals }: GivingOptions = {}): Promise<number> {
  return inTransaction(db, async (trx) => {
    const taken = await takeHappened(trx, batch)
    if (taken.length === 0) return 0
    await signals?.('taken')
    const events = taken.flatMap(eventsOf)
    await noteLoops(trx, events)
    await storeEvents(trx, events, taken)
    await signals?.('stored')
    return taken.length
  })
}
