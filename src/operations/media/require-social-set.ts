import { ProblemError } from '#contract'
import { isId } from '#domain'
import { type Database, ownsSocialSet } from '#persistence'
import { type Caller, maySee } from '../caller.ts'

/** @throws ProblemError `social-set:not_found` for one that is absent, another account's or outside of what is seen. */
export async function requireSocialSet(db: Database, caller: Caller, id: string): Promise<void> {
  if (isId(id) && maySee(caller, id.toLowerCase()) && (await ownsSocialSet(db, caller.accountId, id))) return
  throw new ProblemError('social-set:not_found', 'There is no social set of this id.')
}
