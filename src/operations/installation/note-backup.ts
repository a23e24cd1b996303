import { addFact, type Database, inTransaction, LAST_BACKUP, replaceFact } from '#persistence'

/** Writes down when the newest backup was made, for the metric. */
export async function noteBackup(db: Database, { takenAt }: { takenAt: string }): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (!(await addFact(trx, LAST_BACKUP, { takenAt }))) await replaceFact(trx, LAST_BACKUP, { takenAt })
  })
}
