import { sql } from 'kysely'
import type { Database } from './database.ts'
import { raiseVersions } from './raise-versions.ts'

/** How it ended that a post waited for its cover. */
export interface CoverEnd {
  /** The delivery. */
  id: string
  postSetId: string
  /** Why the cover is missing; null when it is set. */
  warning: { code: string; message: string } | null
}

/**
 * Stores that these wait no more, in one transaction, with the warnings among those of their results. Answers how many did wait. Of
 * what has ended meanwhile nothing changes.
 */
export async function endCovers(db: Database, ends: readonly CoverEnd[]): Promise<number> {
  if (ends.length === 0) return 0
  const sets = ends.map(({ postSetId }) => postSetId)
  return db.transaction().execute(async (trx) => {
    // The sets before their deliveries, as everywhere.
    await sql`select from post_sets where id = any(${sets}::uuid[]) order by id for update`.execute(trx)
    const { rows } = await sql<{ postSetId: string; warned: boolean }>`
      update deliveries
      set cover_looks = null, updated_at = almanac_now(),
        result = case when given.warning is null then result
          else jsonb_set(result, '{warnings}', coalesce(result -> 'warnings', '[]') || given.warning) end
      from jsonb_to_recordset(${JSON.stringify(ends)}::jsonb) as given (id uuid, warning jsonb)
      where deliveries.id = given.id and cover_looks is not null
      returning post_set_id as "postSetId", given.warning is not null as warned`.execute(trx)
    await raiseVersions(trx, [...new Set(rows.flatMap(({ postSetId, warned }) => (warned ? [postSetId] : [])))])
    return rows.length
  })
}
