import { type PostSet, ProblemError } from '#contract'
import { isId } from '#domain'
import { findPostSet } from '#persistence'
import type { Caller } from '../caller.ts'
import type { PostSetDeps } from './deps.ts'
import { postSetAnswer } from './serialize.ts'

/**
 * A post set with the results of its posts.
 *
 * @throws ProblemError `post-set:not_found`
 */
export async function getPostSet(
  { db, urls }: Pick<PostSetDeps, 'db' | 'urls'>,
  caller: Caller,
  id: string,
): Promise<PostSet> {
  const row = isId(id) ? await findPostSet(db, caller, id) : null
  if (!row) throw postSetNotFound()
  return postSetAnswer(row, urls, new Date())
}

export function postSetNotFound(): ProblemError {
  return new ProblemError('post-set:not_found', 'No post set has this id.')
}
