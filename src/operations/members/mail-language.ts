import { acceptedLocale, type Language, languageOf } from '#news'
import { type Database, findPreferences } from '#persistence'

/**
 * Words for mails to a user: in the language of the profile, else in the one that the browser asks for that had the mail sent.
 *
 * @param headers of the request
 */
export async function languageForUser(db: Database, userId: string, headers: Headers): Promise<Language> {
  const { locale = null, hourCycle } = await findPreferences(db, userId)
  return languageOf(locale ?? acceptedLocale(headers.get('accept-language')), { hourCycle })
}
