import { ProblemError } from '#contract'
import { isId } from '#domain'
import { type Database, deleteSession, deleteSessions } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'

/**
 * Signs the member out in one browser.
 *
 * @throws ProblemError `session:not_found`
 */
export async function endSession({ db }: { db: Database }, caller: Caller, id: string): Promise<void> {
  const { userId } = requireMember(caller)
  if (isId(id) && (await deleteSession(db, { id, userId }))) return
  throw new ProblemError('session:not_found', 'There is no such session. It may have ended already.')
}

/** Signs the member out in all browsers but this one. */
export async function endOtherSessions({ db }: { db: Database }, caller: Caller): Promise<void> {
  const { userId, sessionId } = requireMember(caller)
  await deleteSessions(db, userId, sessionId)
}
