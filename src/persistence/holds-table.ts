import type { ColumnType } from 'kysely'
import type { ActorType, LateChoice } from '#contract'
import type { HeldStartWhy } from '#domain'

/** Rows of `holds`. Open until `released_at`. */
export interface HoldsTable {
  id: string
  account_id: string
  /** Null: the whole account. */
  social_set_id: string | null
  connection_id: string | null
  reason: string
  held_at: ColumnType<Date, Date | undefined, never>
  held_by_type: ActorType
  held_by_id: string | null
  held_by_name: string
  released_at: Date | null
  released_by_type: ActorType | null
  released_by_id: string | null
  released_by_name: string | null
  late: LateChoice | null
}

/** Rows of `held_starts`. Open until `ended_at`; at most one is. */
export interface HeldStartsTable {
  id: string
  why: HeldStartWhy
  signs: ColumnType<string[], string, never>
  last_ran_at: Date | null
  held_at: ColumnType<Date, Date | undefined, never>
  mailed_at: Date | null
  ended_at: Date | null
  ended_by: string | null
  late: LateChoice | null
}
