import { acceptedLocale, type Language, languageOf } from '#news'
import { type Database, findPreferences } from '#persistence'

/**
 * The language for mails to a user: that of the profile, or else the one that the requesting browser prefers.
 *
 * @param headers of the request
 */
export async function languageForUser(db: Database, userId: string, headers: Headers): Promise<Language> {
  const { locale = null, hourCycle } = await findPreferences(db, userId)
  return languageOf(locale ?? acceptedLocale(headers.get('accept-language')), { hourCycle })
}
