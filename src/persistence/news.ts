import { sql } from 'kysely'
import {
  type AccountType,
  type AlertKind,
  NEWS_DAYS,
  NEWS_WORDS,
  type NewsKind,
  type PLAN_PERCENTS,
  type PlanResource,
} from '#contract'
import { newId, reachedPercent } from '#domain'
import type { NewsFacts } from './columns.ts'
import { type Database, databaseNow, inBatches, settledNow } from './database.ts'
import type { Actor } from './history.ts'

/** Rows that a transaction of the removals takes. */
const BATCH = 500
/** Days that a send is kept after it ended. */
export const SEND_DAYS = 7

interface OfPostSet {
  socialSetId: string
  postSetId: string
}

/** Something that happened. Who gets it is decided later, by what each person has chosen (src/news). */
export type News = {
  accountId: string
  /** Who did it and gets none of it; null: Almanac itself. */
  actor: Actor | null
  /** Recorded once: another one with the same text in this account is left out. */
  once?: string
} & (
  | ({
      kind: 'REVIEW_REQUESTED'
      /** Users who are asked by name. Null: those who may review, by their role. */
      asked: readonly string[] | null
      /** Users who can approve it, of those who may. */
      reviewers?: readonly string[]
      guestIds?: readonly string[]
      words?: string | null
    } & OfPostSet)
  | ({
      kind: 'APPROVED' | 'CHANGES_REQUESTED'
      words?: string | null
      /** Of an approval: it was taken back. */
      takenBack?: boolean
      /** Users whom it concerns besides who created the set and who last scheduled it. */
      concerned?: readonly string[]
    } & OfPostSet)
  | ({
      kind: 'COMMENTED'
      commentId: string
      /** For members alone: never to guests. */
      inner: boolean
      words: string
      mentioned?: readonly string[]
      concerned?: readonly string[]
      guestIds?: readonly string[]
    } & OfPostSet)
  | {
      /** A guest added a note: for members alone. */
      kind: 'COMMENTED'
      socialSetId: string
      noteId: string
      scheduledAt: Date
      words: string
    }
  | ({
      kind: 'REVIEW_REMINDER'
      /** So long before its time. */
      hours: number
      asked: readonly string[] | null
      guestIds?: readonly string[]
    } & OfPostSet)
  | ({ kind: 'STILL_WAITING' } & OfPostSet)
  | {
      kind: 'CALENDAR_FAILING'
      socialSetId: string
      calendarId: string
      calendarName: string
      /** In words, without the address of the calendar. */
      reason: string
      concerned?: readonly string[]
    }
  | {
      /** Nothing is sent to an endpoint any more, as everything failed. */
      kind: 'WEBHOOK_FAILING'
      webhookId: string
      /** Of its address, which may hold a secret. */
      host: string
      /** In words: the last failure. */
      reason: string
      concerned?: readonly string[]
    }
  /** An API key ends soon, and its webhooks with it. */
  | { kind: 'KEY_ENDING'; keyId: string; keyName: string; endsAt: Date; concerned?: readonly string[] }
  /** Keys change a post set in turn with what webhooks say of it. */
  | ({ kind: 'WEBHOOK_LOOP'; concerned?: readonly string[] } & OfPostSet)
  | {
      kind: 'CONNECTION_ENDING'
      socialSetId: string
      connectionId: string
      accountType: AccountType
      endsAt: Date
    }
  | {
      kind: 'PLAN_USED'
      resource: PlanResource
      percent: (typeof PLAN_PERCENTS)[number]
    }
)

interface Stored {
  kind: NewsKind
  subject: string
  socialSetId?: string
  postSetId?: string
  connectionId?: string
  accountType?: AccountType
  commentId?: string
  facts: NewsFacts
}

/**
 * Records what happened, in the transaction in which it does: nothing is reported of what is rolled back. One insert, however
 * many.
 */
export async function addNews(trx: Database, news: readonly News[]): Promise<void> {
  if (news.length === 0) return
  const rows = news.map((each) => {
    const { subject, socialSetId, postSetId, connectionId, accountType, commentId, facts } = storedOf(each)
    return {
      ...{ id: newId(), account_id: each.accountId, kind: each.kind, once: each.once, subject, facts },
      ...{ actor_type: each.actor?.type, actor_id: each.actor?.id, actor_name: each.actor?.name },
      ...{ social_set_id: socialSetId, post_set_id: postSetId, connection_id: connectionId },
      ...{ account_type: accountType, comment_id: commentId },
    }
  })
  await sql`
    insert into news (id, account_id, kind, once, subject, facts, actor_type, actor_id, actor_name, social_set_id,
      post_set_id, connection_id, account_type, comment_id)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (
      id uuid, account_id uuid, kind text, once text, subject text, facts jsonb, actor_type text, actor_id text,
      actor_name text, social_set_id uuid, post_set_id uuid, connection_id uuid, account_type text, comment_id uuid)
    on conflict do nothing`.execute(trx)
}

