import { isId } from '#domain'
import { type AccountRow, type Database, findAccount, ownsSocialSet } from '#persistence'

/** Something that the operator asked for cannot be done. The message is a sentence for a person. */
export class Refusal extends Error {
  override name = 'Refusal'
}

/**
 * The account of that id.
 *
 * @throws Refusal
 */
export async function accountOrRefusal(
  db: Database,
  id: string,
  options: { lock: boolean } = { lock: false },
): Promise<AccountRow> {
  const account = isId(id) ? await findAccount(db, id, options) : null
  if (!account) throw new Refusal(`There is no account ${id}.`)
  return account
}

/** @throws Refusal when the account has no social set of that id. */
export async function refuseUnknownSocialSet(
  db: Database,
  place: { accountId: string; socialSetId: string },
): Promise<void> {
  await accountOrRefusal(db, place.accountId)
  if (isId(place.socialSetId) && (await ownsSocialSet(db, place.accountId, place.socialSetId))) return
  throw new Refusal(`The account has no social set ${place.socialSetId}.`)
}

/** Control characters, ends of lines, and those that turn the text behind them round. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/**
 * Marks of direction and joiners are no such characters: names of right-to-left scripts and joined emoji need them.
 *
 * @throws Refusal for characters that neither lists nor terminals should show, and halves of characters
 */
export function refuseUnprintable(text: string, what: string): void {
  if (text.isWellFormed() && !UNPRINTABLE.test(text)) return
  throw new Refusal(
    `${what} must not have line breaks or invisible control characters. If you have pasted it, type it instead.`,
  )
}
