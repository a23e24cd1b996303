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
import { Refusal } from '../refusal.ts'

/**
 * Locks a post set: programs cannot change it any more, but it publishes on time. Nothing happens when it is locked.
 *
 * @throws Refusal
 */
export async function lockPostSet(deps: { db: Database }, id: string, actor: Actor): Promise<void> {
  await changePostSet(deps.db, id, async (trx, set) => {
    if (set.locked) return
    await markLocked(trx, set.id, actor.name)
    await addHistory(trx, [{ accountId: set.accountId, postSetId: set.id, actor, action: 'locked' }])
  })
}

/**
 * Takes the lock of a post set away. Nothing happens when it is not locked.
 *
 * @throws Refusal
 */
export async function unlockPostSet(deps: { db: Database }, id: string, actor: Actor): Promise<void> {
  await changePostSet(deps.db, id, async (trx, set) => {
    if (!set.locked) return
    await markLocked(trx, set.id, null)
    await addHistory(trx, [{ accountId: set.accountId, postSetId: set.id, actor, action: 'unlocked' }])
  })
}

/** Does something to a set whose row is held. */
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
