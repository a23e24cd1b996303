import { sql } from 'kysely'
import type { NewsCause, Preferences } from '#contract'
import { type Database, fromSettled, inTransaction, now, settledNow } from './database.ts'
import { startIsHeld } from './held-start.ts'
import { MEMBER_CHOICES, type NewsChosen } from './news-audience.ts'
import { NEWS_COLUMNS, NEWS_JOINS, type NewsRow, readNewsRow, type StoredNewsRow } from './news-rows.ts'
import { executePrepared } from './statements.ts'

/** A send that this process has taken. `attempts` counts this one. */
export interface TakenSend {
  id: string
  attempts: number
  /** As what a person gets it; null for the receiver. */
  cause: NewsCause | null
  news: NewsRow
}

/** A member who gets a mail, as of now. */
export interface NewsReader {
  id: string
  name: string
  email: string
  /** Null: all social sets of the account. */
  socialSetIds: string[] | null
  preferences: Partial<Preferences>
  choices: NewsChosen[]
}

/** A mail that this process has taken: everything that goes to one person about one account. */
export interface TakenMail {
  accountId: string
  way: 'MAIL' | 'DAILY'
  /** Null: no longer a member, or a guest. */
  reader: NewsReader | null
  /** Null: a member. */
  guestId: string | null
  sends: TakenSend[]
}

/** Sends that one mail takes along. */
const MAIL_LIMIT = 2_000

