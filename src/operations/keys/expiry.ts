import { parseTime } from '#domain'
import { type Database, databaseNow } from '#persistence'
import { Refusal } from '../refusal.ts'

/**
 * When a key expires, of an ISO 8601 time; a bare date is the start of that day in UTC. Null: never.
 *
 * @throws Refusal also for a time that has passed, by the database's clock
 */
export async function readExpiry(db: Database, text: string | null): Promise<Date | null> {
  if (text === null) return null
  const time = parseTime(text, 'UTC', new Date())
  if (!time) throw new Refusal('The expiry of a key is a date such as 2027-03-01, or an ISO 8601 time.')
  if (time <= (await databaseNow(db))) throw new Refusal('The expiry of a key lies in the future.')
  if (time.getUTCFullYear() > 2100) throw new Refusal('The expiry of a key lies before the year 2101.')
  return time
}
