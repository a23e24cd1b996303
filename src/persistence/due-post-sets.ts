import { type RawBuilder, sql } from 'kysely'
import type { AccountType } from '#contract'
import { ANY_TIME, believedNow, type Database, type DatabaseTransaction } from './database.ts'
import { startIsHeld } from './held-start.ts'
import { type HistoryEntry, historyRows, insertionOfHistory } from './history.ts'
import { isHeld } from './holds.ts'
import { fullConnections, lateBefore } from './lanes.ts'
import { executeBuilt, executePrepared } from './statements.ts'

export interface ClaimedPostSet {
  id: string
  accountId: string
  contentVersion: number
  /** The later of its time and the request that scheduled it. */
  dueAt: Date
  /** Past the late limit: must not be sent any more. */
  late: boolean
  /** Late by its own time, however late it was asked for. */
  overdue: boolean
  posts: ClaimedPost[]
  /** Of the whole claim: in how many milliseconds the next set is due that was not; null when there is none. */
  nextInMs: number | null
}

interface ClaimedPost {
  id: string
  accountType: AccountType
  /** Null: its brand has no account of the network. */
  connectionId: string | null
}

/** Which of the due sets are claimed: those on time, or the late ones. */
export interface DueSets {
  late: boolean
  /**
   * Those of brands that have a full connection, as far as they go to another one as well; else those of all other brands. Each
   * of these is looked at more closely, which takes time.
   */
  besideFull: boolean
  /** From the oldest on; or of the newest those that none of their connection is before. */
  newestFirst: boolean
  limit: number
  /** A connection is full when as many posts wait for it; late ones count apart. */
  perConnection: number
  /** Sets that are left out, for their claim has failed. */
  except: readonly string[]
  /** What is due then at the latest, however late the database's clock says that it is. Default: its clock alone. */
  notAfter?: Date | undefined
  /** This set alone. */
  only?: string
}

const inFullBrand = sql`exists (
  select from full_connections where full_connections.social_set_id = post_sets.social_set_id)`

/** A post without a connection counts as one that has room: it fails at its time. */
const hasRoom = sql`exists (
  select from posts where posts.post_set_id = post_sets.id and not exists (
    select from full_connections
    where full_connections.social_set_id = posts.social_set_id and full_connections.account_type = posts.account_type
  ))`

/**
 * An older set that is due and not claimed goes to a connection of a set, `own`. Looked for in the calendar of the brand, by a condition
 * that the index of due sets does not have: that would be read from its beginning. What is older than a day is not waited for.
 */
const isBehind = (own: RawBuilder<unknown>, { except, notAfter }: DueSets, before: RawBuilder<unknown>) => sql`exists (
  select from post_sets as older
  where older.social_set_id = ${own}.social_set_id and (older.status || '') = 'SCHEDULED'
    and older.scheduled_at < ${before} and older.scheduled_at > ${believedNow(notAfter)} - interval '1 day'
    and older.id <> all(${except}::uuid[]) and exists (
      select from posts as its join posts on posts.account_type = its.account_type
      where its.post_set_id = older.id and posts.post_set_id = ${own}.id)
  offset 0)`

/**
 * A look for what is before a set costs nothing where nothing is late. A pile of late ones shares its connection with what is on time, and
 * is not looked through.
 */
const isBehindLate = (due: DueSets) => sql`case
  when not exists (
    select from post_sets as overdue where overdue.status = 'SCHEDULED' and overdue.scheduled_at <= ${lateBefore(due.notAfter)}) then false
  when exists (select from full_of_late where full_of_late.social_set_id = post_sets.social_set_id) then false
  else ${isBehind(sql`post_sets`, due, lateBefore(due.notAfter))} end`

/** So many of the newest are looked through for such that are behind nothing. */
const NEWEST = sql.lit(300)

const dueSets = (due: DueSets) => {
  const { late, besideFull, newestFirst, limit, except, notAfter, only } = due
  const dueBefore = believedNow(notAfter)
  const which = sql`
    status = 'SCHEDULED' and ${late ? sql`scheduled_at <= ${lateBefore(notAfter)}` : sql`scheduled_at > ${lateBefore(notAfter)} and scheduled_at <= ${dueBefore}`}
    and not ${startIsHeld}
    and not ${isHeld({ account: 'post_sets.account_id', socialSet: 'post_sets.social_set_id' })}
    and ${besideFull ? sql`${inFullBrand} and ${hasRoom}` : sql`not ${inFullBrand}`}
    and id <> all(${except}::uuid[]) ${only === undefined ? sql`` : sql`and id = ${only}`}`
  if (!newestFirst) {
    return sql`
      select id from post_sets where ${which} ${late || besideFull ? sql`` : sql`and not ${isBehindLate(due)}`}
      order by scheduled_at limit ${sql.lit(limit)}`
  }
  // A set that has been moved since is compared again behind its lock.
  return sql`
    select id from post_sets where id = any(array(
        select newest.id from (
          select id, social_set_id, scheduled_at from post_sets where ${which} order by scheduled_at desc limit ${NEWEST}
        ) as newest
        where not exists (select from full_of_late where full_of_late.social_set_id = newest.social_set_id)
          and not ${isBehind(sql`newest`, due, sql`newest.scheduled_at`)}
        order by newest.scheduled_at desc limit ${sql.lit(limit)}
      )) and status = 'SCHEDULED' and scheduled_at <= ${dueBefore}`
}

