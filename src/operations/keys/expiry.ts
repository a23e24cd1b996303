import { parseTime } from '#domain'
import { type Database, databaseNow } from '#persistence'
import { refused } from '../refused.ts'

/**
 * The expiry of a key, from an ISO 8601 time; a bare date is the start of that day in UTC. Null: never.
 *
 * @throws ProblemError `request:refused` also for a time that has passed, by the database's clock
 */
export async function readExpiry(db: Database, text: string | null): Promise<Date | null> {
  if (text === null) return null
  const time = parseTime(text, 'UTC', new Date())
  if (!time) throw refused('why:key_expiry_unreadable')
  if (time <= (await databaseNow(db))) throw refused('why:key_expiry_past')
  if (time.getUTCFullYear() > 2100) throw refused('why:key_expiry_far')
  return time
}
