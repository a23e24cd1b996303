import type { AskedQuery, CalendarFeedAnswer, IssuedCalendarFeed } from '#contract'
import type { Database } from '#persistence'
import { closeFeedAddress, issueFeedAddress, readFeedAddress } from '../calendar-feeds/address.ts'
import { type Caller, requireMember, requireRight } from '../caller.ts'
import { changeSharedCalendar, RIGHT, requireRow, type SharedCalendarDeps } from './links.ts'

/**
 * Facts about the address at which calendar programs read a shared calendar, but not the address itself.
 *
 * @throws ProblemError `auth:insufficient_role`, `shared-calendar:not_found`
 */
export async function readSharedCalendarFeed(
  { db }: { db: Database },
  caller: Caller,
  id: string,
): Promise<CalendarFeedAnswer> {
  requireRight(caller, RIGHT)
  const { id: sharedCalendarId } = await requireRow(db, caller, id)
  return { feed: await readFeedAddress(db, { sharedCalendarId }) }
}

/**
 * Creates a calendar address for a shared calendar, or replaces the existing one, which ends at once.
 *
 * @throws ProblemError `auth:insufficient_role`, `request:invalid_query`, `shared-calendar:not_found`
 * @throws Refusal for one that is closed
 */
export async function issueSharedCalendarFeed(
  { db, publicUrl }: Pick<SharedCalendarDeps, 'db' | 'publicUrl'>,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<IssuedCalendarFeed> {
  requireRight(caller, RIGHT)
  const { userId: createdBy } = requireMember(caller)
  query.read()
  const { accountId } = caller
  return changeSharedCalendar(db, caller, id, (trx) =>
    issueFeedAddress(trx, { accountId, publicUrl, of: { sharedCalendarId: id }, createdBy }),
  )
}

/**
 * Closes the calendar address of a shared calendar, if it has one.
 *
 * @throws ProblemError `auth:insufficient_role`, `request:invalid_query`, `shared-calendar:not_found`
 */
export async function closeSharedCalendarFeed(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<void> {
  requireRight(caller, RIGHT)
  query.read()
  const { id: sharedCalendarId } = await requireRow(db, caller, id)
  await closeFeedAddress(db, { sharedCalendarId })
}