const withFull = ({ perConnection, late, notAfter }: DueSets) => sql`
  with full_connections as materialized (${fullConnections(perConnection, { late, notAfter })}),
    full_of_late as materialized (${fullConnections(perConnection, { late: true, notAfter })})`

/** In how many milliseconds the next set is due that is not; null when there is none. */
export const nextInMs = (notAfter?: Date) => sql<number | null>`(
  select extract(epoch from min(scheduled_at) - ${believedNow(notAfter)})::float8 * 1000
  from post_sets where status = 'SCHEDULED' and scheduled_at > ${believedNow(notAfter)})`

export const isDueNow = (now: RawBuilder<Date>) =>
  sql<boolean>`exists (select from post_sets where status = 'SCHEDULED' and scheduled_at <= ${now})`

/** Whether a scheduled set is due, and in how many milliseconds the next one is; null when there is none. */
export async function nextDue(
  db: Database,
  { notAfter }: { notAfter?: Date | undefined } = {},
): Promise<{ dueNow: boolean; inMs: number | null }> {
  const next = sql<{ dueNow: boolean; inMs: number | null }>`
    select ${isDueNow(believedNow(notAfter))} as "dueNow", ${nextInMs(notAfter)} as "inMs"`
  const { rows } = await executePrepared(db, next)
  const [row] = rows
  if (!row) throw new Error('The database did not say what is due.')
  return row
}

/** When a post is too late to be sent, and by which clock. */
interface LateRules {
  lateLimitMs: number
  notAfter?: Date | undefined
}

/** Posts of a connection ended while one that is as late as may be was waiting: then those were ahead of it. */
const othersEnded = (connection: RawBuilder<unknown>, { lateLimitMs, notAfter }: LateRules) => sql<boolean>`exists (
  select from deliveries as others where others.connection_id = ${connection}
    and others.finished_at >= ${believedNow(notAfter)} - 0.75 * ${lateLimitMs}::float8 * interval '1 millisecond'
    and others.finished_at < ${believedNow(notAfter)} - 0.25 * ${lateLimitMs}::float8 * interval '1 millisecond')`

/** Whether a post that is late waited behind others of its connection. */
export async function wasCrowded(db: Database, connectionId: string, rules: LateRules): Promise<boolean> {
  const query = sql<{ crowded: boolean }>`
    select ${othersEnded(sql`${connectionId}::uuid`, rules)} as crowded`
  return (await query.execute(db)).rows[0]?.crowded ?? false
}

/** Whether a connection of the brand had to wait by its network's will, or had posts ahead of those that are late. */
const wasBusy = (rules: LateRules) => sql`exists (
  select from connections join network_identities as identity on identity.id = connections.identity_id
    left join lanes on lanes.name = identity.network and not identity.sandbox
  where connections.social_set_id = post_set.social_set_id and connections.closed_at is null and (
    greatest(identity.not_before, lanes.not_before) > ${believedNow(rules.notAfter)} - ${rules.lateLimitMs} * interval '1 millisecond'
    or ${othersEnded(sql`connections.id`, rules)}))`

const dueAt = sql`greatest(post_set.scheduled_at, post_set.schedule_requested_at)`
const postsOfSet = sql`coalesce((
  select jsonb_agg(jsonb_build_object('id', posts.id, 'accountType', posts.account_type, 'connectionId', connections.id)
    order by posts.position)
  from posts left join connections on connections.social_set_id = post_set.social_set_id
    and connections.account_type = posts.account_type and connections.closed_at is null
  where posts.post_set_id = post_set.id), '[]')`

/**
 * Claims post sets that are due (→ PUBLISHING), skipping those that another worker has locked, those that are held, and those
 * that go to full connections alone. Whether they are too late to be sent counts from the later of a set's time and the
 * request that scheduled it; where a network has asked to wait meanwhile, or posts of the brand were ahead, each delivery finds
 * out for itself.
 *
 * The due index gives the sets in order; each is compared with the open holds and the full connections, of which there are few.
 * So a look passes over what is due and may not be claimed once (README).
 *
 * Posts and connections are read when the rows are locked, by a statement of its own: the one that locks them sees posts as they
 * were before an edit that has just committed.
 */
