import { sql } from 'kysely'
import type { AccountType, AlertKind, Reason } from '#contract'
import { ALERT_HOURS, isFresh } from './alerts.ts'
import { type Database, fromNow, inTransaction, now } from './database.ts'

/** An alert with the names that are read when it is sent. */
export interface AlertRow {
  id: string
  kind: AlertKind
  createdAt: Date
  accountId: string
  accountName: string
  socialSetId: string
  socialSetName: string
  timezone: string
  accountType: AccountType
  connection: { id: string; name: string } | null
  postSet: { id: string; scheduledAt: Date } | null
  postId: string | null
  reason: Reason
  message: string
}

/** A send that this process has taken. `attempts` counts this one. */
export interface TakenSend {
  id: string
  attempts: number
  alert: AlertRow
}

export interface AlertedPerson {
  name: string
  email: string
  /** Null: all social sets of the account. */
  socialSetIds: string[] | null
}

/** A mail that this process has taken: everything that goes to one person about one account. */
export interface TakenMail {
  /** Null: no longer a member. */
  person: AlertedPerson | null
  sends: TakenSend[]
}

/** Sends that one mail takes along. */
const MAIL_LIMIT = 2_000

/** Takes sends to the receiver that are due, those due longest first; another worker may take them after `leaseMs`. */
export async function takeReceiverSends(
  db: Database,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<TakenSend[]> {
  const { rows } = await sql<{ id: string }>`
    update alert_sends set attempts = attempts + 1, next_at = ${fromNow(leaseMs)}
    where id = any(array(
      select id from alert_sends where state = 'WAITING' and user_id is null and next_at <= ${now}
      order by next_at, alert_id limit ${limit} for update skip locked))
    returning id`.execute(db)
  return readSends(db, rows)
}

/**
 * Takes the mail that is due longest, with everything that waits for the same person and account and is not being sent or
 * tried again later. Null when none is due. One process at a time, so that no mail is torn in two.
 */
export async function takeMail(db: Database, { leaseMs }: { leaseMs: number }): Promise<TakenMail | null> {
  const taken = await inTransaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('almanac alert mails', 0))`.execute(trx)
    // Behind the lock, in a statement of its own: it sees what the one before has taken.
    const { rows } = await sql<{ id: string; userId: string; accountId: string }>`
      with first as (
        select send.user_id, alerts.account_id from alert_sends send join alerts on alerts.id = send.alert_id
        where send.state = 'WAITING' and send.user_id is not null and send.next_at <= ${now}
        order by send.next_at, send.alert_id limit 1
      ), mine as (
        select send.id, first.account_id from first
        join alert_sends send on send.user_id = first.user_id and send.state = 'WAITING'
        join alerts on alerts.id = send.alert_id and alerts.account_id = first.account_id
        where send.attempts = 0 or send.next_at <= ${now}
        order by send.alert_id limit ${MAIL_LIMIT}
      )
      update alert_sends set attempts = attempts + 1, next_at = ${fromNow(leaseMs)}
      from mine where alert_sends.id = mine.id
      returning alert_sends.id, alert_sends.user_id as "userId", mine.account_id as "accountId"`.execute(trx)
    return rows
  })
  const [first] = taken
  if (!first) return null
  return { person: await findPerson(db, first), sends: await readSends(db, taken) }
}

async function findPerson(
  db: Database,
  { userId, accountId }: { userId: string; accountId: string },
): Promise<AlertedPerson | null> {
  const row = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.name', 'users.email', 'memberships.social_set_ids as socialSetIds'])
    .where('memberships.user_id', '=', userId)
    .where('memberships.account_id', '=', accountId)
    .executeTakeFirst()
  return row ?? null
}

async function readSends(db: Database, taken: readonly { id: string }[]): Promise<TakenSend[]> {
  if (taken.length === 0) return []
  const { rows } = await sql<
    Omit<AlertRow, 'postSet'> & { sendId: string; attempts: number; postSetId: string | null; scheduledAt: Date | null }
  >`
    select send.id as "sendId", send.attempts, alerts.id, alerts.kind, alerts.created_at as "createdAt",
      alerts.account_id as "accountId", accounts.name as "accountName",
      alerts.social_set_id as "socialSetId", social_sets.name as "socialSetName", social_sets.timezone,
      alerts.account_type as "accountType", alerts.post_id as "postId", alerts.reason, alerts.message,
      case when connections.id is not null
        then json_build_object('id', connections.id, 'name', connections.name) end as connection,
      alerts.post_set_id as "postSetId", post_sets.scheduled_at as "scheduledAt"
    from alert_sends send
    join alerts on alerts.id = send.alert_id
    join accounts on accounts.id = alerts.account_id
    join social_sets on social_sets.id = alerts.social_set_id
    left join connections on connections.id = alerts.connection_id
    left join post_sets on post_sets.id = alerts.post_set_id
    where send.id = any(${taken.map(({ id }) => id)}::uuid[])
    order by alerts.id`.execute(db)
  return rows.map(({ sendId, attempts, postSetId, scheduledAt, ...alert }) => ({
    id: sendId,
    attempts,
    alert: { ...alert, postSet: postSetId && scheduledAt ? { id: postSetId, scheduledAt } : null },
  }))
}

/** The sends arrived. */
export async function markSent(db: Database, ids: readonly string[]): Promise<void> {
  await endSends(db, ids, { state: 'SENT', error: null })
}

/** The sends will never be made, because no one is there to get them. That is no fault, so it has no error. */
export async function dropSends(db: Database, ids: readonly string[]): Promise<void> {
  await endSends(db, ids, { state: 'GIVEN_UP', error: null })
}

async function endSends(
  db: Database,
  ids: readonly string[],
  end: { state: 'SENT' | 'GIVEN_UP'; error: string | null },
): Promise<void> {
  await db
    .updateTable('alert_sends')
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
  const inTime = sql<boolean>`
    alerts.created_at > ${fromNow(pauseMs)} - make_interval(hours => ${ALERT_HOURS}::integer)`
  const { rows } = await sql<{ state: string }>`
    update alert_sends send set error = ${error}, next_at = ${fromNow(pauseMs)},
      state = case when ${inTime} then 'WAITING' else 'GIVEN_UP' end,
      ended_at = case when ${inTime} then null else ${now} end
    from alerts where alerts.id = send.alert_id and send.id = any(${[...ids]}::uuid[]) and send.state = 'WAITING'
    returning send.state`.execute(db)
  return rows.filter(({ state }) => state === 'GIVEN_UP').length
}

/** Gives up, in one batch, what is due and was not sent in time. Resolves with how many. */
export async function giveUpLateSends(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    update alert_sends set state = 'GIVEN_UP', ended_at = ${now}, error = coalesce(error, 'No worker was running.')
    where id = any(array(
      select send.id from alert_sends send join alerts on alerts.id = send.alert_id
      where send.state = 'WAITING' and send.next_at <= ${now} and not ${isFresh}
      order by send.next_at limit 1000 for update of send skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
