import type { AskedQuery, CalendarFeed, CalendarFeedAnswer, IssuedCalendarFeed } from '#contract'
import { newId, newLinkToken } from '#domain'
import {
  type CalendarFeedRow,
  type Database,
  deleteCalendarFeed,
  type FeedOf,
  findCalendarFeed,
  inTransaction,
  lockSocialSet,
  putCalendarFeed,
} from '#persistence'
import { type Caller, requireMember, requireRight } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'
import { requireSocialSet, socialSetNotFound } from '../social-sets/require.ts'

type Deps = Pick<OperationDeps, 'db' | 'publicUrl'>

const RIGHT = 'calendars:manage'

/**
 * Facts about the address at which calendar programs read a social set, but not the address itself.
 *
 * @throws ProblemError `social-set:not_found`
 */
export async function readCalendarFeed(
  { db }: Pick<Deps, 'db'>,
  caller: Caller,
  id: string,
): Promise<CalendarFeedAnswer> {
  const { id: socialSetId } = await requireSocialSet(db, caller, id)
  return { feed: await readFeedAddress(db, { socialSetId }) }
}

/**
 * Creates a calendar address for a social set, or replaces the existing one, which ends at once.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `social-set:not_found`, `request:invalid_query`
 */
export async function issueCalendarFeed(
  { db, publicUrl }: Deps,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<IssuedCalendarFeed> {
  requireRight(caller, RIGHT)
  const { userId } = requireMember(caller)
  const { id: socialSetId } = await requireSocialSet(db, caller, id)
  query.read()
  return inTransaction(db, async (trx) => {
    if (!(await lockSocialSet(trx, caller, socialSetId))) throw socialSetNotFound()
    const { accountId } = caller
    return issueFeedAddress(trx, { accountId, publicUrl, of: { socialSetId }, createdBy: userId })
  })
}

/**
 * Closes the calendar address of a social set, if it has one.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `social-set:not_found`, `request:invalid_query`
 */
export async function closeCalendarFeed(
  { db }: Pick<Deps, 'db'>,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<void> {
  requireRight(caller, RIGHT)
  const { id: socialSetId } = await requireSocialSet(db, caller, id)
  query.read()
  await closeFeedAddress(db, { socialSetId })
}

/** The calendar address of a social set or a shared calendar; null if it has none. The caller has checked access. */
export async function readFeedAddress(db: Database, of: FeedOf): Promise<CalendarFeed | null> {
  const row = await findCalendarFeed(db, of)
  return row && answerFeed(row)
}

/**
 * Creates or replaces the calendar address of a social set or a shared calendar. The caller has checked that this is
 * allowed.
 */
export async function issueFeedAddress(
  trx: Database,
  {
    accountId,
    publicUrl,
    of,
    createdBy,
  }: { accountId: string; publicUrl: string; of: FeedOf; createdBy: string | null },
): Promise<IssuedCalendarFeed> {
  const { token, hash } = newLinkToken()
  const row = await putCalendarFeed(trx, { id: newId(), accountId, of, tokenHash: hash, createdBy })
  return { feed: answerFeed(row), url: `${publicUrl}/feeds/${token}.ics` }
}

/** Closes the calendar address of a social set or a shared calendar, if it has one. */
export async function closeFeedAddress(trx: Database, of: FeedOf): Promise<void> {
  await deleteCalendarFeed(trx, of)
}

function answerFeed({ createdAt, renewedAt, lastReadAt }: CalendarFeedRow): CalendarFeed {
  return {
    createdAt: createdAt.toISOString(),
    renewedAt: renewedAt?.toISOString() ?? null,
    lastReadAt: lastReadAt?.toISOString() ?? null,
  }
}
