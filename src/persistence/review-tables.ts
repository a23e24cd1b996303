import type { ColumnType, Generated } from 'kysely'
import type { ActorType, CommentAudience, ReviewDecision, ReviewStep } from '#contract'

/** Reviews of post sets, and what is written about them. */
export interface ReviewTables {
  /** A trigger of `history` writes it. */
  review_requests: {
    post_set_id: string
    sequence: number
    asked_at: Date
    asked_by_type: ActorType
    asked_by_id: string | null
    asked_by_name: string
    author_id: string | null
    content_sequence: number | null
    content_by: string | null
  }
  review_decisions: {
    post_set_id: string
    sequence: number
    social_set_id: string
    decision: ReviewDecision
    step: ReviewStep
    actor_type: ActorType
    actor_id: string | null
    content_version: number
    decided_at: Date
    latest: boolean
  }
  review_reminders: { post_set_id: string; hours: number; scheduled_at: Date }
  /** `comments.ts` alone may know it. */
  comments: {
    id: string
    account_id: string
    social_set_id: string
    post_set_id: string
    audience: ColumnType<CommentAudience, CommentAudience, never>
    author_type: 'USER' | 'REVIEWER'
    author_id: string
    author_name: string
    link_name: string | null
    /** Of a guest; null of what was written before that was kept. */
    shared_calendar_id: string | null
    text: string
    mentions: Generated<string[]>
    created_at: Generated<Date>
    edited_at: Date | null
    resolved_at: Date | null
    resolved_by_name: string | null
  }
}
