import { sql } from 'kysely'
import type { PostResult } from '#contract'
import type { Database } from './database.ts'
import type { DeliveryRow } from './deliveries.ts'
import { type Actor, addHistory } from './history.ts'
import { addInboxNews } from './news.ts'
import { raiseVersions } from './raise-versions.ts'
import { isTaken } from './twins.ts'

/** How it ended that a post waited in an inbox. */
interface InboxEnd {
  /** The delivery. */
  id: string
  postSetId: string
  /** What takes the place of `delivery`: of a post that was finished its id and address, as far as they are known; else a warning. */
  end:
    | { kind: 'published'; providerId: string | null; permalink: string | null }
    | { kind: 'ended'; warning: { code: string; message: string } }
}

/**
 * Stores that a post waits no more, with its row of history, in one transaction. False when it did not wait any more: then nothing
 * changes.
 */
async function storeInboxEnd(db: Database, of: InboxEnd, actor: Actor): Promise<boolean> {
  const { id, postSetId, end: came } = of
  const named = came.kind === 'published' ? came : { providerId: null, permalink: null }
  const known = JSON.stringify({
    ...(named.providerId === null ? {} : { providerId: named.providerId }),
    ...(named.permalink === null ? {} : { permalink: named.permalink }),
  })
  const changed =
    came.kind === 'published'
      ? sql`(result - 'delivery') || ${known}::jsonb`
      : sql`result || jsonb_build_object('delivery', 'INBOX_ENDED',
          'warnings', coalesce(result -> 'warnings', '[]') || ${JSON.stringify(came.warning)}::jsonb)`
  return db.transaction().execute(async (trx) => {
    // The sets before their deliveries, as everywhere.
    const locked = await sql<{ accountId: string }>`
      select account_id as "accountId" from post_sets where id = ${postSetId}::uuid for update`.execute(trx)
    const [set] = locked.rows
    if (!set) return false
    const { rows } = await sql<{ postId: string; accountType: DeliveryRow['account_type']; result: PostResult }>`
      update deliveries
      set inbox_id = null, inbox_looks = null, updated_at = almanac_now(), result = ${changed},
        provider_id = coalesce(${named.providerId}, provider_id)
      where id = ${id}::uuid and inbox_id is not null
      returning post_id as "postId", account_type as "accountType", result`.execute(trx)
    const [row] = rows
    if (!row) return false
    await raiseVersions(trx, [postSetId])
    const action = came.kind === 'published' ? 'post published' : 'post not finished'
    await addHistory(trx, [{ accountId: set.accountId, postSetId, actor, action, changes: row }])
    if (came.kind === 'ended') await addInboxNews(trx, 'INBOX_ENDED', [id])
    return true
  })
}

/** The same, where the id that is named may be the result of another delivery: then it is published, and not known as which. */
export async function endInbox(db: Database, of: InboxEnd, actor: Actor): Promise<boolean> {
  try {
    return await storeInboxEnd(db, of, actor)
  } catch (error) {
    if (!isTaken(error)) throw error
    return storeInboxEnd(db, { ...of, end: { kind: 'published', providerId: null, permalink: null } }, actor)
  }
}
