import { sql } from 'kysely'
import { type Database, settledNow } from './database.ts'
import { type DeliveryRow, isDeliveryHeld } from './deliveries.ts'
import { startIsHeld } from './held-start.ts'
import { raiseVersions } from './raise-versions.ts'

/** Between two looks, also where several are due: behind a hold, or after a time without a worker. */
const APART = sql`interval '1 minute'`

/**
 * Takes posts that are live, wait for their cover, and whose next look is due, oldest first. What is taken counts as looked at, so that
 * no other process takes it, and the end of this one costs a look at the most. What is held waits for the release.
 *
 * @param pausesMs when the looks are, since the end of the delivery
 */
export async function claimCoverLooks(
  db: Database,
  { limit, pausesMs }: { limit: number; pausesMs: readonly number[] },
): Promise<DeliveryRow[]> {
  const pauses = sql`${[...pausesMs]}::int[]`
  const { rows } = await sql<DeliveryRow>`
    with due as materialized (
      select id from deliveries
      where cover_looks is not null and state = 'DONE'
        and finished_at <= ${settledNow} - (${pauses})[cover_looks + 1] * interval '1 millisecond'
        and updated_at <= ${settledNow} - ${APART}
        and not ${startIsHeld} and not ${isDeliveryHeld}
      order by finished_at limit ${limit} for update skip locked
    )
    update deliveries set cover_looks = cover_looks + 1, updated_at = almanac_now() from due where deliveries.id = due.id
    returning deliveries.*`.execute(db)
  return rows
}

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
