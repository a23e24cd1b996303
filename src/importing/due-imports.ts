import { type Database, dueImports } from '#persistence'
import type { Queue } from '#queue'

const BATCH = 100

/**
 * Rings the bell for imports that are open, held by nobody and not rung for `ringAgainAfterMs`. Returns how many were
 * rung; what exceeds a batch waits for the next look.
 */
export async function ringDueImports(
  db: Database,
  queue: Pick<Queue, 'enqueue'>,
  options: { ringAgainAfterMs: number },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const ids = await dueImports(trx, { limit: BATCH, ringAgainAfterMs: options.ringAgainAfterMs })
    await queue.enqueue(
      trx,
      'imports',
      ids.map((id) => ({ id })),
    )
    return ids.length
  })
}
