import { type AskedBody, type AskedQuery, bodyProblem, entryAt, type SeenResults, type UnseenFailures } from '#contract'
import { parseTime } from '#domain'
import { countUnseenFailures, type Database, markSeen } from '#persistence'
import { placeNamed } from '../asked.ts'
import { type Caller, requireMember } from '../caller.ts'

/**
 * The post sets with a failure of the last 30 days that the member has not seen.
 *
 * @throws ProblemError `auth:not_signed_in`, `request:invalid_query`
 */
export async function readUnseen(
  { db }: { db: Database },
  caller: Caller,
  query: AskedQuery<undefined>,
): Promise<UnseenFailures> {
  const { userId } = requireMember(caller)
  query.read()
  return unseenOf(db, caller, userId)
}

async function unseenOf(db: Database, caller: Caller, userId: string): Promise<UnseenFailures> {
  const data = await countUnseenFailures(db, caller, userId)
  return { total: data.reduce((sum, { unseen }) => sum + unseen, 0), data }
}

/**
 * Records up to which time the member has seen failures, in one social set or in all.
 *
 * @throws ProblemError `auth:not_signed_in`, `social-set:not_found`, `request:invalid_query`, `request:invalid_body`
 */
export async function putSeen(
  { db }: { db: Database },
  caller: Caller,
  body: AskedBody<SeenResults>,
): Promise<UnseenFailures> {
  const { userId } = requireMember(caller)
  await placeNamed(db, caller, body)
  const { socialSetId = null, until: text } = body.read()
  const until = parseTime(text, 'UTC', new Date())
  if (!until) {
    const words = 'until must be an ISO 8601 time, as in newestFailureAt.'
    throw bodyProblem([entryAt(['until'], 'request:invalid_body', words)])
  }
  await markSeen(db, caller, { userId, socialSetId, until })
  return unseenOf(db, caller, userId)
}
