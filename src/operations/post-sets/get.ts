import { type PostSet, ProblemError } from '#contract'
import { isId } from '#domain'
import { type Database, findPostSet, type PostSetRow, type Visible } from '#persistence'
import type { Caller } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
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
  return postSetAnswer(await requirePostSet(db, caller, id), urls, new Date())
}

/** @throws ProblemError `post-set:not_found` */
export async function requirePostSet(db: Database, visible: Visible, id: string): Promise<PostSetRow> {
  const found = isId(id) ? await findPostSet(db, visible, id) : null
  if (!found) throw postSetNotFound()
  return found
}

export function postSetNotFound(): ProblemError {
  return new ProblemError('post-set:not_found', 'No post set has this id.')
}
