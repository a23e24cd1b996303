import { type AskedQuery, ProblemError } from '#contract'
import { isId } from '#domain'
import { type Database, deleteSession, deleteSessions } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'

/**
 * Signs the member out in one browser.
 *
 * @throws ProblemError `session:not_found`, `request:invalid_query`
 */
export async function endSession(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<void> {
  const { userId } = requireMember(caller)
  await db.transaction().execute(async (trx) => {
    if (!isId(id) || !(await deleteSession(trx, { id, userId }))) {
      throw new ProblemError('session:not_found', 'There is no such session. It may have ended already.')
    }
    query.read()
  })
}

/**
 * Signs the member out in all other browsers.
 *
 * @throws ProblemError `request:invalid_query`
 */
export async function endOtherSessions(
  { db }: { db: Database },
  caller: Caller,
  query: AskedQuery<undefined>,
): Promise<void> {
  const { userId, sessionId } = requireMember(caller)
  query.read()
  await deleteSessions(db, userId, sessionId)
}
