import type { PostSet, Why } from '#contract'
import { type DatabaseTransaction, findPostSet, inTransaction, type PostSetRow } from '#persistence'
import type { Seen } from '../asked.ts'
import type { Caller } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import { postSetAnswer } from './serialize.ts'

/** A post set before and after something was done to it. */
export interface Changed {
  before: PostSetRow
  after: PostSetRow
}

/** What undoing came to. */
export interface Undone extends Changed {
  /** A copy of another brand is gone: `after` is its original where that came back, else the copy as it was. */
  gone?: true
  /** Something that the person should know. */
  message?: Why | null
}

/** What a request says besides what it wants. */
export interface ChangeOptions {
  /** Null: the version does not matter. */
  seen: Seen
}

/** Changes a post set in a transaction and returns its new state. */
export async function changeInTransaction(
  deps: Pick<PostSetDeps, 'db' | 'urls'>,
  work: (trx: DatabaseTransaction) => Promise<Changed>,
): Promise<PostSet> {
  const { after } = await inTransaction(deps.db, work)
  return postSetAnswer(after, deps.urls, new Date())
}

/** The set as it is now and as it was. The caller holds its row. */
export async function changedFrom(trx: DatabaseTransaction, caller: Caller, before: PostSetRow): Promise<Changed> {
  const after = await findPostSet(trx, caller, before.id)
  if (!after) throw new Error('A post set that was just changed is not there.')
  return { before, after }
}