export async function claimDuePostSets(
  trx: DatabaseTransaction,
  due: DueSets,
  { lateLimitMs }: { lateLimitMs: number },
): Promise<ClaimedPostSet[]> {
  const { late, besideFull, newestFirst, limit, perConnection, except, notAfter = ANY_TIME, only } = due
  const locked = await executeBuilt(
    trx,
    `due sets ${late} ${besideFull} ${newestFirst} ${limit} ${only === undefined}`,
    { perConnection, except, notAfter, ...(only === undefined ? {} : { only }) },
    (given) => {
      const wanted = { ...due, ...given }
      return sql<{ id: string }>`${withFull(wanted)} ${dueSets(wanted)} for update skip locked`
    },
  )
  if (locked.rows.length === 0) return []
  const ids = locked.rows.map(({ id }) => id)
  return (await executeBuilt(trx, 'claim', { ids, notAfter, lateLimitMs }, updateOfClaim)).rows
}

function updateOfClaim({
  ids,
  notAfter,
  lateLimitMs,
}: {
  ids: readonly string[]
  notAfter: Date
  lateLimitMs: number
}) {
  const now = believedNow(notAfter)
  return sql<ClaimedPostSet>`
    update post_sets as post_set
    set status = 'PUBLISHING', claimed_at = ${now}, updated_at = ${now}, version = version + 1
    where id = any(${ids}::uuid[])
    returning post_set.id, post_set.account_id as "accountId", post_set.content_version as "contentVersion",
      ${dueAt} as "dueAt",
      ${now} - ${dueAt} > ${lateLimitMs}::float8 * interval '1 millisecond' and not ${wasBusy({ lateLimitMs, notAfter })} as late,
      post_set.scheduled_at <= ${lateBefore(notAfter)} as overdue, ${postsOfSet} as posts, ${nextInMs(notAfter)} as "nextInMs"`
}

/** The sets that a claim would take, without taking them: of a batch that fails, each is tried alone. */
export async function findDuePostSets(db: Database, due: DueSets): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${withFull(due)} ${dueSets(due)}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Sets are PUBLISHED once each of their posts has a result, and stay so: what is sent again has one. The caller holds the sets'
 * row locks. `history` says what has led to it, and `published` of each set, which is written of those that it publishes.
 *
 * A post without a delivery was forgotten, by a fault of ours: it gets one here, which is due now and may be as late as those
 * beside it. `moveUp` gives it its turn.
 *
 * @param notAfter they are published this late at the most, no matter what the database's clock says
 * @returns the ids of those
 */
export async function markPublished(
  trx: Database,
  postSetIds: readonly string[],
  history: readonly HistoryEntry[],
  notAfter: Date = ANY_TIME,
): Promise<string[]> {
  const [first, ...others] = postSetIds
  if (first === undefined) return []
  // PostgreSQL takes a list for longer than it is, and would plan the statement of each post by itself.
  const alone = others.length === 0
  const values = { ids: alone ? first : JSON.stringify(postSetIds), history: historyRows(history), notAfter }
  const { rows } = await executeBuilt(trx, alone ? 'publish one' : 'publish', values, (given) =>
    publicationOf(
      alone
        ? sql`post_sets.id = ${given.ids}::uuid`
        : sql`post_sets.id in (select value::uuid from jsonb_array_elements_text(${given.ids}::jsonb))`,
      given,
    ),
  )
  return rows.map(({ id }) => id)
}

function publicationOf(
  among: RawBuilder<unknown>,
  { history, notAfter }: { history: string; notAfter: Date },
): RawBuilder<{ id: string }> {
  const at = believedNow(notAfter)
  return sql<{ id: string }>`
    with forgotten as materialized (
      select posts.*, post_sets.content_version, beside.gives_up_at
      from post_sets join posts on posts.post_set_id = post_sets.id, lateral (
        select gives_up_at from deliveries where deliveries.post_set_id = post_sets.id limit 1
      ) as beside
      where ${among} and post_sets.status = 'PUBLISHING' and not exists (
        select from deliveries
        where deliveries.post_id = posts.id and deliveries.content_version = post_sets.content_version)
    ), remembered as (
      insert into deliveries (id, post_set_id, post_id, content_version, account_type, connection_id, state, next_at, gives_up_at)
      select gen_random_uuid(), post_set_id, id, content_version, account_type, (
          select connections.id from connections where connections.social_set_id = forgotten.social_set_id
            and connections.account_type = forgotten.account_type and connections.closed_at is null
        ), 'PREPARING', ${at}, gives_up_at
      from forgotten
    ), published as (
      update post_sets
      set status = 'PUBLISHED', published_at = ${at}, updated_at = ${at}, version = version + 1
      where ${among} and status = 'PUBLISHING' and not exists (
        select from deliveries
        where deliveries.post_set_id = post_sets.id and deliveries.retry = 0 and deliveries.state <> 'DONE')
        and not exists (select from forgotten where forgotten.post_set_id = post_sets.id)
      returning id, version
    ), written as (${insertionOfHistory(history, { published: sql`published` })})
    select id from published`
}
