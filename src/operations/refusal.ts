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
