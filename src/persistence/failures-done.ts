import { sql } from 'kysely'
import type { AccountType } from '#contract'
import { type Database, now } from './database.ts'

/** Whether something of a set has failed, and all of that is marked as done. */
export async function areFailuresDone(db: Database, postSetId: string): Promise<boolean> {
  const { rows } = await sql<{ done: boolean | null }>`
    select bool_and(done_at is not null) as done from post_failures where post_set_id = ${postSetId}`.execute(db)
  return rows[0]?.done === true
}

/**
 * What failed of a set is fixed in a copy, and so is what was to be fixed in that set: once it is live, nothing has to be done about it.
 * The last copy counts.
 */
export async function noteCopyOfFailures(trx: Database, { of, copyId }: { of: string; copyId: string }): Promise<void> {
  await trx
    .updateTable('post_failures')
    .set({ copy_id: copyId })
    .where((row) => row.or([row('post_set_id', '=', of), row('copy_id', '=', of)]))
    // A thread of another network that ended early is not in it.
    .where('account_type', 'in', (posts) =>
      posts.selectFrom('posts').select('posts.account_type').where('posts.post_set_id', '=', copyId),
    )
    .execute()
}

/**
 * Marks what failed of a set, and was not retried, as done, or as what needs people again. Answers where the mark is another one
 * than before, in no order; null when nothing of the set has failed. The caller holds the row of the set.
 */
export async function setFailuresDone(
  trx: Database,
  { postSetId, done }: { postSetId: string; done: boolean },
): Promise<AccountType[] | null> {
  const { rows } = await sql<{ failed: boolean; changed: AccountType[] }>`
    with changed as (
      update post_failures set done_at = ${done ? now : sql`null`}
      where post_set_id = ${postSetId} and (done_at is null) = ${done}::boolean
      returning account_type
    )
    select exists (select from post_failures where post_set_id = ${postSetId}) as failed,
      (select coalesce(json_agg(account_type), '[]') from changed) as changed`.execute(trx)
  const [row] = rows
  return row?.failed ? row.changed : null
}
