import { ProblemError } from '#contract'
import { isId } from '#domain'
import { type Database, findSocialSet, type SocialSetPlace } from '#persistence'
import type { Caller } from '../caller.ts'

/**
 * The social set of that id, when the caller may see it.
 *
 * @throws ProblemError `social-set:not_found` for one that is absent, another account's or outside of what is seen
 */
export async function requireSocialSet(db: Database, caller: Caller, id: string): Promise<SocialSetPlace> {
  const found = isId(id) ? await findSocialSet(db, caller, id) : null
  if (!found) throw new ProblemError('social-set:not_found', 'There is no social set of this id.')
  return found
}
