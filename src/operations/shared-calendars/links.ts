import {
  type AskedBody,
  type AskedQuery,
  LIMITS,
  type MadeSharedCalendar,
  type SharedCalendar,
  type SharedCalendarBody,
  type SharedCalendarLook,
  type SharedCalendars,
  type SharedCalendarUpdateBody,
  type SharedCalendarVisitors,
} from '#contract'
import { isId, newId, newLinkToken, type SecretBox } from '#domain'
import {
  copySharedToken,
  countOpenSharedCalendars,
  type Database,
  type DatabaseTransaction,
  endVisits,
  findSharedCalendar,
  insertSharedCalendar,
  insertWayIn,
  listSharedCalendars as listRows,
  listVisitors,
  lockSharedCalendar,
  type SharedCalendarRow,
  closeSharedCalendar as writeClosed,
  updateSharedCalendar as writeFields,
  renewSharedCalendar as writeRenewed,
} from '#persistence'
import { closeFeedAddress } from '../calendar-feeds/address.ts'
import { type Caller, requireMember, requireRight } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'
import { requirePlan } from '../post-sets/check-plan.ts'
import { refused } from '../refused.ts'
import { newKeptToken, openKeptToken } from './kept-token.ts'
import { readFields } from './read.ts'
import { sharedAddress, sharedCalendarAnswer, sharedCalendarNotFound } from './serialize.ts'

export type SharedCalendarDeps = Pick<OperationDeps, 'db' | 'identity' | 'box' | 'publicUrl'>

export const RIGHT = 'shared-calendars:manage'
/** Open ones are bounded, and what is closed goes after some days. */
const MOST = 1_000

/**
 * The shared calendars of an account whose brands the member can all see.
 *
 * @throws ProblemError `auth:insufficient_role`
 */
export async function listSharedCalendars(
  { db }: Pick<SharedCalendarDeps, 'db'>,
  caller: Caller,
): Promise<SharedCalendars> {
  requireRight(caller, RIGHT)
  const rows = await listRows(db, caller, { limit: MOST })
  return { data: rows.map(sharedCalendarAnswer) }
}

/**
 * Creates a link for guests.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `request:invalid_query`, `request:invalid_body`,
 *   `social-set:not_found`, `plan:approvals_not_available`
 * @throws ProblemError `request:refused` when too many are open
 */
export async function createSharedCalendar(
  { db, identity, publicUrl, box }: SharedCalendarDeps,
  caller: Caller,
  body: AskedBody<SharedCalendarBody>,
): Promise<MadeSharedCalendar> {
  requireRight(caller, RIGHT)
  const read = body.read()
  const wanted = await readFields(db, caller, read, null)
  if (wanted.allows.decide) requireApprovals(caller)
  const { userId } = requireMember(caller)
  const passcodeHash = read.passcode ? await identity.hashPassword(read.passcode) : null
  const id = newId()
  const { token, kept } = newKeptToken(box, id)
  const row = await db.transaction().execute(async (trx) => {
    if ((await countOpenSharedCalendars(trx, caller.accountId)) >= LIMITS.sharedCalendars.openPerAccount) {
      throw refused('why:shared_calendars_full', { count: String(LIMITS.sharedCalendars.openPerAccount) })
    }
    const createdBy = { id: userId, name: caller.actor.name }
    const row = { ...wanted, id, accountId: caller.accountId, passcodeHash, token: kept, createdBy }
    await insertSharedCalendar(trx, row)
    return requireRow(trx, caller, id)
  })
  return { sharedCalendar: sharedCalendarAnswer(row), address: sharedAddress(publicUrl, token) }
}

/**
 * Changes a link; omitted fields stay. Guests see the change with their next request; a new passcode ends their
 * visits.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `shared-calendar:not_found`, `request:invalid_query`,
 *   `request:invalid_body`, `social-set:not_found`, `plan:approvals_not_available`
 * @throws ProblemError `request:refused` for one that is closed
 */
export async function updateSharedCalendar(
  { db, identity }: SharedCalendarDeps,
  caller: Caller,
  id: string,
  body: AskedBody<SharedCalendarUpdateBody>,
): Promise<SharedCalendar> {
  requireRight(caller, RIGHT)
  await requireRow(db, caller, id)
  const read = body.read()
  const passcodeHash = read.passcode ? await identity.hashPassword(read.passcode) : null
  return changeSharedCalendar(db, caller, id, async (trx, current) => {
    const wanted = await readFields(trx, caller, read, current)
    if (wanted.allows.decide && !current.allows.decide) requireApprovals(caller)
    await writeFields(trx, id, {
      ...wanted,
      passcodeHash: read.passcode === undefined ? current.passcodeHash : passcodeHash,
    })
    if (read.passcode) await endVisits(trx, id, { news: false })
    return changed(trx, caller, id)
  })
}

/**
 * Replaces the address of a link. Everything that was entered through the old one ends at once, including mails to
 * guests.
 *
 * @throws ProblemError `auth:insufficient_role`, `shared-calendar:not_found`, `request:invalid_query`
 * @throws ProblemError `request:refused` for one that is closed
 */
