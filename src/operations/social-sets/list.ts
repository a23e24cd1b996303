import {
  type AskedQuery,
  type HoldShown,
  type Page,
  type PageQuery,
  pageAnswer,
  rowsAsked,
  type SocialSet,
} from '#contract'
import { countSocialSets, type Database, listSocialSetRows, type SocialSetRow } from '#persistence'
import type { Caller } from '../caller.ts'

/**
 * A page of the social sets that the caller may see, by name.
 *
 * @throws ProblemError `request:invalid_query`
 */
export async function listSocialSets(
  { db }: { db: Database },
  caller: Caller,
  query: AskedQuery<PageQuery>,
): Promise<Page<SocialSet>> {
  const page = rowsAsked(query.read())
  const rows = await listSocialSetRows(db, caller, page)
  const counted = await countSocialSets(db, caller)
  return pageAnswer(rows.map(socialSetAnswer), page, counted)
}

/** A social set in an answer. */
export function socialSetAnswer({
  id,
  name,
  color,
  fit,
  timezone,
  createdAt,
  hold,
  accounts,
}: SocialSetRow): SocialSet {
  return {
    id,
    name,
    color,
    fit,
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
