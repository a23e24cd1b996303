import { type RawBuilder, sql } from 'kysely'
import type { DeliveryState } from './tables.ts'

/** No network has seen anything of the post yet. */
export const NOT_BEGUN: readonly DeliveryState[] = ['PREPARING', 'READY']

export const isBegun = (state: DeliveryState) => !NOT_BEGUN.includes(state)

/** The next thing that happens to these is a fence, or leads to one: they wait while they are held. */
export const BEFORE_FENCE: readonly DeliveryState[] = [...NOT_BEGUN, 'FOLLOW_UP']

export const isBeforeFence = (state: DeliveryState) => BEFORE_FENCE.includes(state)

/** States as a list in SQL, written out: a partial index serves only what is known when the query is planned. */
export const listed = (states: readonly DeliveryState[]): RawBuilder<unknown> =>
  sql`(${sql.join(states.map((state) => sql.lit(state)))})`
