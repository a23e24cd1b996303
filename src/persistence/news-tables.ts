import type { Generated } from 'kysely'
import type {
  AccountType,
  ActorType,
  NewsCause,
  NewsChoice,
  NewsKind,
  PLAN_PERCENTS,
  PlanResource,
  Reason,
} from '#contract'
import type { GeneratedJson } from './people-tables.ts'

/** What there is to say of news besides the ids, by kind. */
export interface NewsFacts {
  /** Of what failed: as the result of the post, or why the connection ended. */
  reason?: Reason
  message?: string
  /** What a person wrote. */
  words?: string
  /** Of a comment: for members alone. */
  inner?: boolean
  /** Users. Null: those who may, by their role. */
  asked?: readonly string[] | null
  /** Of a request for approval: users who can give it. Others get nothing; absent: no one is left out. */
  reviewers?: readonly string[]
  concerned?: readonly string[]
  mentioned?: readonly string[]
  guestIds?: readonly string[]
  /** Before the time of the post set. */
  hours?: number
  /** That a guest added. */
  note?: { id: string; scheduledAt: string }
  /** Of APPROVED: the approval was taken back. */
  takenBack?: boolean
  endsAt?: string
  calendar?: { id: string; name: string }
  plan?: { resource: PlanResource; percent: (typeof PLAN_PERCENTS)[number] }
}

/** `MAIL`: at once. `DAILY`: with the others of the day. */
export type NewsWay = 'RECEIVER' | 'MAIL' | 'DAILY'

/** src/news/README.md has the states. */
export interface NewsTables {
  news: {
    id: string
    account_id: string
    /** Null: of the whole account. */
    social_set_id: string | null
    kind: NewsKind
    subject: string
    once: string | null
    actor_type: ActorType | null
    actor_id: string | null
    actor_name: string | null
    account_type: AccountType | null
    connection_id: string | null
    post_set_id: string | null
    post_id: string | null
    comment_id: string | null
    facts: GeneratedJson<NewsFacts>
    created_at: Generated<Date>
    addressed_at: Date | null
  }
  news_sends: {
    id: string
    news_id: string
    account_id: string
    way: NewsWay
    user_id: string | null
    guest_id: string | null
    cause: NewsCause | null
    state: Generated<'WAITING' | 'SENT' | 'GIVEN_UP'>
    attempts: Generated<number>
    next_at: Date
    ends_at: Date
    error: string | null
    ended_at: Date | null
  }
  bell_items: {
    id: string
    user_id: string
    account_id: string
    social_set_id: string | null
    cause: NewsCause
    subject: string
    news_id: string
    count: Generated<number>
    at: Date
    read_at: Date | null
  }
  news_choices: {
    user_id: string
    account_id: string
    social_set_id: string | null
    cause: NewsCause
    choice: NewsChoice
  }
  news_stops: { guest_id: string; cause: NewsCause }
}
