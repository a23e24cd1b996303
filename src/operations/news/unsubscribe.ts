import { readUnsubscribeToken, type Unsubscribing } from '#domain'
import { findGuestReading, findNamesOfSet, findPreferences, stopGuestMails, stopMails } from '#persistence'
import type { OperationDeps } from '../deps.ts'

type Deps = Pick<OperationDeps, 'db' | 'unsubscribeKeys'>

/** What a link in a mail ends, and for whom. */
export interface FoundUnsubscribing extends Unsubscribing {
  /** Language of the reader (BCP 47); null: not known. */
  locale: string | null
  /** The reader is addressed formally. */
  formal: boolean
  /** Names of a guest's brands; none of a member. */
  brands: string[]
  /** What a member's mail was about, where that was one brand that the member sees. The mails of all brands end. */
  mailOf: { brand: string; account: string } | null
}

/** What an unsubscribe link ends; null if it is not one of ours. */
export async function lookAtUnsubscribing(
  { db, unsubscribeKeys }: Deps,
  token: string,
): Promise<FoundUnsubscribing | null> {
  const found = readUnsubscribeToken(unsubscribeKeys, token)
  if (!found) return null
  const { type, id, accountId, socialSetId } = found
  const unknown = { ...found, locale: null, formal: false, brands: [], mailOf: null }
  if (type === 'guest') return { ...unknown, ...(await findGuestReading(db, id)) }
  const { locale = null } = await findPreferences(db, id)
  const mailOf = socialSetId === undefined ? null : await findNamesOfSet(db, { userId: id, accountId, socialSetId })
  return { ...unknown, locale, mailOf }
}

/**
 * Stops the mails that an unsubscribe link is about, without a sign-in; repeating it changes nothing. Null as above.
 */
export async function unsubscribe(deps: Deps, token: string): Promise<FoundUnsubscribing | null> {
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
