import { type RawBuilder, sql } from 'kysely'
import type { DeliveryState } from '#domain'

export { BEFORE_FENCE, FENCED, isBeforeFence, isBegun, LOOKED_UP, NEXT_BEHIND_POST, NOT_BEGUN } from '#domain'

/** States as a list in SQL, written out: a partial index serves only what is known when the query is planned. */
export const listed = (states: readonly DeliveryState[]): RawBuilder<unknown> =>
  sql`(${sql.join(states.map((state) => sql.lit(state)))})`

/**
 * Said by statements that mean all open deliveries: by it PostgreSQL knows their index (migration 0025). A statement about
 * one delivery must not say it.
 */
export const unfinished = sql`deliveries.finished_at is null`
