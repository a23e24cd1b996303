import { type HashtagGroups, readQuery } from '#contract'
import { type Database, listHashtagGroups as readGroups } from '#persistence'
import type { Caller } from '../caller.ts'
import { socialSetOfQuery } from '../social-sets/require.ts'
import { answerHashtagGroup } from './serialize.ts'

/**
 * The groups of hashtags of a social set, by name. `query` is the query string: `socialSetId`.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function listHashtagGroups(
  { db }: { db: Database },
  caller: Caller,
  query: string,
): Promise<HashtagGroups> {
  const reader = readQuery(query)
  const socialSet = await socialSetOfQuery(db, caller, reader)
  reader.finish()
  if (!socialSet) throw new Error('A query that cannot be used was not refused.')
  return { data: (await readGroups(db, socialSet.id)).map(answerHashtagGroup) }
}
