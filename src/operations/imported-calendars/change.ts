import {
  bodyProblem,
  entryAt,
  type ImportedCalendar,
  ImportedCalendarBody,
  ImportedCalendarUpdateBody,
  LIMITS,
  ProblemError,
  refuseBody,
} from '#contract'
import { newId, type SecretBox } from '#domain'
import {
  countImportedCalendars,
  type Database,
  deleteImportedCalendar,
  fetchSoon,
  type HeldCalendar,
  insertImportedCalendar,
  lockSocialSet,
  readCalendarsAgain,
  recolorImportedNotes,
  updateImportedCalendar as writeCalendar,
} from '#persistence'
import { type Caller, requireMember, requireRight } from '../caller.ts'
import { checkName } from '../members/read-person.ts'
import { readShape, refuseQuery } from '../read-body.ts'
import { Refusal } from '../refusal.ts'
import { readName } from '../social-sets/create.ts'
import { socialSetNotFound, socialSetOfBody } from '../social-sets/require.ts'
import { checkOrigin, type GivenOrigin, partsOf, storeOrigin } from './origin.ts'
import { holdImportedCalendar, readImportedCalendar } from './serialize.ts'

export interface ImportedCalendarDeps {
  db: Database
  box: Pick<SecretBox, 'seal'>
}

const RIGHT = 'calendars:manage'
const WHAT = 'A calendar'
/** A calendar is asked for again by hand after this time at the earliest. */
const PAUSE_MS = 15_000

/**
 * Adds a calendar to a social set, by its address or from a file. A worker reads it next. `body` is an `ImportedCalendarBody` or a `CalendarForm`.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `social-set:not_found`, `request:invalid_query`,
 *   `request:invalid_body`, `imported-calendar:limit_reached`
 */
export async function addImportedCalendar(
  { db, box }: ImportedCalendarDeps,
  caller: Caller,
  { body, query }: { body: unknown; query: string },
): Promise<ImportedCalendar> {
  requireRight(caller, RIGHT)
  const { userId } = requireMember(caller)
  const { fields, file } = partsOf(body)
  await socialSetOfBody(db, caller, fields)
  refuseQuery(query)
  const { socialSetId, hexColor, ...read } = readShape(ImportedCalendarBody, fields)
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
 * Renames a calendar, gives its notes another color, pauses or resumes it, or gives it another address or file; what is left out
 * stays. `body` is an `ImportedCalendarUpdateBody` or a `CalendarForm`.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `imported-calendar:not_found`, `request:invalid_query`,
 *   `request:invalid_body`
 */
export async function updateImportedCalendar(
  { db, box }: ImportedCalendarDeps,
  caller: Caller,
  id: string,
  { body, query }: { body: unknown; query: string },
): Promise<ImportedCalendar> {
  requireRight(caller, RIGHT)
  return db.transaction().execute(async (trx) => {
    const before = await holdImportedCalendar(trx, caller, id)
    refuseQuery(query)
    const { fields, file } = partsOf(body)
    const change = { ...readShape(ImportedCalendarUpdateBody, fields), file }
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
 * @throws Refusal it is paused
 */
export async function fetchImportedCalendar(
  { db }: Pick<ImportedCalendarDeps, 'db'>,
  caller: Caller,
  id: string,
  { query }: { query: string },
): Promise<ImportedCalendar> {
  requireRight(caller, RIGHT)
  return db.transaction().execute(async (trx) => {
    const held = await holdImportedCalendar(trx, caller, id)
    refuseQuery(query)
    if (held.paused) throw new Refusal('The calendar is paused. Resume it first.')
    await fetchSoon(trx, held.id, { pauseMs: PAUSE_MS })
    return readImportedCalendar(trx, caller, held)
  })
}

/**
 * Removes a calendar, with its notes but those that someone has changed.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `imported-calendar:not_found`, `request:invalid_query`
 */
export async function removeImportedCalendar(
  { db }: Pick<ImportedCalendarDeps, 'db'>,
  caller: Caller,
  id: string,
  { query }: { query: string },
): Promise<void> {
  requireRight(caller, RIGHT)
  await db.transaction().execute(async (trx) => {
    const { id: calendarId, socialSetId } = await holdImportedCalendar(trx, caller, id)
    refuseQuery(query)
    await deleteImportedCalendar(trx, calendarId)
    // Its notes leave room for those of others.
    await readCalendarsAgain(trx, socialSetId, { onlyFull: true })
  })
}
