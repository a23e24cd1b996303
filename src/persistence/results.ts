import { type RawBuilder, sql } from 'kysely'
import {
  type AccountType,
  type ConnectionStatus,
  type FormOfPost,
  LIMITS,
  type MediaType,
  type PostResult,
  type PostSetStatus,
  type ResultGroup,
} from '#contract'
import type { DeliveryState } from '#domain'
import { formed, pictured } from './calendar.ts'
import { type Database, now } from './database.ts'
import { type BrokenThread, type StoredPart, threadLeftBy } from './delivery-parts.ts'
import { lastDelivery } from './post-set-deliveries.ts'
import { lastResult } from './post-sets.ts'
import type { SmallPicture } from './small-pictures.ts'
import { type Visible, visibleSets } from './visible.ts'
import { firstTextOfPosts } from './whole-text.ts'

/** Where a page of results begins: behind this set. */
export interface ResultPlace {
  scheduledAt: Date
  id: string
}

export interface ResultFilters {
  /** Null: all that are visible. */
  socialSetId: string | null
  /** Scheduled so many days ago at the most. Null: no matter. */
  days: number | null
  /** Of what failed: there. Else: with a post there. Null: no matter. */
  accountTypes: readonly AccountType[] | null
}

const ofSet = (column: string, { after, days }: { after: ResultPlace | null; days: number | null }) => {
  const time = sql.ref('scheduled_at')
  const conditions = [sql`${time} <= ${now} + interval '1 day'`]
  if (days !== null) conditions.push(sql`${time} >= ${now} - make_interval(days => ${days}::integer)`)
  if (after) conditions.push(sql`(${time}, ${sql.ref(column)}) < (${after.scheduledAt}, ${after.id}::uuid)`)
  return sql.join(conditions, sql` and `)
}

const hasPostOn = (accountTypes: readonly AccountType[] | null) =>
  accountTypes === null
    ? sql`true`
    : sql`exists (
        select from posts where post_set_id = post_sets.id and account_type = any(${[...accountTypes]}::text[]))`

const failedOn = (accountTypes: readonly AccountType[] | null) =>
  accountTypes === null ? sql`true` : sql`account_type = any(${[...accountTypes]}::text[])`

/**
 * Asked of one set at a time, by its index, no matter what the statistics say of these tables: not as a join with all that is
 * open.
 */
const failedNow = sql`exists (select from post_failures where post_failures.post_set_id = post_sets.id offset 0)`
const needsPeople = sql`exists (
  select from post_failures where post_failures.post_set_id = post_sets.id and done_at is null offset 0)`
const underWay = sql`exists (
  select from deliveries where deliveries.post_set_id = post_sets.id and deliveries.state <> 'DONE' offset 0)`

/** By the few rows of an index of their own. */
const ofInbox = sql`exists (
  select from deliveries where deliveries.post_set_id = post_sets.id and deliveries.result ->> 'delivery' is not null offset 0)`

/**
 * The sets of a group within one social set, `brand`, newest first: `id`, `scheduled_at`. Of each, one index gives those of a
 * page in their order.
 */
function setsOfGroup(
  group: ResultGroup,
  visible: Visible,
  { days, accountTypes }: ResultFilters,
  { after, limit }: { after: ResultPlace | null; limit: number },
): RawBuilder<unknown> {
  const newest = sql`order by scheduled_at desc, id desc limit ${limit}`
  switch (group) {
    case 'needs-you':
      return sql`
        select distinct scheduled_at, post_set_id as id from post_failures
        where social_set_id = brand.id and ${ofSet('post_set_id', { after, days })} and done_at is null
          and ${failedOn(accountTypes)}
        ${newest}`
    case 'not-confirmed':
      return sql`
        select scheduled_at, id from post_sets
        where social_set_id = brand.id and ${ofSet('id', { after, days })} and not ${needsPeople}
          and ${hasPostOn(accountTypes)} and id in (
            select post_set_id from deliveries where finished_at is null and account_id = ${visible.accountId})
        ${newest}`
    case 'inbox':
      return sql`
        select scheduled_at, id from post_sets
        where social_set_id = brand.id and status = 'PUBLISHED' and ${ofSet('id', { after, days })} and not ${needsPeople}
          and ${hasPostOn(accountTypes)} and not ${underWay} and id in (
            select post_set_id from deliveries where result ->> 'delivery' is not null and account_id = ${visible.accountId})
        ${newest}`
    case 'published':
      return sql`
        select scheduled_at, id from post_sets
        where social_set_id = brand.id and status = 'PUBLISHED' and ${ofSet('id', { after, days })} and not ${failedNow}
          and not ${ofInbox}
          and ${hasPostOn(accountTypes)} and not ${underWay}
        ${newest}`
    case 'done':
      return sql`
        select scheduled_at, id from post_sets
        where social_set_id = brand.id and ${ofSet('id', { after, days })} and not ${needsPeople} and not ${underWay}
          and not ${ofInbox} and id in (
            select post_set_id from post_failures
            where social_set_id = brand.id and done_at is not null and ${failedOn(accountTypes)})
        ${newest}`
  }
}

