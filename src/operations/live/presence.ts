import type { AskedBody, Presence, PresenceBody, PresenceSaid } from '#contract'
import { isId } from '#domain'
import { type Database, isOnCalendar, listPresent, sayPresence } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'
import { postSetNotFound } from '../post-sets/get.ts'

interface Deps {
  db: Database
}

/**
 * Who else has a post set open: members who see it and agree to be seen, for a caller who also agrees to be seen.
 *
 * @throws ProblemError `auth:not_signed_in`, `post-set:not_found`
 */
export async function readPresence({ db }: Deps, caller: Caller, id: string): Promise<Presence> {
  const { userId } = requireMember(caller)
  if (!isId(id) || !(await isOnCalendar(db, caller, id))) throw postSetNotFound()
  return { people: await listPresent(db, { postSetId: id, userId }) }
}

/**
 * Sets which post set a window has open, by its stream; null: none.
 *
 * @throws ProblemError in this order: `auth:not_signed_in`, `request:invalid_query`, `request:invalid_body`, `post-set:not_found`
 */
export async function putPresence(
  { db }: Deps,
  caller: Caller,
  streamId: string,
  body: AskedBody<PresenceBody>,
): Promise<PresenceSaid> {
  const { userId } = requireMember(caller)
  const { postSetId } = body.read()
  if (postSetId !== null && !(isId(postSetId) && (await isOnCalendar(db, caller, postSetId)))) throw postSetNotFound()
  if (!isId(streamId)) return { said: false }
  return { said: await sayPresence(db, { streamId, userId, postSetId }) }
}
