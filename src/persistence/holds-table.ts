import type { ColumnType } from 'kysely'
import type { ActorType, LateChoice } from '#contract'

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
