import { LIMITS, ProblemError, type SharedCalendarAllows } from '#contract'
import {
  type Actor,
  type Database,
  type DatabaseTransaction,
  findVisits,
  holdOpenSharedCalendar,
  type OpenSharedCalendar,
  type VisitRow,
} from '#persistence'
import type { OperationDeps } from '../deps.ts'
import { countInHour } from './count-in-hour.ts'
import { findVisit } from './enter.ts'
import { notSharedAnyMore } from './serialize.ts'

/** On whose behalf a request of a shared calendar runs: a guest, or a member who looks at what guests see. */
export interface Guest {
  id: string
  name: string | null
  email: string | null
  calendar: OpenSharedCalendar
  /** What the guest may do now: what the link allows, as far as the account's plan includes it. A member who looks: only see files. */
  allows: SharedCalendarAllows
  /** What guests may do, for a member who looks: of that nothing is kept. Null: a guest. */
  preview: SharedCalendarAllows | null
  visit: Buffer
}

/** What guests' operations work with. */
export type GuestDeps = Pick<OperationDeps, 'db' | 'plans' | 'thread'>

/** The guest whose visit a request's cookie names; null if there is none, for any reason. */
export async function authenticateGuest(deps: GuestDeps, id: string, headers: Headers): Promise<Guest | null> {
  const visit = await findVisit(deps.db, id, headers)
  return visit && guestOf(deps, visit)
}

function guestOf(
  { plans, thread }: Pick<GuestDeps, 'plans' | 'thread'>,
  { tokenHash, ofMember, guest, calendar }: VisitRow,
): Guest {
  const { comment, decide, notes, files } = calendar.allows
  const allows = { comment: comment && thread !== null, decide: decide && plans[calendar.plan].approvals, notes, files }
  const may = ofMember ? { allows: { ...NO_WRITES, files }, preview: allows } : { allows, preview: null }
  return { ...guest, ...may, calendar, visit: tokenHash }
}

/** What is looked at; all else writes. */
type Writes = Omit<SharedCalendarAllows, 'files'>

const NO_WRITES: Writes = { comment: false, decide: false, notes: false }

/** A guest who has said a name, and may write. */
export type NamedGuest = Guest & { name: string }

/**
 * Performs a guest's action in a transaction that locks the link: open, entered, and allowing the action.
 *
 * @throws ProblemError `shared-calendar:not_found`, `shared-calendar:not_allowed`, `shared-calendar:name_required`
 */
export async function writeAsGuest<T>(
  deps: GuestDeps,
  guest: Guest,
  right: keyof Writes,
  work: (trx: DatabaseTransaction, guest: NamedGuest) => Promise<T>,
): Promise<T> {
  return deps.db.transaction().execute(async (trx) => {
    await holdOpenSharedCalendar(trx, guest.calendar.id)
    const [visit] = await findVisits(trx, guest.calendar.id, [guest.visit])
    if (!visit) throw notSharedAnyMore()
    return work(trx, requireMay(guestOf(deps, visit), right))
  })
}

/** @throws ProblemError `shared-calendar:not_allowed`, `shared-calendar:name_required` */
export function requireMay(guest: Guest, right: keyof Writes): NamedGuest {
  refusePreview(guest)
  if (!guest.allows[right]) {
    const detail = `This shared calendar does not let guests ${RIGHTS[right]}. Ask the people who sent you the link.`
    throw new ProblemError('shared-calendar:not_allowed', detail)
  }
  return requireName(guest)
}

const RIGHTS: Readonly<Record<keyof Writes, string>> = {
  comment: 'comment',
  decide: 'approve posts or request changes',
  notes: 'add notes',
}

/** @throws ProblemError `shared-calendar:not_allowed` for a member who only looks */
export function refusePreview({ preview }: Guest): void {
  if (preview === null) return
  const detail = 'This is a preview for the team: only guests can do that, with the link that you send them.'
  throw new ProblemError('shared-calendar:not_allowed', detail)
}

/** @throws ProblemError `shared-calendar:name_required` */
export function requireName(guest: Guest): NamedGuest {
  const { name } = guest
  if (name !== null) return { ...guest, name }
  throw new ProblemError('shared-calendar:name_required', 'Say your name first, so that the team knows who you are.')
}

/** The guest as history and notifications name them. */
export const actorOf = ({ id, name }: NamedGuest): Actor => ({ type: 'REVIEWER', id, name })

/**
 * Counts a guest's writes.
 *
 * @throws ProblemError `rate-limit:exceeded` beyond what a guest, or all of a link, may write in an hour
 */
export async function countWrites(db: Database, { id, calendar }: Guest): Promise<void> {
  const { writesPerHour } = LIMITS.guestVisits
  await countInHour(db, `shared-writes:${id}`, writesPerHour.guest)
  await countInHour(db, `shared-writes:${calendar.id}`, writesPerHour.link)
}
