import { believeDatabaseClock, type Database } from '#persistence'

/** The operator's word that the clock of the database, which has jumped ahead, is right. Answers the time. */
export async function believeClock({ db }: { db: Database }): Promise<{ time: string }> {
  return { time: (await believeDatabaseClock(db)).toISOString() }
}
