import {
  type AskedBody,
  type AskedQuery,
  bodyProblem,
  entryAt,
  type ImportedCalendar,
  type ImportedCalendarBody,
  type ImportedCalendarUpdateBody,
  LIMITS,
  ProblemError,
  refuseBody,
} from '#contract'
import { newId } from '#domain'
import {
  countImportedCalendars,
  deleteImportedCalendar,
  fetchSoon,
  type HeldCalendar,
  insertImportedCalendar,
  lockSocialSet,
  readCalendarsAgain,
  recolorImportedNotes,
  updateImportedCalendar as writeCalendar,
} from '#persistence'
import { readPlaced } from '../asked.ts'
import { type Caller, requireMember, requireRight } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'
import { checkName } from '../members/read-person.ts'
import { refused } from '../refused.ts'
import { readName } from '../social-sets/create.ts'
import { socialSetNotFound } from '../social-sets/require.ts'
import { checkOrigin, type GivenOrigin, storeOrigin } from './origin.ts'
import { holdImportedCalendar, readImportedCalendar } from './serialize.ts'

type Deps = Pick<OperationDeps, 'db' | 'box'>

/** Fields in JSON or of a form, which has a file besides. */
interface CalendarRequest<T> extends Pick<GivenOrigin, 'file'> {
  body: AskedBody<T>
}

const RIGHT = 'calendars:manage'
const WHAT = 'A calendar'
/** A calendar is asked for again by hand after this time at the earliest. */
const PAUSE_MS = 15_000

/**
 * Adds a calendar to a social set, from an address or a file. A worker reads it next.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `social-set:not_found`, `request:invalid_query`,
 *   `request:invalid_body`, `imported-calendar:limit_reached`
 */
export async function addImportedCalendar(
  { db, box }: Deps,
  caller: Caller,
  { body, file }: CalendarRequest<ImportedCalendarBody>,
): Promise<ImportedCalendar> {
  requireRight(caller, RIGHT)
  const { userId } = requireMember(caller)
  const { asked } = await readPlaced(db, caller, body)
  const { socialSetId, hexColor, ...read } = asked
  const given = { ...read, file }
  refuseBody([...checkName('name', given.name, WHAT), ...checkOrigin(given)])
  const id = newId()
  const origin = await storeOrigin(box, id, given)
  if (!origin) {
    throw bodyProblem([entryAt(['url'], 'request:invalid_body', 'Give the address of the calendar as url, or a file.')])
  }
  return db.transaction().execute(async (trx) => {
    // Calendars of a social set are added one after the other.
    const socialSet = await lockSocialSet(trx, caller, socialSetId)
    if (!socialSet) throw socialSetNotFound()
    const { perSocialSet } = LIMITS.importedCalendars
    if ((await countImportedCalendars(trx, socialSet.id)) >= perSocialSet) {
      const words = `The social set has ${perSocialSet} imported calendars. Remove one that is no longer used.`
      throw new ProblemError('imported-calendar:limit_reached', words)
    }
    const { accountId } = caller
    const name = readName(given.name, WHAT)
    await insertImportedCalendar(trx, {
      id,
      accountId,
      socialSetId: socialSet.id,
      name,
      hexColor,
      createdBy: userId,
      origin,
    })
    return readImportedCalendar(trx, caller, { id, timezone: socialSet.timezone })
  })
}

/**
 * Renames a calendar, changes the color of its notes, pauses or resumes it, or replaces its address or file; omitted
 * fields stay.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `imported-calendar:not_found`, `request:invalid_query`,
 *   `request:invalid_body`
 */
export async function updateImportedCalendar(
  { db, box }: Deps,
  caller: Caller,
  id: string,
  { body, file }: CalendarRequest<ImportedCalendarUpdateBody>,
): Promise<ImportedCalendar> {
  requireRight(caller, RIGHT)
  return db.transaction().execute(async (trx) => {
    const before = await holdImportedCalendar(trx, caller, id)
    const change = { ...body.read(), file }
    refuseBody([
      ...(change.name === undefined ? [] : checkName('name', change.name, WHAT)),
      ...checkKind(before, change),
      ...checkOrigin(change),
    ])
    const { hexColor, paused } = change
    const origin = await storeOrigin(box, before.id, change)
    await writeCalendar(trx, before.id, {
      ...(change.name === undefined ? {} : { name: readName(change.name, WHAT) }),
      ...(hexColor === undefined ? {} : { hexColor }),
      ...(paused === undefined || paused === before.paused ? {} : { paused }),
      ...(origin ? { origin } : {}),
    })
    if (hexColor !== undefined && hexColor !== before.hexColor) await recolorImportedNotes(trx, before.id, hexColor)
    return readImportedCalendar(trx, caller, before)
  })
}

function checkKind({ isFile }: HeldCalendar, { url, file }: GivenOrigin) {
  if (isFile && url !== undefined) {
    const words = 'This calendar is one of a file. Add the address as another calendar.'
    return [entryAt(['url'], 'request:invalid_body', words)]
  }
  if (!isFile && file !== undefined) {
    const words = 'This calendar has an address. Add the file as another calendar.'
    return [entryAt(['file'], 'request:invalid_body', words)]
  }
  return []
}

/**
 * Has a calendar read now, or a few seconds after its last attempt.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `imported-calendar:not_found`, `request:invalid_query`
 * @throws ProblemError `request:refused` when it is paused
 */
export async function fetchImportedCalendar(
  { db }: Pick<Deps, 'db'>,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<ImportedCalendar> {
  requireRight(caller, RIGHT)
  return db.transaction().execute(async (trx) => {
    const held = await holdImportedCalendar(trx, caller, id)
    query.read()
    if (held.paused) throw refused('why:calendar_paused')
    await fetchSoon(trx, held.id, { pauseMs: PAUSE_MS })
    return readImportedCalendar(trx, caller, held)
  })
}

/**
 * Removes a calendar and its notes, except those that someone has changed.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `imported-calendar:not_found`, `request:invalid_query`
 */
export async function removeImportedCalendar(
  { db }: Pick<Deps, 'db'>,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<void> {
  requireRight(caller, RIGHT)
  await db.transaction().execute(async (trx) => {
    const { id: calendarId, socialSetId } = await holdImportedCalendar(trx, caller, id)
    query.read()
    await deleteImportedCalendar(trx, calendarId)
    // Its notes leave room for those of others.
    await readCalendarsAgain(trx, socialSetId, { onlyFull: true })
  })
}
