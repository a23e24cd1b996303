import { sql } from 'kysely'
import type { Approval, PostSetStatus } from '#contract'
import { type Database, now } from './database.ts'

/** What the product marks a post set with, beside its content. */
export interface MarkedPostSet {
  id: string
  accountId: string
  status: PostSetStatus
  approval: Approval
  locked: boolean
}

/** A post set by its id alone, for the operator; its row stays locked until the transaction ends. */
export async function lockMarkedPostSet(trx: Database, id: string): Promise<MarkedPostSet | null> {
  const row = await trx
    .selectFrom('post_sets')
    .select(['id', 'account_id as accountId', 'status', 'approval', 'locked_at as lockedAt'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return null
  const { lockedAt, ...set } = row
  return { ...set, locked: lockedAt !== null }
}

/** Writes what a review came to. The caller holds the set's row. */
export async function markReviewed(
  trx: Database,
  id: string,
  review: { approval: Approval; status: PostSetStatus },
): Promise<void> {
  await trx
    .updateTable('post_sets')
    .set({ ...review, version: sql<number>`version + 1`, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Locks a set, or takes the lock away. The caller holds its row. */
export async function markLocked(trx: Database, id: string, by: string | null): Promise<void> {
  await trx
    .updateTable('post_sets')
    .set({ locked_at: by === null ? null : now, locked_by: by, version: sql<number>`version + 1`, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Puts a label on a set, or takes it off. False when nothing changed. The caller holds the set's row. */
export async function markLabel(trx: Database, id: string, labelId: string, wanted: boolean): Promise<boolean> {
  const changed = wanted
    ? await trx
        .insertInto('post_set_labels')
        .values({ post_set_id: id, label_id: labelId })
        .onConflict((conflict) => conflict.doNothing())
        .returning('label_id')
        .executeTakeFirst()
    : await trx
        .deleteFrom('post_set_labels')
        .where('post_set_id', '=', id)
        .where('label_id', '=', labelId)
        .returning('label_id')
        .executeTakeFirst()
  if (!changed) return false
  await trx
    .updateTable('post_sets')
    .set({ version: sql<number>`version + 1`, updated_at: now })
    .where('id', '=', id)
    .execute()
  return true
}
