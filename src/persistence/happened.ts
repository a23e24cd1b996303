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

/** The oldest of what happened and has no position yet, in its order. Another process may be about to store the same. */
export async function readHappened(db: Database, limit: number): Promise<Happened[]> {
  const oldest = sql<Happened>`
    select sequence, account_id as "accountId", social_set_id as "socialSetId", at, what, data
    from happened order by sequence limit ${limit}`
  return (await executePrepared(db, oldest)).rows
}

/** Says to everyone who waits which accounts have new events; heard when the transaction is committed. */
export const EVENTS_CHANNEL = 'almanac_events'

/**
 * Gives events the next positions of their accounts, in their order, queues them for the endpoints that want them, and deletes what they
 * were made of. What an account that is gone has left is only deleted. One statement, which one process at a time runs: behind the oldest
 * that were read, others have come at most. It does nothing when any of them was stored since by another process, or is being stored.
 *
 * @returns whether it did
 */
export async function storeEvents(
  db: Database,
  events: readonly NewEvent[],
  read: readonly Happened[],
): Promise<boolean> {
  const rows = events.map(({ accountId, socialSetId, at, type, data }) => ({
    ...{ id: newId(), account_id: accountId, social_set_id: socialSetId, at, type, data },
  }))
  const sequences = read.map(({ sequence }) => sequence)
  const storing = sql<{ isWhole: boolean }>`
    with turn as materialized (
      select pg_try_advisory_xact_lock(hashtextextended('almanac events', 0)) as mine
    ), held as materialized (
      select sequence from happened
      where (select mine from turn) and sequence = any(${sequences}::bigint[]) for update
    ), whole as materialized (
      select count(*) = ${sequences.length} as is_whole from held
    ), gone as (
      delete from happened using whole where is_whole and sequence = any(${sequences}::bigint[])
    ), added as (
      select entry.*, row_number() over (partition by account_id order by place) as number
      from rows from (
        jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (
          id uuid, account_id uuid, social_set_id uuid, at timestamptz, type text, data jsonb)
      ) with ordinality as entry (id, account_id, social_set_id, at, type, data, place)
      where (select is_whole from whole) and exists (select from accounts where accounts.id = entry.account_id)
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
    ), queued as (${queueingOf(sql`table placed`)}), slowed as (${holdingOf(sql`table placed`)}), said as (
      select pg_notify(${EVENTS_CHANNEL}, account_id::text) from counted
    )
    select is_whole as "isWhole", (select count(*) from said) from whole`
  const [stored] = (await executePrepared(db, storing)).rows
  return stored?.isWhole === true
}
