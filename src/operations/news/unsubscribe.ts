import { readUnsubscribeToken, type Unsubscribing } from '#domain'
import { type Database, findGuestReading, findPreferences, stopGuestMails, stopMails } from '#persistence'

export interface UnsubscribeDeps {
  db: Database
  /** Of which one has signed a link. */
  unsubscribeKeys: readonly Buffer[]
}

/** What a link in a mail ends, and for whom. */
export interface FoundUnsubscribing extends Unsubscribing {
  /** Language of the reader (BCP 47); null: not known. */
  locale: string | null
  /** Names of a guest's brands. None for a member: the mails of all brands end. */
  brands: string[]
}

/** What a link in a mail ends; null when it is none of ours. */
export async function lookAtUnsubscribing(
  { db, unsubscribeKeys }: UnsubscribeDeps,
  token: string,
): Promise<FoundUnsubscribing | null> {
  const found = readUnsubscribeToken(unsubscribeKeys, token)
  if (!found) return null
  if (found.type === 'guest') return { ...found, locale: null, brands: [], ...(await findGuestReading(db, found.id)) }
  const { locale = null } = await findPreferences(db, found.id)
  return { ...found, locale, brands: [] }
}

/** Ends the mails that a link in one of them is about, without a sign-in; doing it again changes nothing. Null as above. */
export async function unsubscribe(deps: UnsubscribeDeps, token: string): Promise<FoundUnsubscribing | null> {
  const found = await lookAtUnsubscribing(deps, token)
  if (!found) return null
  const { type, id, accountId, causes } = found
  await deps.db
    .transaction()
    .execute((trx) =>
      type === 'member' ? stopMails(trx, { userId: id, accountId }, causes) : stopGuestMails(trx, id, causes),
    )
  return found
}
