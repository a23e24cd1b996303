import { type RawBuilder, sql } from 'kysely'
import type { AccountType, ActorType, EventType, HistoryAction, ResultDelivery } from '#contract'
import { newId } from '#domain'
import type { Database } from './database.ts'
import type { Actor } from './history.ts'
import { executePrepared } from './statements.ts'
import { holdingOf, queueingOf } from './webhook-queue.ts'

/** What happened: an action of the history of a post set, or an event that is said as it is. */
type What = HistoryAction | EventType

/** Who did something, as events say it. */
interface EventActor {
  kind: ActorType
  name: string
  /** Of a key alone. */
  keyId?: string
  /** An agent did it, by that key. */
  agent?: true
}

/** What triggers and `addHappened` write beside `what`; a field that says nothing is missing. */
export interface HappenedData {
  actor?: EventActor
  /** Of the history of a post set: the set right after the change. */
  postSetId?: string
  posts?: { id: string; accountType: AccountType; result?: 'POSTED' | 'FAILED'; delivery?: ResultDelivery }[]
  /** Of one post of it. */
  postId?: string
  accountType?: AccountType
  result?: 'POSTED' | 'FAILED'
  delivery?: ResultDelivery
  attempt?: number
  /** Of notes that were made together. */
  noteIds?: string[]
  [field: string]: unknown
}

/** What happened and has no position yet. */
export interface Happened {
  sequence: number
  accountId: string
  socialSetId: string | null
  at: Date
  what: What | (string & {})
  data: HappenedData
}

/** An event that gets its position. */
export interface NewEvent {
  accountId: string
  socialSetId: string | null
  at: Date
  type: EventType
  data: Record<string, unknown>
}

interface NotesHappened {
  accountId: string
  socialSetId: string
  type: Extract<EventType, `note.${string}`>
  actor: Actor
  noteIds: readonly string[]
}

/** A part of the statement that writes notes, which says what happens to them. For triggers notes do not say who writes them. */
export function notesHappened({ accountId, socialSetId, type, actor, noteIds }: NotesHappened): RawBuilder<unknown> {
  return sql`
    insert into happened (account_id, social_set_id, what, data)
    values (${accountId}::uuid, ${socialSetId}::uuid, ${type}, jsonb_build_object(
      'noteIds', ${JSON.stringify(noteIds)}::jsonb,
      'actor', almanac_event_actor(${actor.type}::text, ${actor.id}::text, ${actor.name}::text, ${actor.agent === true}::boolean)))`
}

/** Whether anything happened that has no position yet. */
export async function hasHappened(db: Database): Promise<boolean> {
  const { rows } = await executePrepared(db, sql`select from happened limit 1`)
  return rows.length > 0
}

/**
 * Takes the oldest of what happened, in its order. None while another process is at it: it takes these too. In the caller's
 * transaction, which is the only one to delete them.
 */
export async function takeHappened(trx: Database, limit: number): Promise<Happened[]> {
  const lock = await executePrepared(
    trx,
    sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(hashtextextended('almanac events', 0)) as mine`,
  )
  if (!lock.rows[0]?.mine) return []
  // In a statement of its own, behind the lock: it does not see what the process before has taken.
  const oldest = sql<Happened>`
    select sequence, account_id as "accountId", social_set_id as "socialSetId", at, what, data
    from happened order by sequence limit ${limit}`
  return (await executePrepared(trx, oldest)).rows
}

/** Says to everyone who waits which accounts have new events; heard when the transaction is committed. */
export const EVENTS_CHANNEL = 'almanac_events'

/**
 * Gives events the next positions of their accounts, in their order, queues them for the endpoints that want them, and deletes what they
 * were made of. In the transaction of `takeHappened`. What an account that is gone has left is only deleted.
 */
export async function storeEvents(
  trx: Database,
  events: readonly NewEvent[],
  taken: readonly Happened[],
): Promise<void> {
  const rows = events.map(({ accountId, socialSetId, at, type, data }) => ({
    ...{ id: newId(), account_id: accountId, social_set_id: socialSetId, at, type, data },
  }))
  const storing = sql`
    with added as (
      select entry.*, row_number() over (partition by account_id order by place) as number
      from rows from (
        jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (
          id uuid, account_id uuid, social_set_id uuid, at timestamptz, type text, data jsonb)
      ) with ordinality as entry (id, account_id, social_set_id, at, type, data, place)
      where exists (select from accounts where accounts.id = entry.account_id)
    ), counted as (
      insert into event_positions (account_id, newest)
      select account_id, count(*) from added group by account_id order by account_id
      on conflict (account_id) do update set newest = event_positions.newest + excluded.newest
      returning account_id, newest
    ), numbers as (
      select account_id, newest - (select count(*) from added where added.account_id = counted.account_id) as before from counted
    ), written as (
      insert into events (account_id, position, id, type, at, social_set_id, data)
      select account_id, before + number, id, type, at, social_set_id, data from added join numbers using (account_id)
    ), placed as (
      select account_id, before + number as position, type, social_set_id, data from added join numbers using (account_id)
    ), queued as (${queueingOf(sql`table placed`)}), held as (${holdingOf(sql`table placed`)})
    select pg_notify(${EVENTS_CHANNEL}, account_id::text) from counted`
  await executePrepared(trx, storing)
  const sequences = taken.map(({ sequence }) => sequence)
  await executePrepared(trx, sql`delete from happened where sequence = any(${sequences}::bigint[])`)
}