/** Takes sends to the receiver that are due, those due longest first; another worker may take them after `leaseMs`. */
export async function takeReceiverSends(
  db: Database,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<TakenSend[]> {
  const taking = sql<{ id: string }>`
    update news_sends set attempts = attempts + 1, next_at = ${fromSettled(leaseMs)}
    where id = any(array(
      select id from news_sends where state = 'WAITING' and way = 'RECEIVER' and next_at <= ${settledNow}
        and not ${startIsHeld}
      order by next_at, news_id limit ${limit} for update skip locked))
    returning id`
  return readSends(db, (await executePrepared(db, taking)).rows)
}

/** Whether a mail is due, also one that still waits for a pause. */
export async function hasDueMail(db: Database): Promise<boolean> {
  const some = sql`
    select from news_sends where state = 'WAITING' and way <> 'RECEIVER' and next_at <= ${settledNow} limit 1`
  return (await executePrepared(db, some)).rows.length > 0
}

const PERSON = sql`coalesce(send.user_id, send.guest_id)`

/**
 * Takes the mail that is due longest, with everything that waits for the same person and account to go the same way, and is
 * not being sent or tried again later. What was mailed to the person within `pauseMs` under one of the causes `paused` waits.
 * Null when none is due. One process at a time, so that no mail is torn in two.
 */
export async function takeMail(
  db: Database,
  { leaseMs, pauseMs, paused }: { leaseMs: number; pauseMs: number; paused: readonly NewsCause[] },
): Promise<TakenMail | null> {
  // What is under way, or to be tried again, counts as mailed: it may be.
  const isPaused = sql<boolean>`(
    send.way = 'MAIL' and send.cause = any(${[...paused]}::text[]) and exists (
      select from news_sends other
      where coalesce(other.user_id, other.guest_id) = ${PERSON} and other.cause = send.cause
        and other.account_id = send.account_id and other.way = 'MAIL' and (
          (other.state = 'SENT' and other.ended_at > ${fromSettled(-pauseMs)})
          or (other.state = 'WAITING' and other.attempts > 0 and other.next_at > ${settledNow}))))`
  const taken = await inTransaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('almanac news mails', 0))`.execute(trx)
    // Behind the lock, in a statement of its own: it sees what the one before has taken.
    const { rows } = await sql<{
      id: string
      userId: string | null
      guestId: string | null
      accountId: string
      way: 'MAIL' | 'DAILY'
    }>`
      with first as (
        select ${PERSON} as person, send.account_id, send.way from news_sends send
        where send.state = 'WAITING' and send.way <> 'RECEIVER' and send.next_at <= ${settledNow}
          and not ${startIsHeld} and not ${isPaused}
        order by send.next_at, send.news_id limit 1
      ), mine as (
        select send.id from first
        join news_sends send on ${PERSON} = first.person and send.account_id = first.account_id
          and send.way = first.way and send.state = 'WAITING'
        where (send.next_at <= ${settledNow} or (send.way = 'MAIL' and send.attempts = 0)) and not ${isPaused}
        order by send.news_id limit ${MAIL_LIMIT}
      )
      update news_sends set attempts = attempts + 1, next_at = ${fromSettled(leaseMs)}
      from mine where news_sends.id = mine.id
      returning news_sends.id, user_id as "userId", guest_id as "guestId", account_id as "accountId", way`.execute(trx)
    return rows
  })
  const [first] = taken
  if (!first) return null
  const { accountId, way, userId, guestId } = first
  const reader = userId === null ? null : await findReader(db, userId, accountId)
  return { accountId, way, reader, guestId, sends: await readSends(db, taken) }
}

async function findReader(db: Database, userId: string, accountId: string): Promise<NewsReader | null> {
  const { rows } = await sql<NewsReader>`
    select users.id, users.name, users.email, memberships.social_set_ids as "socialSetIds", users.preferences,
      ${MEMBER_CHOICES} as choices
    from memberships join users on users.id = memberships.user_id
    where memberships.user_id = ${userId} and memberships.account_id = ${accountId}`.execute(db)
  return rows[0] ?? null
}

async function readSends(db: Database, taken: readonly { id: string }[]): Promise<TakenSend[]> {
  if (taken.length === 0) return []
  const { rows } = await sql<StoredNewsRow & { sendId: string; attempts: number; cause: NewsCause | null }>`
    select send.id as "sendId", send.attempts, send.cause, ${NEWS_COLUMNS}
    from news_sends send join news on news.id = send.news_id ${NEWS_JOINS}
    where send.id = any(${taken.map(({ id }) => id)}::uuid[])
    order by news.created_at, news.id`.execute(db)
  return rows.map(({ sendId, attempts, cause, ...news }) => ({ id: sendId, attempts, cause, news: readNewsRow(news) }))
}

/** The sends arrived. */
export async function markSent(db: Database, ids: readonly string[]): Promise<void> {
  await endSends(db, ids, { state: 'SENT', error: null })
}

/** The sends will never be made, because no one is there to get them. That is no fault, so it has no error. */
export async function dropSends(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await endSends(db, ids, { state: 'GIVEN_UP', error: null })
}

/** The sends will never be made, because they are refused for good. */
export async function giveUpSends(db: Database, ids: readonly string[], error: string): Promise<void> {
  await endSends(db, ids, { state: 'GIVEN_UP', error })
}

async function endSends(
  db: Database,
  ids: readonly string[],
  end: { state: 'SENT' | 'GIVEN_UP'; error: string | null },
): Promise<void> {
  await db
    .updateTable('news_sends')
    .set({ ...end, ended_at: now })
    .where('id', 'in', ids)
    .where('state', '=', 'WAITING')
    .execute()
}

/**
 * The sends did not arrive: they are due again in `pauseMs`, or given up when that is too late. Resolves with how many
 * were given up.
 */
export async function postponeSends(
  db: Database,
  ids: readonly string[],
  { error, pauseMs }: { error: string; pauseMs: number },
): Promise<number> {
  const inTime = sql<boolean>`ends_at > ${fromSettled(pauseMs)}`
  const { rows } = await sql<{ state: string }>`
    update news_sends set error = ${error}, next_at = ${fromSettled(pauseMs)},
      state = case when ${inTime} then 'WAITING' else 'GIVEN_UP' end,
      ended_at = case when ${inTime} then null else ${settledNow} end
    where id = any(${[...ids]}::uuid[]) and state = 'WAITING'
    returning state`.execute(db)
  return rows.filter(({ state }) => state === 'GIVEN_UP').length
}

/** Gives up, in one batch, what is due and was not sent in time. Resolves with how many. */
export async function giveUpLateSends(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    update news_sends set state = 'GIVEN_UP', ended_at = ${settledNow}, error = coalesce(error, 'No worker was running.')
    where id = any(array(
      select id from news_sends where state = 'WAITING' and next_at <= ${settledNow} and ends_at <= ${settledNow}
      order by next_at limit 1000 for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Sends that failed lately and are not mended, with the last reason. */
export interface NewsFaults {
  receiver: { waiting: number; givenUp: number; error: string | null }
  mail: { waiting: number; givenUp: number; error: string | null }
}

/** What went wrong with sends of the last two days, for the operator. */
export async function readNewsFaults(db: Database): Promise<NewsFaults> {
  const { rows } = await sql<{ toReceiver: boolean; waiting: number; givenUp: number; error: string | null }>`
    select way = 'RECEIVER' as "toReceiver",
      count(*) filter (where state = 'WAITING') as waiting,
      count(*) filter (where state = 'GIVEN_UP') as "givenUp",
      (array_agg(error order by next_at desc))[1] as error
    from news_sends
    where state <> 'SENT' and error is not null and ends_at > ${settledNow} - interval '1 day'
    group by way = 'RECEIVER'`.execute(db)
  const of = (receiver: boolean) => {
    const { waiting = 0, givenUp = 0, error = null } = rows.find(({ toReceiver }) => toReceiver === receiver) ?? {}
    return { waiting, givenUp, error }
  }
  return { receiver: of(true), mail: of(false) }
}
