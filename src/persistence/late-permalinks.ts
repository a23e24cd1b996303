import { sql } from 'kysely'
import { type Database, settledNow } from './database.ts'
import type { DeliveryRow } from './deliveries.ts'
import { startIsHeld } from './held-start.ts'
import { raiseVersions } from './raise-versions.ts'
import { executePrepared } from './statements.ts'

/** What is older is left as it is: no one waits for it, and an upgrade does not ask for all that was ever published. */
const LONGEST = sql`interval '1 day'`

/**
 * Takes posts that are live, have an id and no address yet, and whose next look is due, oldest first. What is taken counts as
 * looked at, so that no other process takes it, and the end of this one costs a look at the most. Not what went out through a
 * connection that is closed.
 *
 * @param pausesMs when the looks are, since the end of the delivery
 */
export async function claimPermalinkLooks(
  db: Database,
  { limit, pausesMs }: { limit: number; pausesMs: readonly number[] },
): Promise<DeliveryRow[]> {
  const pauses = sql`${[...pausesMs]}::int[]`
  const claim = sql<DeliveryRow>`
    with due as materialized (
      select id from deliveries
      where state = 'DONE' and permalink_looks < 3 and result ->> 'providerId' is not null
        and result ->> 'permalink' is null
        and finished_at > ${settledNow} - ${LONGEST}
        and finished_at <= ${settledNow} - (${pauses})[permalink_looks + 1] * interval '1 millisecond'
        and exists (select from connections where connections.id = connection_id and closed_at is null)
        and not ${startIsHeld}
      order by finished_at limit ${limit} for update skip locked
    )
    update deliveries set permalink_looks = permalink_looks + 1 from due where deliveries.id = due.id
    returning deliveries.*`
  return (await executePrepared(db, claim)).rows
}

/** An address that a network has by now. */
export interface FoundPermalink {
  /** The delivery. */
  id: string
  postSetId: string
  providerId: string
  permalink: string
}

/**
 * Adds addresses to the results of posts that have none, in one transaction. Left out is what has one, or another result, meanwhile.
 * Answers how many it added.
 */
export async function storePermalinks(db: Database, found: readonly FoundPermalink[]): Promise<number> {
  if (found.length === 0) return 0
  const sets = found.map(({ postSetId }) => postSetId)
  return db.transaction().execute(async (trx) => {
    // The sets before their deliveries, as everywhere.
    await sql`select from post_sets where id = any(${sets}::uuid[]) order by id for update`.execute(trx)
    const { rows } = await sql<{ postSetId: string }>`
      update deliveries
      set result = result || jsonb_build_object('permalink', given.permalink), updated_at = almanac_now()
      from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as given (id uuid, "providerId" text, permalink text)
      where deliveries.id = given.id and result ->> 'providerId' = given."providerId" and result ->> 'permalink' is null
      returning post_set_id as "postSetId"`.execute(trx)
    await raiseVersions(trx, [...new Set(rows.map(({ postSetId }) => postSetId))])
    return rows.length
  })
}