export async function renewSharedCalendar(
  deps: Pick<SharedCalendarDeps, 'db' | 'publicUrl' | 'box'>,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<MadeSharedCalendar> {
  requireRight(caller, RIGHT)
  query.read()
  return changeSharedCalendar(deps.db, caller, id, async (trx) => {
    const address = await renewHeld(trx, deps, caller, id)
    return { sharedCalendar: await changed(trx, caller, id), address }
  })
}

/**
 * Returns the address of a link again, and records to whom it was shown.
 *
 * @throws ProblemError `auth:insufficient_role`, `shared-calendar:not_found`, `request:invalid_query`
 * @throws ProblemError `request:refused` for one that is closed, and where the address is not kept
 */
export async function copySharedCalendar(
  { db, publicUrl, box }: Pick<SharedCalendarDeps, 'db' | 'publicUrl' | 'box'>,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<MadeSharedCalendar> {
  requireRight(caller, RIGHT)
  query.read()
  const user = { id: requireMember(caller).userId, name: caller.actor.name }
  return changeSharedCalendar(db, caller, id, async (trx, current) => {
    const kept = await copySharedToken(trx, current.id, { copyId: newId(), user })
    const token = kept && openKeptToken(box, current.id, kept)
    if (token === null) throw refused('why:shared_calendar_not_kept')
    return { sharedCalendar: await changed(trx, caller, id), address: sharedAddress(publicUrl, token) }
  })
}

/** Replaces the address of a link whose row is locked; the new one is shown to the caller. */
export async function renewHeld(
  trx: DatabaseTransaction,
  { publicUrl, box }: Pick<SharedCalendarDeps, 'publicUrl'> & { box: Pick<SecretBox, 'seal'> },
  { member }: Pick<Caller, 'member'>,
  id: string,
): Promise<string> {
  const { token, kept } = newKeptToken(box, id)
  await writeRenewed(trx, id, { token: kept, userId: member?.userId ?? null })
  await endVisits(trx, id, { news: true })
  await closeFeedAddress(trx, { sharedCalendarId: id })
  return sharedAddress(publicUrl, token)
}

/** Closes a link whose row is locked. */
export async function closeHeld(trx: DatabaseTransaction, id: string): Promise<void> {
  await writeClosed(trx, id)
  await endVisits(trx, id, { news: true })
  await closeFeedAddress(trx, { sharedCalendarId: id })
}

/**
 * Closes a link permanently. Open visits end at once. Does nothing if it is already closed.
 *
 * @throws ProblemError `auth:insufficient_role`, `shared-calendar:not_found`, `request:invalid_query`
 */
export async function closeSharedCalendar(
  { db }: Pick<SharedCalendarDeps, 'db'>,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<SharedCalendar> {
  requireRight(caller, RIGHT)
  query.read()
  const { closedAt, ...rest } = await requireRow(db, caller, id)
  if (closedAt) return sharedCalendarAnswer({ ...rest, closedAt })
  return changeSharedCalendar(db, caller, id, async (trx) => {
    await closeHeld(trx, id)
    return changed(trx, caller, id)
  })
}

/**
 * A preview for the member, to see what guests see. It needs no passcode, and allows no actions.
 *
 * @throws ProblemError `auth:insufficient_role`, `shared-calendar:not_found`, `request:invalid_query`
 * @throws ProblemError `request:refused` for one that is not open
 */
export async function lookAtSharedCalendar(
  { db, publicUrl }: Pick<SharedCalendarDeps, 'db' | 'publicUrl'>,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<SharedCalendarLook> {
  requireRight(caller, RIGHT)
  query.read()
  const { state, id: sharedCalendarId } = await requireRow(db, caller, id)
  if (state === 'expired') throw refused('why:shared_calendar_over')
  if (state === 'closed') throw closed()
  const { token, hash: tokenHash } = newLinkToken()
  const { userId } = requireMember(caller)
  await insertWayIn(db, { tokenHash, sharedCalendarId, userId, hours: LIMITS.guestVisits.previewHours })
  return { address: sharedAddress(publicUrl, token) }
}

/**
 * Who has visited, and when.
 *
 * @throws ProblemError `auth:insufficient_role`, `shared-calendar:not_found`
 */
export async function listSharedCalendarVisitors(
  { db }: Pick<SharedCalendarDeps, 'db'>,
  caller: Caller,
  id: string,
): Promise<SharedCalendarVisitors> {
  requireRight(caller, RIGHT)
  const { id: sharedCalendarId } = await requireRow(db, caller, id)
  const rows = await listVisitors(db, sharedCalendarId, LIMITS.guestVisits.visitorsShown)
  const data = rows.map(({ firstLookAt, lastLookAt, ...visitor }) => ({
    ...visitor,
    firstLookAt: firstLookAt.toISOString(),
    lastLookAt: lastLookAt.toISOString(),
  }))
  return { data }
}

/** Guests decide about approvals, which the plan has to include. */
function requireApprovals({ plan }: Caller): void {
  requirePlan(plan, { approval: true, repeat: false, posts: [] })
}

/** @throws ProblemError `shared-calendar:not_found` */
export async function requireRow(db: Database, caller: Caller, id: string): Promise<SharedCalendarRow> {
  const row = isId(id) ? await findSharedCalendar(db, caller, id) : null
  if (!row) throw sharedCalendarNotFound()
  return row
}

/**
 * Changes a link that is not closed, with its row locked.
 *
 * @throws ProblemError `shared-calendar:not_found`
 * @throws ProblemError `request:refused` for one that is closed
 */
export async function changeSharedCalendar<Done>(
  db: Database,
  caller: Caller,
  id: string,
  work: (trx: DatabaseTransaction, current: SharedCalendarRow) => Promise<Done>,
): Promise<Done> {
  return db.transaction().execute(async (trx) => {
    if (!isId(id) || !(await lockSharedCalendar(trx, caller, id))) throw sharedCalendarNotFound()
    const current = await requireRow(trx, caller, id)
    if (current.state === 'closed') throw closed()
    return work(trx, current)
  })
}

const changed = async (trx: Database, caller: Caller, id: string) =>
  sharedCalendarAnswer(await requireRow(trx, caller, id))

const closed = () => refused('why:shared_calendar_closed')
