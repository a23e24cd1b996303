import { type RawBuilder, sql } from 'kysely'
import type {
  AccountType,
  Approval,
  ApprovalTab,
  Decision,
  FormOfPost,
  MediaType,
  PostSetStatus,
  ReviewStep,
} from '#contract'
import type { BrandRule } from '#domain'
import { formed, pictured } from './calendar.ts'
import { commentsOfSet } from './comments.ts'
import { type Database, now } from './database.ts'
import { canApprove, countsNow, type PersonRow, reviewersLeft } from './reviews.ts'
import type { SmallPicture } from './small-pictures.ts'
import { decisionIn } from './stored-decisions.ts'
import { isVisible, type Visible } from './visible.ts'
import { firstTextOfPosts } from './whole-text.ts'

/** Hours before its time from which a set that waits is urgent. */
const URGENT_HOURS = 24
/** Sets of a brand that are counted at most. */
const MOST_COUNTED = 1_000

/** Where a page begins: behind this set. `at` is what the tab is sorted by. */
interface ApprovalPlace {
  at: Date
  id: string
}

interface ApprovalsWanted {
  userId: string
  /** The member may review: else nothing waits for them. */
  reviews: boolean
  /** The member may approve with a reason what no other reviewer is left for. */
  alone: boolean
  /** Null: all that are visible. */
  socialSetId: string | null
}

const soon = (column: string) =>
  sql<boolean>`${sql.ref(column)} < ${now} + make_interval(hours => ${URGENT_HOURS}::integer)`

/** Words that the indexes of what waits have too. */
const isWritable = sql`post_set.status in ('DRAFT', 'SCHEDULED')`

const behind = (columns: [string, string], after: ApprovalPlace | null, order: '>' | '<') => {
  const [at, id] = columns
  if (!after) return sql`true`
  return sql`(${sql.ref(at)}, ${sql.ref(id)}) ${sql.raw(order)} (${after.at}::timestamptz, ${after.id}::uuid)`
}

/** The sets of a tab within one social set, `brand`, in their order: `id`, `at`. */
function setsOfTab(
  tab: ApprovalTab,
  { userId, reviews, alone }: ApprovalsWanted,
  { after, limit }: { after: ApprovalPlace | null; limit: number },
): RawBuilder<unknown> {
  switch (tab) {
    case 'waiting':
      return sql`
        select post_set.id, post_set.scheduled_at as at
        from post_sets post_set left join review_requests request on request.post_set_id = post_set.id
        where post_set.social_set_id = brand.id and post_set.approval = 'PENDING' and ${isWritable} and ${reviews}
          and ${behind(['post_set.scheduled_at', 'post_set.id'], after, '>')}
          and (${canApprove(sql`${userId}::text`, sql`request.content_by`)}
            ${alone ? sql`or ${reviewersLeft(sql`request.content_by`)} = 0` : sql``})
        order by post_set.scheduled_at, post_set.id limit ${limit}`
    case 'requested':
      return sql`
        select post_set.id, post_set.scheduled_at as at
        from post_sets post_set join review_requests request on request.post_set_id = post_set.id
        where post_set.social_set_id = brand.id and post_set.approval in ('PENDING', 'EXTERNAL_PENDING') and ${isWritable}
          and request.asked_by_type = 'USER' and request.asked_by_id = ${userId}
          and ${behind(['post_set.scheduled_at', 'post_set.id'], after, '>')}
        order by post_set.scheduled_at, post_set.id limit ${limit}`
    case 'decided':
      return sql`
        select decision.post_set_id as id, decision.decided_at as at
        from review_decisions decision
        where decision.social_set_id = brand.id and decision.latest
          and ${behind(['decision.decided_at', 'decision.post_set_id'], after, '<')}
          and exists (select from post_sets where post_sets.id = decision.post_set_id offset 0)
        order by decision.decided_at desc, decision.post_set_id desc limit ${limit}`
  }
}

