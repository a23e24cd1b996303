import { addFact, type Database, inTransaction, readFact, replaceFact } from '#persistence'

const FACT = 'last-backup'

/** Writes down when the newest backup was made, for the metric and for `doctor`. */
export async function noteBackup(db: Database, { takenAt }: { takenAt: string }): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (!(await addFact(trx, FACT, { takenAt }))) await replaceFact(trx, FACT, { takenAt })
  })
}

/** Of which moment the newest backup is; null where none was made. */
export async function readLastBackup(db: Database): Promise<Date | null> {
  const fact = (await readFact(db, FACT)) as { takenAt: string } | undefined
  return fact ? new Date(fact.takenAt) : null
}
