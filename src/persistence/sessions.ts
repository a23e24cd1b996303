import { sql } from 'kysely'
import { MINUTE_MS } from '#contract/durations'
import type { Database } from './database.ts'

interface SessionRow {
  id: string
  /** Empty when it was not known. */
  userAgent: string
  address: string
  startedAt: Date
  lastUsedAt: Date
}

/** Uses of a session that lie closer together than this are one. */
const USE_MS = 5 * MINUTE_MS

/** The sessions of a user that are not over, the last used first. Sessions go by the real clock. */
export async function listSessions(db: Database, userId: string): Promise<SessionRow[]> {
  const rows = await db
    .selectFrom('sessions')
    .select([
      'id',
      'user_agent as userAgent',
      'ip_address as address',
      'created_at as startedAt',
      'last_used_at as lastUsedAt',
    ])
    .where('user_id', '=', userId)
    .where('expires_at', '>', new Date())
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, userAgent: row.userAgent ?? '', address: row.address ?? '' }))
}

/** Remembers that a session is used, unless that was done a moment ago. */
export async function touchSession(db: Database, id: string, lastUsedAt: Date): Promise<void> {
  if (Date.now() - lastUsedAt.getTime() < USE_MS) return
  await db
    .updateTable('sessions')
    .set({ last_used_at: new Date() })
    .where('id', '=', id)
    .where('last_used_at', '<', new Date(Date.now() - USE_MS))
    .execute()
}

/** Ends a session of a user. False when the user has none of that id. */
export async function deleteSession(db: Database, session: { id: string; userId: string }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', session.id)
    .where('user_id', '=', session.userId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Ends all sessions of a user but one; null: all. Answers how many were not over yet. */
export async function deleteSessions(db: Database, userId: string, except: string | null): Promise<number> {
  const rows = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== null, (query) => query.where('id', '!=', except ?? ''))
    .returning('expires_at as expiresAt')
    .execute()
  return rows.filter(({ expiresAt }) => expiresAt.getTime() > Date.now()).length
}

/** Ends the sign-ins of a user that wait for a code: what was proven before does not count any more. */
export async function deleteFirstSteps(db: Database, userId: string): Promise<void> {
  await sql`delete from verifications where value = ${userId}`.execute(db)
}