const brands = (visible: Visible, socialSetId: string | null) => sql`(
  select id from social_sets
  where ${isVisible(visible, { account: 'account_id', socialSet: 'id' })}
    and ${socialSetId === null ? sql`true` : sql`id = ${socialSetId}::uuid`})`

/** The sets of a page of a tab, in its order. */
export function approvalsPageQuery(
  visible: Visible,
  tab: ApprovalTab,
  wanted: ApprovalsWanted,
  page: { after: ApprovalPlace | null; limit: number },
): RawBuilder<ApprovalPlace> {
  const order = tab === 'decided' ? sql`page.at desc, page.id desc` : sql`page.at, page.id`
  return sql<ApprovalPlace>`
    select page.id, page.at from ${brands(visible, wanted.socialSetId)} as brand,
      lateral (${setsOfTab(tab, wanted, page)}) as page
    order by ${order} limit ${page.limit}`
}

export async function pageOfApprovals(
  db: Database,
  ...query: Parameters<typeof approvalsPageQuery>
): Promise<ApprovalPlace[]> {
  return (await approvalsPageQuery(...query).execute(db)).rows
}

interface ApprovalCountRow {
  socialSetId: string
  waiting: number
  urgent: number
  requested: number
}

/** How much waits for a member, and of what the member asked, in each social set that has any of it. */
export function approvalCountsQuery(
  visible: Visible,
  wanted: Omit<ApprovalsWanted, 'socialSetId'>,
): RawBuilder<ApprovalCountRow> {
  const every = { ...wanted, socialSetId: null }
  const some = { after: null, limit: MOST_COUNTED }
  return sql<ApprovalCountRow>`
    select brand.id as "socialSetId", waiting.count as waiting, waiting.urgent, requested.count as requested
    from ${brands(visible, null)} as brand,
      lateral (
        select count(*)::integer as count, (count(*) filter (where ${soon('page.at')}))::integer as urgent
        from (${setsOfTab('waiting', every, some)}) as page
      ) as waiting,
      lateral (select count(*)::integer as count from (${setsOfTab('requested', every, some)}) as page) as requested
    where waiting.count > 0 or requested.count > 0 order by brand.id`
}

export async function countApprovals(
  db: Database,
  ...query: Parameters<typeof approvalCountsQuery>
): Promise<ApprovalCountRow[]> {
  return (await approvalCountsQuery(...query).execute(db)).rows
}

/** A decision as JSON has it. */
export interface DecisionRow {
  decision: Decision
  step: ReviewStep
  by: PersonRow
  /** ISO 8601 with an offset. */
  at: string
  message: string | null
  /** Why an admin approved it for the whole team. */
  reason: string | null
  version: number
  changedSince: boolean
}

/** A post set with its review. */
export interface ApprovalRow {
  id: string
  socialSetId: string
  timezone: string
  scheduledAt: Date
  status: PostSetStatus
  approval: Approval
  version: number
  isLocked: boolean
  /** Less than 24 hours are left, or none. */
  soon: boolean
  labelsId: string[]
  accountTypes: AccountType[]
  /** Beginning of the first caption, one code point longer than asked for when there is more. */
  caption: string
  picture: SmallPicture | null
  mediaType: MediaType | null
  mediaCount: number
  forms: FormOfPost[]
  author: PersonRow | null
  /** User who changed its content last; null when that was a key. */
  changedBy: string | null
  /** Members who can still approve it for the team. */
  reviewersLeft: number
  /** The user's own last change of the content and who has changed it last, when that was another. */
  yourChange: { version: number; changedBy: PersonRow; at: string } | null
  asked: { by: PersonRow; at: string } | null
  /** As it is stored; the plan may have no approvals. */
  rule: BrandRule
  given: { by: PersonRow; at: string }[]
  decision: DecisionRow | null
  yourDecision: DecisionRow | null
  comments: number
}

