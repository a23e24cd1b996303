import { type Why, type WhyCode, why } from '#contract'
import { isId } from '#domain'
import { type AccountRow, type Database, findAccount, ownsSocialSet } from '#persistence'

/**
 * Something that was asked for cannot be done. The message is a sentence for a person: the operator, whose command shows it, and
 * where members meet it as well, with an id by which the dashboard translates it.
 */
export class Refusal extends Error {
  override name = 'Refusal'
  /** Null: of the operator's command alone, or in the words of a network. */
  readonly why: Why | null

  constructor(said: string | Why) {
    super(typeof said === 'string' ? said : said.message)
    this.why = typeof said === 'string' ? null : said
  }
}

/** A refusal that members can get too. */
export function refusal(code: WhyCode, values: Readonly<Record<string, string>> = {}): Refusal {
  return new Refusal(why(code, values))
}

/**
 * The account with that id.
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
