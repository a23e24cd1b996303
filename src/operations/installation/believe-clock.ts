import { believeDatabaseClock, type Database } from '#persistence'

/** Confirms, for the operator, that the database clock, which has jumped ahead, is right. Returns the time. */
export async function believeClock({ db }: { db: Database }): Promise<{ time: string }> {
  return { time: (await believeDatabaseClock(db)).toISOString() }
}
