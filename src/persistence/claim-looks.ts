import { type RawBuilder, sql } from 'kysely'
import { type Database, settledNow } from './database.ts'
import { type DeliveryRow, isDeliveryHeld } from './deliveries.ts'
import { startIsHeld } from './held-start.ts'
import { executePrepared } from './statements.ts'

/** Between two looks, also where several are due: behind a hold, or after a time without a worker. */
const APART = sql`interval '1 minute'`

interface Waiting {
  /** The column that counts their looks. */
  counts: string
  waits: RawBuilder<boolean>
  /** A hold of publishing keeps them; a start that is held does so for all. */
  obeysHolds: boolean
}

/** Which deliveries wait for something behind their result: for their cover, for a last part that is unsure, in an inbox. */
const WAITING = {
  cover: { counts: 'cover_looks', waits: sql<boolean>`cover_looks is not null`, obeysHolds: true },
  part: { counts: 'part_looks', waits: sql<boolean>`part_looks is not null`, obeysHolds: true },
  // Nothing is sent for it.
  inbox: { counts: 'inbox_looks', waits: sql<boolean>`inbox_id is not null`, obeysHolds: false },
} satisfies Record<string, Waiting>

/**
 * Takes posts that have ended, wait for something behind that, and whose next look is due, oldest first. What is taken counts as looked at,
 * so that no other process takes it, and the end of this one costs a look at the most. What is held waits for the release.
 *
 * @param options.pausesMs when the looks are, since the end of the delivery
 */
export async function claimLooks(
  db: Database,
  waiting: keyof typeof WAITING,
  { limit, pausesMs }: { limit: number; pausesMs: readonly number[] },
): Promise<DeliveryRow[]> {
  const { counts, waits, obeysHolds } = WAITING[waiting]
  const [pauses, looks] = [sql`${[...pausesMs]}::int[]`, sql.ref(counts)]
  const claim = sql<DeliveryRow>`
    with due as materialized (
      select id from deliveries
      where ${waits} and state = 'DONE'
        and finished_at <= ${settledNow} - (${pauses})[${looks} + 1] * interval '1 millisecond'
        and updated_at <= ${settledNow} - ${APART}
        and not ${startIsHeld}${obeysHolds ? sql` and not ${isDeliveryHeld}` : sql``}
      order by finished_at limit ${limit} for update skip locked
    )
    update deliveries set ${looks} = ${looks} + 1, updated_at = almanac_now() from due where deliveries.id = due.id
    returning deliveries.*`
  return (await executePrepared(db, claim)).rows
}
