import { DEFAULT_PREFERENCES, entryAt, type Preferences, PreferencesBody } from '#contract'
import { type Database, findPreferences, updatePreferences } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'
import { refusalAt } from '../members/read-person.ts'
import { readShape, refuseBody } from '../read-body.ts'
import { readTimezone } from '../social-sets/create.ts'

/**
 * Changes how the member wants the dashboard to be; what the body leaves out stays.
 *
 * @throws ProblemError `request:invalid_body`
 */
export async function changePreferences({ db }: { db: Database }, caller: Caller, body: unknown): Promise<Preferences> {
  const { userId } = requireMember(caller)
  const change = readShape(PreferencesBody, body)
  const { timezone, locale } = change
  refuseBody([
    ...(typeof timezone === 'string' ? refusalAt('timezone', () => readTimezone(timezone)) : []),
    ...(typeof locale === 'string' && !isLocale(locale)
      ? [entryAt(['locale'], 'request:invalid_body', `${locale} is not a language. Use a tag such as en-GB or de.`)]
      : []),
  ])
  await updatePreferences(db, userId, change)
  return { ...DEFAULT_PREFERENCES, ...(await findPreferences(db, userId)) }
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
