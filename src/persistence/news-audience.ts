import { sql } from 'kysely'
import type { NewsCause, NewsChoice, NewsKind, Role } from '#contract'
import { newId } from '#domain'
import type { NewsFacts, NewsWay } from './columns.ts'
import { type Database, now, settledNow } from './database.ts'
import { executePrepared } from './statements.ts'

/** News of which is not decided yet who gets them. */
export interface FreshNews {
  id: string
  accountId: string
  socialSetId: string | null
  kind: NewsKind
  subject: string
  actorId: string | null
  postSetId: string | null
  facts: NewsFacts
  createdAt: Date
}

/** A member who may get news, with what the member has chosen. */
export interface NewsMember {
  userId: string
  accountId: string
  role: Role
  /** Null: all social sets of the account. */
  socialSetIds: string[] | null
  /** IANA name: the member's own, or that of the first social set; null: neither is there. */
  timezone: string | null
  choices: NewsChosen[]
}

export interface NewsChosen {
  /** Null: for all social sets. */
  socialSetId: string | null
  cause: NewsCause
  choice: NewsChoice
}

/** Whether there are news that are not addressed. */
export async function hasFreshNews(db: Database): Promise<boolean> {
  return (await executePrepared(db, sql`select from news where addressed_at is null limit 1`)).rows.length > 0
}

/**
 * Takes the oldest news that are not addressed, with the time by the database's clock. None while another process is at it: it
 * addresses these too.
 */
export async function takeFreshNews(trx: Database, limit: number): Promise<{ now: Date; news: FreshNews[] }> {
  const lock = await sql<{ mine: boolean; now: Date }>`
    select pg_try_advisory_xact_lock(hashtextextended('almanac news', 0)) as mine, ${settledNow} as now`.execute(trx)
  const [{ mine, now: time } = { mine: false, now: new Date(0) }] = lock.rows
  if (!mine) return { now: time, news: [] }
  // In a statement of its own, behind the lock: it sees what the process before has addressed.
  const { rows } = await sql<FreshNews>`
    select id, account_id as "accountId", social_set_id as "socialSetId", kind, subject, actor_id as "actorId",
      post_set_id as "postSetId", facts, created_at as "createdAt"
    from news where addressed_at is null order by created_at, id limit ${limit}`.execute(trx)
  return { now: time, news: rows }
}

/** The zone in which a member gets the mail of the day, as an expression: by the rows `users` and `memberships`. */
export const MEMBER_ZONE = sql<string | null>`
  coalesce(users.preferences ->> 'timezone', (
    select timezone from social_sets
    where account_id = memberships.account_id
      and (memberships.social_set_ids is null or id = any(memberships.social_set_ids))
    order by id limit 1))`

/** What a member has chosen in an account, as an expression: by the row `memberships`. */
export const MEMBER_CHOICES = sql<NewsChosen[]>`
  coalesce((
    select json_agg(json_build_object('socialSetId', social_set_id, 'cause', cause, 'choice', choice))
    from news_choices
    where news_choices.user_id = memberships.user_id and news_choices.account_id = memberships.account_id), '[]')`

/** The members of accounts. */
export async function readNewsMembers(trx: Database, accountIds: readonly string[]): Promise<NewsMember[]> {
  const { rows } = await sql<NewsMember>`
    select memberships.user_id as "userId", memberships.account_id as "accountId", memberships.role,
      memberships.social_set_ids as "socialSetIds", ${MEMBER_ZONE} as timezone, ${MEMBER_CHOICES} as choices
    from memberships join users on users.id = memberships.user_id
    where memberships.account_id = any(${[...new Set(accountIds)]}::uuid[])
    order by memberships.user_id`.execute(trx)
  return rows
}

/** Who created each post set and who last scheduled it; behind an API key is who created the key. */
export async function readAuthors(trx: Database, postSetIds: readonly string[]): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ postSetId: string; userIds: (string | null)[] }>`
    select entry.post_set_id as "postSetId",
      array_agg(coalesce(key.created_by, case entry.actor_type when 'USER' then entry.actor_id::uuid end)) as "userIds"
    from history entry left join api_keys key on entry.actor_type = 'API_KEY' and key.id::text = entry.actor_id
    where entry.post_set_id = any(${[...new Set(postSetIds)]}::uuid[]) and entry.actor_type in ('USER', 'API_KEY') and (
      entry.action = 'created' or entry.sequence = (
        select max(sequence) from history where post_set_id = entry.post_set_id and action = 'scheduled'))
    group by entry.post_set_id`.execute(trx)
  return new Map(rows.map(({ postSetId, userIds }) => [postSetId, new Set(userIds.flatMap((userId) => userId ?? []))]))
}

/** A line for the bell of a member. */
export interface NewBellItem {
  userId: string
  accountId: string
  socialSetId: string | null
  cause: NewsCause
  subject: string
  newsId: string
  count: number
  at: Date
}

/** Lines for bells, each member, cause and subject once; those that are there and not read grow. */
export async function putBellItems(trx: Database, items: readonly NewBellItem[]): Promise<void> {
  if (items.length === 0) return
  await trx
    .insertInto('bell_items')
    .values(
      items.map((item) => ({
        ...{ id: newId(), user_id: item.userId, account_id: item.accountId, social_set_id: item.socialSetId },
        ...{ cause: item.cause, subject: item.subject, news_id: item.newsId, count: item.count, at: item.at },
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'account_id', 'cause', 'subject'])
        .where('read_at', 'is', null)
        .doUpdateSet(({ ref }) => ({
          count: sql<number>`bell_items.count + ${ref('excluded.count')}`,
          news_id: ref('excluded.news_id'),
          at: ref('excluded.at'),
        })),
    )
    .execute()
}

/** News on their way to the receiver, to a member or to a guest. */
export interface NewSend {
  newsId: string
  accountId: string
  way: NewsWay
  userId: string | null
  guestId: string | null
  cause: NewsCause | null
  nextAt: Date
  endsAt: Date
}

export async function insertSends(trx: Database, sends: readonly NewSend[]): Promise<void> {
  if (sends.length === 0) return
  const rows = sends.map((send) => ({ ...send, id: newId() }))
  await sql`
    insert into news_sends (id, news_id, account_id, way, user_id, guest_id, cause, next_at, ends_at)
    select id, "newsId", "accountId", way, "userId", "guestId", cause, "nextAt", "endsAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (
      id uuid, "newsId" uuid, "accountId" uuid, way text, "userId" uuid, "guestId" uuid, cause text,
      "nextAt" timestamptz, "endsAt" timestamptz)`.execute(trx)
}

export async function markAddressed(trx: Database, ids: readonly string[]): Promise<void> {
  await trx.updateTable('news').set({ addressed_at: now }).where('id', 'in', ids).execute()
}
