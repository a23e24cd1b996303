import { sql } from 'kysely'
import type { Approval, PostSetStatus } from '#contract'
import { type Database, now } from './database.ts'

/** What the product marks a post set with, beside its content. */
export interface MarkedPostSet {
  id: string
  accountId: string
  socialSetId: string
  status: PostSetStatus
  approval: Approval
  /** Since when and by whom it is locked; null when it is not. */
  lock: { at: Date; by: string } | null
}

/** A post set by its id alone, for the operator; its row stays locked until the transaction ends. */
export async function lockMarkedPostSet(trx: Database, id: string): Promise<MarkedPostSet | null> {
  const row = await trx
    .selectFrom('post_sets')
    .select([
      'id',
      'account_id as accountId',
      'social_set_id as socialSetId',
      'status',
      'approval',
      'locked_at as lockedAt',
      'locked_by as lockedBy',
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return null
  const { lockedAt, lockedBy, ...set } = row
  return { ...set, lock: lockedAt ? { at: lockedAt, by: lockedBy ?? '' } : null }
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

/** Locks a set, now or at the time when it was locked before, or takes the lock away. The caller holds its row. */
export async function markLocked(
  trx: Database,
  id: string,
  lock: { by: string; at: Date | null } | null,
): Promise<void> {
  await trx
    .updateTable('post_sets')
    .set({
      locked_at: lock ? (lock.at ?? now) : null,
      locked_by: lock?.by ?? null,
      version: sql<number>`version + 1`,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
}

/** Puts labels on a set and takes others off. The caller holds the set's row, and has seen which it carries. */
export async function markLabels(
  trx: Database,
  id: string,
  { added, removed }: { added: readonly string[]; removed: readonly string[] },
): Promise<void> {
  if (added.length > 0) {
    await trx
      .insertInto('post_set_labels')
      .values(added.map((labelId) => ({ post_set_id: id, label_id: labelId })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  if (removed.length > 0) {
    await trx
      .deleteFrom('post_set_labels')
      .where('post_set_id', '=', id)
      .where('label_id', 'in', [...removed])
      .execute()
  }
  await trx
    .updateTable('post_sets')
    .set({ version: sql<number>`version + 1`, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Ids of the labels that a set carries. */
export async function labelsOfPostSet(db: Database, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('post_set_labels')
    .innerJoin('labels', 'labels.id', 'label_id')
    .select('label_id')
    .where('post_set_id', '=', id)
    .where('removed_by', 'is', null)
    .execute()
  return rows.map((row) => row.label_id)
}