/** The sets of a page of a group, newest first. */
export function resultPageQuery(
  visible: Visible,
  group: ResultGroup,
  filters: ResultFilters,
  page: { after: ResultPlace | null; limit: number },
): RawBuilder<{ id: string; scheduledAt: Date }> {
  return sql`
    select page.id, page.scheduled_at as "scheduledAt"
    from (${visibleSets(visible, filters.socialSetId)}) as brand,
      lateral (${setsOfGroup(group, visible, filters, page)}) as page
    order by page.scheduled_at desc, page.id desc limit ${page.limit}`
}

export async function pageOfResults(
  db: Database,
  ...query: Parameters<typeof resultPageQuery>
): Promise<{ id: string; scheduledAt: Date }[]> {
  return (await resultPageQuery(...query).execute(db)).rows
}

/** How many sets a group has: exact up to `LIMITS.exactTotal`, then one more. */
export async function countResults(
  db: Database,
  visible: Visible,
  group: ResultGroup,
  filters: ResultFilters,
): Promise<number> {
  const limit = LIMITS.exactTotal + 1
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from (${visibleSets(visible, filters.socialSetId)}) as brand,
        lateral (${setsOfGroup(group, visible, filters, { after: null, limit })}) as page limit ${limit}
    ) as counted`.execute(db)
  return rows[0]?.count ?? 0
}

/** One post of a set: its last delivery, and what a retry would go through. */
export interface ResultPostRow {
  postId: string
  accountType: AccountType
  /** Null: it has not begun. */
  deliveryId: string | null
  state: DeliveryState | null
  retries: number
  attempts: number
  nextAt: Date | null
  /** It waits for a later time, and no worker has it in hand. */
  pausing: boolean
  message: string | null
  /** The last one that is known, also while the post is sent again. */
  result: PostResult | null
  /** Of the last delivery, which failed: nothing of the post is live for certain. */
  surelyAbsent: boolean
  connectionId: string | null
  connectionName: string | null
  /** The open connection of the account type, whichever the delivery went through. */
  open: { id: string; status: ConnectionStatus } | null
  /** Of the last delivery: where a thread that is live has ended early; null: it has not. */
  thread: BrokenThread | null
  /** It goes on with a thread. */
  isContinued: boolean
  /** Of what failed: the set in which it is fixed, and whether it failed there, too. Null: there is none, or it was deleted. */
  copy: { id: string; status: PostSetStatus; scheduledAt: Date; failed: boolean } | null
  /** The open connection leads to the account that the last delivery went to. */
  isSameAccount: boolean
  sentAt: Date | null
  endedAt: Date | null
}

/** A set with the outcome of its posts. */
export interface ResultRow {
  id: string
  socialSetId: string
  timezone: string
  scheduledAt: Date
  status: PostSetStatus
  version: number
  labelsId: string[]
  caption: string
  /** Library item of the first picture; null when no item has one. */
  picture: SmallPicture | null
  mediaType: MediaType | null
  mediaCount: number
  forms: FormOfPost[]
  /** When a post of it failed last, of those that no one has retried or marked as done. */
  failedAt: Date | null
  posts: ResultPostRow[]
}

/** The same as the database answers it. */
type ResultPostInJson = InJson<Omit<ResultPostRow, 'thread' | 'copy'>> & {
  parts: StoredPart[]
  copy: (Omit<NonNullable<ResultPostRow['copy']>, 'scheduledAt'> & { scheduledAt: string }) | null
}

type InJson<T> = { [K in keyof T]: T[K] extends Date | null ? string | null : T[K] }

/** The outcome of sets, in one query; in no order. The caller has made sure that they are visible. */
export async function readResults(
  db: Database,
  ids: readonly string[],
  { captionCodePoints }: { captionCodePoints: number },
): Promise<ResultRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Omit<ResultRow, 'posts'> & { posts: ResultPostInJson[] }>`
    select post_set.id, post_set.social_set_id as "socialSetId", social_set.timezone,
      post_set.scheduled_at as "scheduledAt", post_set.status, post_set.version,
      coalesce((
        select json_agg(label_id order by label_id) from post_set_labels join labels on labels.id = label_id
        where post_set_id = post_set.id and removed_by is null
      ), '[]') as "labelsId",
      coalesce(shown.caption, '') as caption, pictured.picture,
      pictured.type as "mediaType", coalesce(pictured.count, 0)::integer as "mediaCount",
      coalesce(formed.posts, '[]') as forms,
      (
        select max(failed_at) from post_failures where post_failures.post_set_id = post_set.id and done_at is null
      ) as "failedAt",
      coalesce(shown.posts, '[]') as posts
    from post_sets post_set join social_sets social_set on social_set.id = post_set.social_set_id
    left join lateral (
      select ${firstTextOfPosts(captionCodePoints)} as caption,
        json_agg(json_build_object(
          'postId', post.id, 'accountType', post.account_type,
          'deliveryId', delivery.id, 'state', delivery.state, 'retries', coalesce(delivery.retry, 0),
          'attempts', coalesce(delivery.attempts, 0), 'nextAt', delivery.next_at,
          'pausing', coalesce(delivery.next_at > ${now} and (
            delivery.lease_until is null or delivery.lease_until <= ${now}), false),
          'message', delivery.last_message, 'result', ${sql.raw(lastResult)},
          'surelyAbsent', coalesce(delivery.surely_absent, delivery.first_fenced_at is null),
          'connectionId', coalesce(delivery.connection_id, open.id),
          'connectionName', (select name from connections where id = coalesce(delivery.connection_id, open.id)),
          'open', case when open.id is not null then json_build_object('id', open.id, 'status', open.status) end,
          'parts', coalesce(delivery.parts, '[]'), 'isContinued', delivery.continues is not null,
          'isSameAccount', coalesce(open.identity_id = delivery.identity_id, false),
          'copy', (
            select json_build_object('id', copy.id, 'status', copy.status, 'scheduledAt', copy.scheduled_at, 'failed', exists (
              select from post_failures again join deliveries tried on tried.id = again.delivery_id
              where again.post_set_id = copy.id and again.account_type = post.account_type
                and tried.result ->> 'status' = 'FAILED'))
            from post_failures failed join post_sets copy on copy.id = failed.copy_id where failed.delivery_id = delivery.id),
          'sentAt', delivery.first_fenced_at, 'endedAt', delivery.finished_at
        ) order by post.position) as posts
      from posts post left join lateral ${lastDelivery} as delivery on true
      left join connections open on open.social_set_id = post_set.social_set_id
        and open.account_type = post.account_type and open.closed_at is null
      where post.post_set_id = post_set.id
    ) as shown on true
    left join lateral ${pictured} as pictured on true
    left join lateral ${formed} as formed on true
    where post_set.id = any(${[...ids]}::uuid[])`.execute(db)
  return rows.map((row) => ({ ...row, posts: row.posts.map(datesOf) }))
}

function datesOf({ parts, copy: made, ...post }: ResultPostInJson): ResultPostRow {
  const date = (text: string | null) => (text === null ? null : new Date(text))
  const [nextAt, sentAt, endedAt] = [date(post.nextAt), date(post.sentAt), date(post.endedAt)]
  const { state, result } = post
  const thread = threadLeftBy({ state, result, parts, sentAt })
  const copy = made && { ...made, scheduledAt: new Date(made.scheduledAt) }
  return { ...post, nextAt, sentAt, endedAt, thread, copy }
}
