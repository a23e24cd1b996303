import { type RawBuilder, type Selectable, sql } from 'kysely'
import { FENCED, listed } from './delivery-states.ts'
import type { Tables } from './tables.ts'

/** A fence as its worker has read it. */
export type FenceRead = Pick<Selectable<Tables['deliveries']>, 'first_fenced_at' | 'doubted_fence_at'>

/** The time of its first fence was written by a clock that was wrong, and no one knows by how much. */
export const isFenceDoubted = ({ first_fenced_at: first, doubted_fence_at: doubted }: FenceRead): boolean =>
  first !== null && first.getTime() === doubted?.getTime()

/** What is so far ahead of the clock was written before it was set back. */
export const AHEAD = sql`interval '5 seconds'`

/** More than the rounding of its time on the way, and less than a clock is set back by before fences move. */
const SAME_FENCE = sql`interval '1 second'`

/**
 * The first fence is where its worker has read it, and not ahead of the clock. When the clock is set back, fences move, those in the hands of a
 * worker perhaps later: a look that is under way meanwhile began in the wrong place, and proves nothing. What a call has answered counts all the same.
 */
export const isFenceAsRead = (first: RawBuilder<unknown>, doubted: RawBuilder<unknown>) => sql<boolean>`(
  coalesce(deliveries.first_fenced_at, 'epoch') - coalesce(${first}, 'epoch') between -${SAME_FENCE} and ${SAME_FENCE}
  and coalesce(deliveries.doubted_fence_at = deliveries.first_fenced_at, false) = ${doubted}
  and (coalesce(deliveries.first_fenced_at, 'epoch') <= almanac_now() + ${AHEAD} or deliveries.state in ${listed(FENCED)}))`

/** Of steps that many take in one statement. */
export const FENCE_READ = sql`first_read timestamptz, doubt_read boolean`
export const readFence = (row: FenceRead) => ({ first_read: row.first_fenced_at, doubt_read: isFenceDoubted(row) })
export const isStepFenceAsRead = isFenceAsRead(sql`step.first_read`, sql`step.doubt_read`)
