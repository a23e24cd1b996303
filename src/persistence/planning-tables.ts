import type { ColumnType, Generated } from 'kysely'

/** What helps members to plan and write, besides the posts themselves. */
export interface PlanningTables {
  hashtag_groups: {
    id: string
    account_id: string
    social_set_id: string
    name: string
    tags: string[]
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  kept_drafts: {
    account_id: string
    user_id: string
    id: string
    social_set_id: string
    post_set_id: string | null
    sequence: number
    based_on_version: number | null
    excerpt: string
    content: ColumnType<Record<string, unknown> | null, string | null, string | null>
    updated_at: Generated<Date>
    writer: string | null
    saved_sequence: number | null
    opened_at: Date | null
  }
}