const decisionOf = (which: RawBuilder<unknown>) => sql`(
  select json_build_object(
    'decision', ${decisionIn(sql`decision.decision`)}, 'step', decision.step, 'at', entry.at, 'message', entry.changes ->> 'message',
    'reason', entry.changes ->> 'reason',
    'by', json_build_object('type', entry.actor_type, 'id', entry.actor_id, 'name', entry.actor_name),
    'version', entry.version, 'changedSince', decision.content_version <> post_set.content_version)
  from review_decisions as decision
    join history entry on entry.post_set_id = decision.post_set_id and entry.sequence = decision.sequence
  where decision.post_set_id = post_set.id and ${which} order by decision.sequence desc limit 1)`

/** Post sets with their reviews, in one query and in no order. The caller has made sure that they are visible. */
export async function readApprovals(
  db: Database,
  ids: readonly string[],
  { userId, captionCodePoints }: { userId: string; captionCodePoints: number },
): Promise<ApprovalRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ApprovalRow>`
    select post_set.id, post_set.social_set_id as "socialSetId", social_set.timezone,
      post_set.scheduled_at as "scheduledAt", post_set.status, post_set.approval, post_set.version,
      post_set.locked_at is not null as "isLocked", ${soon('post_set.scheduled_at')} as soon,
      coalesce((
        select json_agg(label_id order by label_id) from post_set_labels join labels on labels.id = label_id
        where post_set_id = post_set.id and removed_by is null
      ), '[]') as "labelsId",
      coalesce(shown.types, '[]') as "accountTypes", coalesce(shown.caption, '') as caption,
      pictured.picture, pictured.type as "mediaType", coalesce(pictured.count, 0)::integer as "mediaCount",
      coalesce(formed.posts, '[]') as forms,
      (
        select json_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) from history
        where post_set_id = post_set.id order by sequence limit 1
      ) as author,
      case when request.post_set_id is not null then json_build_object('at', request.asked_at, 'by', json_build_object(
        'type', request.asked_by_type, 'id', request.asked_by_id, 'name', request.asked_by_name)) end as asked,
      json_build_object('rule', social_set.approval_rule, 'reviewers', social_set.approval_reviewers) as rule,
      content.user_id as "changedBy", ${reviewersLeft(sql`content.user_id`)} as "reviewersLeft",
      case when content.user_id is distinct from ${userId} then (
        select json_build_object('version', coalesce(yours.version, 1), 'at', last.at, 'changedBy', json_build_object(
          'type', last.actor_type, 'id', last.actor_id, 'name', last.actor_name))
        from history yours, history last
        where yours.post_set_id = post_set.id and yours.actor_type = 'USER' and yours.actor_id = ${userId}
          and almanac_changes_content(yours.action, coalesce(yours.outline, yours.changes))
          and last.post_set_id = post_set.id and last.sequence = content.sequence
        order by yours.sequence desc limit 1
      ) end as "yourChange",
      coalesce((
        select json_agg(json_build_object('at', entry.at, 'by', json_build_object(
          'type', entry.actor_type, 'id', entry.actor_id, 'name', entry.actor_name)) order by decision.sequence)
        from review_decisions as decision
          join history entry on entry.post_set_id = decision.post_set_id and entry.sequence = decision.sequence
        where decision.post_set_id = post_set.id and ${countsNow}
      ), '[]') as given,
      ${decisionOf(sql`decision.latest`)} as decision,
      ${decisionOf(sql`decision.actor_type = 'USER' and decision.actor_id = ${userId}`)} as "yourDecision",
      ${commentsOfSet} as comments
    from post_sets post_set join social_sets social_set on social_set.id = post_set.social_set_id
    left join review_requests request on request.post_set_id = post_set.id
    left join lateral almanac_content_changed(post_set.id) as content on true
    left join lateral (
      select ${firstTextOfPosts(captionCodePoints)} as caption,
        json_agg(post.account_type order by post.position) as types
      from posts post where post.post_set_id = post_set.id
    ) as shown on true
    left join lateral ${pictured} as pictured on true
    left join lateral ${formed} as formed on true
    where post_set.id = any(${[...ids]}::uuid[])`.execute(db)
  return rows
}
