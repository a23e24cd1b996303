import { addFact, type Database, inTransaction, LAST_BACKUP, replaceFact } from '#persistence'

/** Records the time of the newest backup, for the metric. */
export async function noteBackup(db: Database, { takenAt }: { takenAt: string }): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (!(await addFact(trx, LAST_BACKUP, { takenAt }))) await replaceFact(trx, LAST_BACKUP, { takenAt })
  })
}
