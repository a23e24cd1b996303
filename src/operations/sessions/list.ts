import type { UserSessions } from '#contract'
import { deviceWords } from '#domain'
import { type Database, listSessions } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'

/** Where the member is signed in, last used first. */
export async function listMemberSessions({ db }: { db: Database }, caller: Caller): Promise<UserSessions> {
  const { userId, sessionId } = requireMember(caller)
  const sessions = await listSessions(db, userId)
  return {
    data: sessions.map(({ id, userAgent, address, startedAt, lastUsedAt }) => ({
      id,
      device: deviceWords(userAgent),
      address,
      startedAt: startedAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      current: id === sessionId,
    })),
  }
}
