import type { AskedQuery, HashtagGroups, SocialSetQuery } from '#contract'
import { type Database, listHashtagGroups as readGroups } from '#persistence'
import { readPlacedQuery } from '../asked.ts'
import type { Caller } from '../caller.ts'
import { answerHashtagGroup } from './serialize.ts'

/**
 * The groups of hashtags of a social set, by name.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function listHashtagGroups(
  { db }: { db: Database },
  caller: Caller,
  query: AskedQuery<SocialSetQuery>,
): Promise<HashtagGroups> {
  const { socialSet } = await readPlacedQuery(db, caller, query)
  return { data: (await readGroups(db, socialSet.id)).map(answerHashtagGroup) }
}
