import { readUnsubscribeToken, type Unsubscribing } from '#domain'
import { type Database, findPreferences, stopGuestMails, stopMails } from '#persistence'

export interface UnsubscribeDeps {
  db: Database
  /** Of which one has signed a link. */
  unsubscribeKeys: readonly Buffer[]
}

/** What a link in a mail ends, with the language of its reader (BCP 47; null: not known); null when it is none of ours. */
export async function lookAtUnsubscribing(
  { db, unsubscribeKeys }: UnsubscribeDeps,
  token: string,
): Promise<(Unsubscribing & { locale: string | null }) | null> {
  const found = readUnsubscribeToken(unsubscribeKeys, token)
  if (!found) return null
  const { locale = null } = found.type === 'member' ? await findPreferences(db, found.id) : {}
  return { ...found, locale }
}

/** Ends the mails that a link in one of them is about, without a sign-in; doing it again changes nothing. Null as above. */
export async function unsubscribe(
  deps: UnsubscribeDeps,
  token: string,
): Promise<(Unsubscribing & { locale: string | null }) | null> {
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
