import { sql } from 'kysely'
import type { PostResult } from '#contract'
import type { Database } from './database.ts'
import type { StoredPart } from './delivery-parts.ts'
import { raiseVersions } from './raise-versions.ts'

/** How it ended that a part was looked for. */
export interface PartLookEnd {
  /** The delivery. */
  id: string
  postSetId: string
  /** What is known by now; null: nothing more than before. */
  known: { parts: StoredPart[]; result: Pick<PostResult, 'thread' | 'stories' | 'warnings'> } | null
}

/**
 * Stores that nothing is looked for any more, in one transaction, with what came of it in their results. Answers how many results have
 * changed. Of what has ended meanwhile nothing changes.
 */
export async function endPartLooks(db: Database, ends: readonly PartLookEnd[]): Promise<number> {
  if (ends.length === 0) return 0
  const sets = ends.map(({ postSetId }) => postSetId)
  const given = ends.map(({ id, known }) => ({ id, parts: known?.parts ?? null, result: known?.result ?? null }))
  return db.transaction().execute(async (trx) => {
    // The sets before their deliveries, as everywhere.
    await sql`select from post_sets where id = any(${sets}::uuid[]) order by id for update`.execute(trx)
    const { rows } = await sql<{ postSetId: string; changed: boolean }>`
      update deliveries
      set part_looks = null, handles = '{}', updated_at = almanac_now(), parts = coalesce(given.parts, deliveries.parts),
        result = case when given.result is null then deliveries.result
          else deliveries.result - 'warnings' || given.result end
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (id uuid, parts jsonb, result jsonb)
      where deliveries.id = given.id and part_looks is not null
      returning post_set_id as "postSetId", given.result is not null as changed`.execute(trx)
    const changed = rows.filter((row) => row.changed).map(({ postSetId }) => postSetId)
    await raiseVersions(trx, [...new Set(changed)])
    return changed.length
  })
}