/**
 * Subjects are what is folded: one line in the bell until it is read. What a person did is folded with other things that this
 * person did.
 */
function storedOf(news: News): Stored {
  const by = `${news.actor?.type} ${news.actor?.id}`
  switch (news.kind) {
    case 'REVIEW_REQUESTED': {
      const { kind, socialSetId, postSetId, asked, reviewers, guestIds = [], words } = news
      return {
        kind,
        socialSetId,
        postSetId,
        subject: `review ${socialSetId} ${by}`,
        facts: { asked, ...(reviewers ? { reviewers } : {}), guestIds, ...cut(words) },
      }
    }
    case 'APPROVED':
    case 'CHANGES_REQUESTED': {
      const { kind, socialSetId, postSetId, concerned = [], words, takenBack = false } = news
      const approved = takenBack ? `taken back ${socialSetId} ${by}` : `approved ${socialSetId} ${by}`
      const subject = kind === 'APPROVED' ? approved : `changes ${postSetId} ${by}`
      const facts = { concerned, ...cut(words), ...(takenBack ? { takenBack } : {}) }
      return { kind, socialSetId, postSetId, subject, facts }
    }
    case 'COMMENTED': {
      if ('noteId' in news) return noteOf(news)
      const { kind, socialSetId, postSetId, commentId, inner, mentioned = [], concerned = [], guestIds = [] } = news
      if (inner && guestIds.length > 0) throw new TypeError('An inner comment was meant for guests.')
      const facts = { inner, mentioned, concerned, guestIds, ...cut(news.words) }
      return { kind, socialSetId, postSetId, commentId, subject: `comment ${postSetId}`, facts }
    }
    case 'REVIEW_REMINDER': {
      const { kind, socialSetId, postSetId, asked, guestIds = [], hours } = news
      return { kind, socialSetId, postSetId, subject: `remind ${socialSetId}`, facts: { asked, guestIds, hours } }
    }
    case 'STILL_WAITING': {
      const { kind, socialSetId, postSetId } = news
      return { kind, socialSetId, postSetId, subject: `waiting ${socialSetId}`, facts: {} }
    }
    case 'CALENDAR_FAILING': {
      const { kind, socialSetId, calendarId: id, calendarName: name, reason, concerned = [] } = news
      const facts = { calendar: { id, name }, message: reason, concerned }
      return { kind, socialSetId, subject: `calendar ${id}`, facts }
    }
    case 'WEBHOOK_FAILING': {
      const { kind, webhookId: id, host, reason, concerned = [] } = news
      return { kind, subject: `webhook ${id}`, facts: { webhook: { id, host }, message: reason, concerned } }
    }
    case 'KEY_ENDING': {
      const { kind, keyId: id, keyName: name, endsAt, concerned = [] } = news
      return { kind, subject: `key ${id}`, facts: { key: { id, name }, endsAt: endsAt.toISOString(), concerned } }
    }
    case 'WEBHOOK_LOOP': {
      const { kind, socialSetId, postSetId, concerned = [] } = news
      return { kind, socialSetId, postSetId, subject: `loop ${postSetId}`, facts: { concerned } }
    }
    case 'CONNECTION_ENDING': {
      const { kind, socialSetId, connectionId, accountType, endsAt } = news
      const facts = { endsAt: endsAt.toISOString() }
      return { kind, socialSetId, connectionId, accountType, subject: `connection ${connectionId}`, facts }
    }
    case 'PLAN_USED': {
      const { kind, resource, percent } = news
      return { kind, subject: `plan ${resource}`, facts: { plan: { resource, percent } } }
    }
  }
}

/** What a guest writes stands in the place of a comment: it is forgotten in the same way. */
function noteOf(news: Extract<News, { noteId: string }>): Stored {
  const { kind, socialSetId, noteId: id, scheduledAt, words } = news
  const facts = { note: { id, scheduledAt: scheduledAt.toISOString() }, ...cut(words) }
  return { kind, socialSetId, commentId: id, subject: `note ${socialSetId}`, facts }
}

function cut(words: string | null | undefined): { words?: string } {
  if (!words) return {}
  const points = [...words]
  return { words: points.length <= NEWS_WORDS ? words : `${points.slice(0, NEWS_WORDS - 1).join('')}…` }
}

/** What was said in a comment or a note is shown no longer, because it is deleted or says something else. */
export async function forgetNewsWords(trx: Database, id: string): Promise<void> {
  await sql`update news set facts = facts - 'words' where comment_id = ${id}::uuid`.execute(trx)
}

/**
 * News of what is used of an account's plan, when that has just reached one of `PLAN_PERCENTS`. In the transaction that counts
 * it; once a month for each amount.
 */
