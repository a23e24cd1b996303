import { entryAt, type ProblemEntry, refuseBody, type SharedCalendarUpdateBody } from '#contract'
import { isId } from '#domain'
import { type Database, type SharedCalendarFields, socialSetsOf } from '#persistence'
import { type Caller, maySee } from '../caller.ts'
import { refusalAt } from '../members/read-person.ts'
import { readName } from '../social-sets/create.ts'
import { socialSetNotFound } from '../social-sets/require.ts'

const WHAT = 'A shared calendar'

const NOTHING = { comment: false, decide: false, notes: false, files: false }

/** What a body says, but for the passcode; what it leaves out is that of `current`. */
type WantedFields = Omit<SharedCalendarFields, 'passcodeHash'>

/**
 * The requested fields of a shared calendar.
 *
 * @throws ProblemError `request:invalid_body`, `social-set:not_found`
 */
export async function readFields(
  db: Database,
  caller: Caller,
  body: SharedCalendarUpdateBody,
  current: WantedFields | null,
): Promise<WantedFields> {
  const { name = current?.name ?? '', lastDay = current?.lastDay ?? null, passcode } = body
  refuseBody([
    ...refusalAt('name', () => readName(name, WHAT)),
    ...(lastDay === current?.lastDay ? [] : checkDay(lastDay)),
    ...(typeof passcode === 'string' && passcode.trim() !== passcode
      ? [entryAt(['passcode'], 'request:invalid_body', 'A passcode must not begin or end with a space.')]
      : []),
  ])
  return {
    name: readName(name, WHAT),
    socialSetIds: body.socialSetIds ? await readBrands(db, caller, body.socialSetIds) : (current?.socialSetIds ?? []),
    shows: body.shows ?? current?.shows ?? { scheduled: false, drafts: false, published: false },
    allows: { ...NOTHING, ...current?.allows, ...body.allows },
    formal: body.formal ?? current?.formal ?? false,
    lastDay,
  }
}

async function readBrands(db: Database, caller: Caller, given: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(given.map((id) => id.toLowerCase()))]
  if (!wanted.every((id) => isId(id) && maySee(caller, id))) throw socialSetNotFound()
  const found = await socialSetsOf(db, caller.accountId, wanted)
  if (found.length !== wanted.length) throw socialSetNotFound()
  return wanted
}

function checkDay(text: string | null): ProblemEntry[] {
  if (text === null || isDay(text)) return []
  return [
    entryAt(
      ['lastDay'],
      'request:invalid_body',
      'lastDay must be a date of the years 2000 to 2100, such as 2026-03-31.',
    ),
  ]
}

function isDay(text: string): boolean {
  if (!/^2[01]\d\d-\d\d-\d\d$/.test(text)) return false
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).year <= 2100
  } catch {
    return false
  }
}
