import type { AskedBody, HistoryEvent, PostSet, PostSetLock } from '#contract'
import { isId } from '#domain'
import {
  type Actor,
  addHistory,
  type Database,
  type DatabaseTransaction,
  lockMarkedPostSet,
  type MarkedPostSet,
  markLocked,
} from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import { Refusal } from '../refusal.ts'
import { type Changed, type ChangeOptions, changedFrom, changeInTransaction } from './changed.ts'
import { holdPostSet, requireVersion } from './guards.ts'

/**
 * Locks a post set for the operator: it can no longer be changed, but it publishes on time. Does nothing if it is
 * already locked.
 *
 * @throws Refusal
 */
export async function lockPostSet(deps: { db: Database }, id: string, actor: Actor): Promise<void> {
  await changePostSet(deps.db, id, (trx, set) => setLock(trx, set, { by: actor.name, at: null }, { actor }))
}

/**
 * Unlocks a post set, for the operator. Does nothing if it is not locked.
 *
 * @throws Refusal
 */
export async function unlockPostSet(deps: { db: Database }, id: string, actor: Actor): Promise<void> {
  await changePostSet(deps.db, id, (trx, set) => setLock(trx, set, null, { actor }))
}

/**
 * Locks a post set for a member, or unlocks it: `{ locked, reason? }`. History keeps the reason of a lock.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `post-set:not_found`, `post-set:version_conflict`,
 *   `request:invalid_query`, `request:invalid_body`
 */
export async function putLock(
  deps: PostSetDeps,
  caller: Caller,
  id: string,
  request: ChangeOptions & { body: AskedBody<PostSetLock> },
): Promise<PostSet> {
  return changeInTransaction(deps, (trx) => applyLock(trx, caller, id, request))
}

/** The same in the caller's transaction. */
export async function applyLock(
  trx: DatabaseTransaction,
  caller: Caller,
  id: string,
  { body, seen }: ChangeOptions & { body: AskedBody<PostSetLock> },
): Promise<Changed> {
  requireRight(caller, 'post-sets:lock')
  const before = await holdPostSet(trx, caller, id)
  requireVersion(before, seen)
  const { locked, reason } = body.read()
  const { actor } = caller
  const lock = locked ? { by: actor.name, at: null } : null
  await setLock(trx, await marked(trx, before.id), lock, { actor, reason: reason?.trim() || null })
  return changedFrom(trx, caller, before)
}

/** Sets or removes a lock; does nothing if there is no change. */
export async function setLock(
  trx: DatabaseTransaction,
  set: MarkedPostSet,
  lock: { by: string; at: Date | null } | null,
  { actor, reason = null }: { actor: Actor; reason?: string | null },
): Promise<void> {
  if ((set.lock === null) === (lock === null)) return
  await markLocked(trx, set.id, lock)
  // Who held it since when is what taking the change back needs.
  const event: HistoryEvent = set.lock
    ? { action: 'unlocked', changes: { lock: { by: set.lock.by, at: set.lock.at.toISOString() } } }
    : { action: 'locked', changes: reason ? { reason } : {} }
  await addHistory(trx, [{ accountId: set.accountId, postSetId: set.id, actor, ...event }])
}

/** The marks of a set whose row is locked in the transaction. */
export async function marked(trx: DatabaseTransaction, id: string): Promise<MarkedPostSet> {
  const set = await lockMarkedPostSet(trx, id)
  if (!set) throw new Error('A post set whose row is held is not there.')
  return set
}

/** Changes a set whose row is locked in the transaction, for the operator. */
export async function changePostSet(
  db: Database,
  id: string,
  work: (trx: DatabaseTransaction, set: MarkedPostSet) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const set = isId(id) ? await lockMarkedPostSet(trx, id) : null
    if (!set) throw new Refusal(`There is no post set ${id}.`)
    await work(trx, set)
  })
}
