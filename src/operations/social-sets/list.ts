import { type HoldShown, type Page, pageAnswer, readQuery, type SocialSet } from '#contract'
import { countSocialSets, type Database, listSocialSetRows, type SocialSetRow } from '#persistence'
import type { Caller } from '../caller.ts'

/**
 * A page of the social sets that the caller may see, by name. `query` is the query string: `page`, `size`.
 *
 * @throws ProblemError `request:invalid_query`
 */
export async function listSocialSets(
  { db }: { db: Database },
  caller: Caller,
  query: string,
): Promise<Page<SocialSet>> {
  const reader = readQuery(query)
  const page = reader.page()
  reader.finish()
  const rows = await listSocialSetRows(db, caller, { limit: page.size, offset: (page.page - 1) * page.size })
  const counted = await countSocialSets(db, caller)
  return pageAnswer(rows.map(socialSetAnswer), page, counted)
}

/** A social set as it is answered. */
export function socialSetAnswer({ id, name, timezone, createdAt, hold, accounts }: SocialSetRow): SocialSet {
  return {
    id,
    name,
    timezone,
    createdAt: createdAt.toISOString(),
    hold: holdAnswer(hold),
    accounts: accounts.map((account) => ({
      ...account,
      connectedAt: new Date(account.connectedAt).toISOString(),
      hold: holdAnswer(account.hold),
    })),
  }
}

const holdAnswer = (hold: HoldShown | null) => hold && { ...hold, since: new Date(hold.since).toISOString() }