export async function addPlanNews(
  trx: Database,
  accountId: string,
  used: readonly { resource: PlanResource; before: number; after: number; limit: number | null }[],
): Promise<void> {
  const reached = used.flatMap(({ resource, ...amounts }) => {
    const percent = reachedPercent(amounts, { bytes: resource !== 'POSTS' })
    return percent === null ? [] : [{ resource, percent }]
  })
  if (reached.length === 0) return
  const month = (await databaseNow(trx)).toISOString().slice(0, 7)
  await addNews(
    trx,
    reached.map(({ resource, percent }) => {
      const once = ['plan', resource, percent, month].join(' ')
      return { kind: 'PLAN_USED', accountId, actor: null, once, resource, percent }
    }),
  )
}

/** News of deliveries that have just failed, or whose posts are not live as a whole, in the transaction that stores their results. */
export async function addDeliveryNews(
  trx: Database,
  kind: AlertKind | 'POST_INCOMPLETE',
  deliveryIds: readonly string[],
): Promise<void> {
  if (deliveryIds.length === 0) return
  const ids = deliveryIds.map(() => newId())
  await sql`
    insert into news
      (id, account_id, social_set_id, kind, subject, account_type, connection_id, post_set_id, post_id, facts)
    select id, account_id, social_set_id, ${kind}, case reason
        when 'ACCOUNT_CONNECTION_EXPIRED' then concat_ws(' ', 'expired', social_set_id, account_type)
        else concat_ws(' ', 'post', social_set_id, account_type, reason) end,
      account_type, connection_id, post_set_id, post_id, jsonb_build_object('reason', reason, 'message', message)
    from (
      select given.id, post_sets.account_id, post_sets.social_set_id, deliveries.account_type, deliveries.connection_id,
        deliveries.post_set_id, deliveries.post_id, coalesce(deliveries.result->>'reason', 'UNKNOWN') as reason,
        coalesce(deliveries.result->>'message', (
          select string_agg(warning->>'message', ' ') from jsonb_array_elements(deliveries.result->'warnings') as warning
          where warning->>'code' = 'post:follow_up_failed'
        ), '') as message
      from unnest(${ids}::uuid[], ${[...deliveryIds]}::uuid[]) as given (id, delivery_id)
      join deliveries on deliveries.id = given.delivery_id
      join post_sets on post_sets.id = deliveries.post_set_id
    ) as failed`.execute(trx)
}

/** News of deliveries whose posts have come into the inbox of their account, or were not finished there, in the transaction that stores it. */
export async function addInboxNews(
  trx: Database,
  kind: 'IN_INBOX' | 'INBOX_ENDED',
  deliveryIds: readonly string[],
): Promise<void> {
  if (deliveryIds.length === 0) return
  const ids = deliveryIds.map(() => newId())
  await sql`
    insert into news
      (id, account_id, social_set_id, kind, subject, account_type, connection_id, post_set_id, post_id, facts)
    select given.id, post_sets.account_id, post_sets.social_set_id, ${kind},
      concat_ws(' ', ${kind}::text, post_sets.social_set_id, deliveries.account_type), deliveries.account_type,
      deliveries.connection_id, deliveries.post_set_id, deliveries.post_id, '{}'
    from unnest(${ids}::uuid[], ${[...deliveryIds]}::uuid[]) as given (id, delivery_id)
    join deliveries on deliveries.id = given.delivery_id
    join post_sets on post_sets.id = deliveries.post_set_id`.execute(trx)
}

/** News of connections that have just died, in the transaction that marks them. */
export async function addConnectionNews(
  trx: Database,
  connectionIds: readonly string[],
  message: string,
): Promise<void> {
  if (connectionIds.length === 0) return
  const ids = connectionIds.map(() => newId())
  const facts = JSON.stringify({ reason: 'ACCOUNT_CONNECTION_EXPIRED', message })
  await sql`
    insert into news (id, account_id, social_set_id, kind, subject, account_type, connection_id, facts)
    select given.id, connections.account_id, connections.social_set_id, 'CONNECTION_DEAD',
      concat_ws(' ', 'connection', connections.id), connections.account_type, connections.id, ${facts}::jsonb
    from unnest(${ids}::uuid[], ${[...connectionIds]}::uuid[]) as given (id, connection_id)
    join connections on connections.id = given.connection_id`.execute(trx)
}

/**
 * Removes old news with what the bell shows of them, and sends that ended a week ago, in batches that are transactions of
 * their own. Resolves with how many news.
 */
export async function purgeNews(
  db: Database,
  { batch = BATCH, signal }: { batch?: number; signal?: AbortSignal } = {},
): Promise<number> {
  await inBatches({ batch, signal }, async () => {
    const { numAffectedRows } = await sql`
      delete from news_sends where id = any(array(
        select id from news_sends where ended_at < ${settledNow} - make_interval(days => ${SEND_DAYS}::integer)
        order by ended_at limit ${batch} for update skip locked))`.execute(db)
    return numAffectedRows
  })
  return inBatches({ batch, signal }, async () => {
    const { numAffectedRows } = await sql`
      delete from news where id = any(array(
        select id from news where created_at < ${settledNow} - make_interval(days => ${NEWS_DAYS}::integer)
        order by created_at limit ${batch} for update skip locked))`.execute(db)
    return numAffectedRows
  })
}
