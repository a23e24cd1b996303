import {
  type AskedBody,
  DEFAULT_PREFERENCES,
  entryAt,
  type Preferences,
  type PreferencesBody,
  type ProblemEntry,
  refuseBody,
} from '#contract'
import { isId } from '#domain'
import { type Database, findPreferences, updatePreferences } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'
import { checkName, refusalAt } from '../members/read-person.ts'
import { readTimezone } from '../social-sets/create.ts'

/**
 * Changes the member's dashboard preferences; omitted fields stay.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`
 */
export async function changePreferences(
  { db }: { db: Database },
  caller: Caller,
  body: AskedBody<PreferencesBody>,
): Promise<Preferences> {
  const { userId } = requireMember(caller)
  const change = body.read()
  const { timezone, locale, accountGroups = [] } = change
  refuseBody([
    ...(typeof timezone === 'string' ? refusalAt('timezone', () => readTimezone(timezone)) : []),
    ...(typeof locale === 'string' && !isLocale(locale)
      ? [entryAt(['locale'], 'request:invalid_body', `${locale} is not a language. Use a tag such as en-GB or de.`)]
      : []),
    ...accountGroups.flatMap(checkGroup),
  ])
  await updatePreferences(db, userId, change)
  return { ...DEFAULT_PREFERENCES, ...(await findPreferences(db, userId)) }
}

/** A brand that is gone, or that the member no longer sees, may be named: its groups are shown nowhere. */
function checkGroup({ socialSetId, name }: Preferences['accountGroups'][number], at: number): ProblemEntry[] {
  const problem = (field: string, words: string) =>
    entryAt(['accountGroups', at, field], 'request:invalid_body', `accountGroups[${at}].${field} ${words}`)
  return [
    ...(isId(socialSetId) ? [] : [problem('socialSetId', 'must be the id of a brand.')]),
    ...checkName('name', name, 'A group').map(({ message }) => problem('name', `cannot be taken: ${message}`)),
  ]
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
