import { entryAt, refuseBody, SeenResults, type UnseenFailures } from '#contract'
import { parseTime } from '#domain'
import { countUnseenFailures, type Database, markSeen } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'
import { rawField, readShape, refuseQuery } from '../read-body.ts'
import { requireSocialSet } from '../social-sets/require.ts'

/**
 * The post sets with a failure of the last 30 days that the member has not seen.
 *
 * @throws ProblemError `auth:not_signed_in`, `request:invalid_query`
 */
export async function readUnseen({ db }: { db: Database }, caller: Caller, query: string): Promise<UnseenFailures> {
  const { userId } = requireMember(caller)
  refuseQuery(query)
  const data = await countUnseenFailures(db, caller, userId)
  return { total: data.reduce((sum, { unseen }) => sum + unseen, 0), data }
}

/**
 * Notes up to when the member has seen what failed, in one social set or in all.
 *
 * @throws ProblemError `auth:not_signed_in`, `social-set:not_found`, `request:invalid_query`, `request:invalid_body`
 */
export async function putSeen(
  { db }: { db: Database },
  caller: Caller,
  { body, query }: { body: unknown; query: string },
): Promise<UnseenFailures> {
  const { userId } = requireMember(caller)
  const named = rawField(body, 'socialSetId')
  if (typeof named === 'string') await requireSocialSet(db, caller, named)
  refuseQuery(query)
  const { socialSetId = null, until: text } = readShape(SeenResults, body)
  const until = parseTime(text, 'UTC', new Date())
  if (!until) {
    refuseBody([entryAt(['until'], 'request:invalid_body', 'until must be an ISO 8601 time, as in newestFailureAt.')])
    throw new Error('A time that cannot be read was not refused.')
  }
  await markSeen(db, caller, { userId, socialSetId, until })
  return readUnseen({ db }, caller, '')
}
