import { type RawBuilder, sql } from 'kysely'
import { type ActorType, type HistoryAction, type HistoryEvent, type HistoryRead, readHistoryEvent } from '#contract'
import { newId } from '#domain'
import { countRows, type Database } from './database.ts'
import { executeBuilt } from './statements.ts'

/** Who did something, as history shows it. */
export interface Actor {
  type: ActorType
  /** Id of the user or key; null for the publisher and the operator. */
  id: string | null
  name: string
  /** An agent did it, by that key. */
  agent?: true
}

interface About {
  accountId: string
  postSetId: string
  actor: Actor
}

/** What happened to a post set, and who did it. */
export type HistoryEntry = About & HistoryEvent

/**
 * Adds rows to the history of post sets, however many, in their order. In the caller's transaction, after the changes that they
 * record.
 */
export async function addHistory(db: Database, entries: readonly HistoryEntry[]): Promise<void> {
  if (entries.length === 0) return
  await executeBuilt(db, 'history', { rows: historyRows(entries) }, ({ rows }) => insertionOfHistory(rows))
}

const storedVersion = sql`(select version from post_sets where post_sets.id = entry.post_set_id)`

/** Rows as JSON, for `insertionOfHistory`. */
export function historyRows(entries: readonly HistoryEntry[]): string {
  const rows = entries.map(({ accountId, postSetId, actor, action, changes }) => ({
    ...{ id: newId(), account_id: accountId, post_set_id: postSetId, action, changes },
    ...{ actor_type: actor.type, actor_id: actor.id, actor_name: actor.name, by_agent: actor.agent === true },
  }))
  return JSON.stringify(rows)
}

/**
 * The statement of `addHistory`, also as a part of another one, which does not see what that one changes.
 *
 * @param rows of `historyRows`
 * @param options.published names the part of it that publishes sets, with their new versions: `published` is written of those alone
 */
export function insertionOfHistory(
  rows: string,
  { published }: { published?: RawBuilder<unknown> } = {},
): RawBuilder<unknown> {
  const version = published
    ? sql`coalesce((select version from ${published} where ${published}.id = entry.post_set_id), ${storedVersion})`
    : storedVersion
  return sql`
    insert into history (id, account_id, post_set_id, actor_type, actor_id, actor_name, by_agent, action, changes, version)
    select id, account_id, post_set_id, actor_type, actor_id, actor_name, by_agent, action, changes, ${version}
    from rows from (
      jsonb_to_recordset(${rows}::jsonb) as (
        id uuid, account_id uuid, post_set_id uuid, actor_type text, actor_id text, actor_name text, by_agent boolean, action text,
        changes jsonb)
    ) with ordinality as entry (id, account_id, post_set_id, actor_type, actor_id, actor_name, by_agent, action, changes, place)
    ${published ? sql`where action <> 'published' or post_set_id in (select id from ${published})` : sql``}
    order by place`
}

/** Adds the same row to the history of each of these post sets, as `addHistory` does. */
export function addHistoryToEach(
  trx: Database,
  postSetIds: readonly string[],
  entry: Omit<About, 'postSetId'> & HistoryEvent,
): Promise<void> {
  return addHistory(
    trx,
    postSetIds.map((postSetId) => ({ ...entry, postSetId })),
  )
}

export type HistoryRow = HistoryRead & { id: string; at: Date; actor: { type: ActorType; name: string; agent?: true } }

interface StoredRow {
  id: string
  at: Date
  type: ActorType
  name: string
  byAgent: boolean
  action: string
  changes: Record<string, unknown>
}

const rowOf = ({ id, at, type, name, byAgent, action, changes }: StoredRow): HistoryRow => ({
  ...{ id, at },
  actor: { type, name, ...(byAgent ? { agent: true as const } : {}) },
  ...readHistoryEvent(action, changes),
})

/** SQL: what a row says without its texts; the texts of rows that have an outline are not read for it. */
export const outline = sql<Record<string, unknown>>`coalesce(outline, almanac_history_outline(changes))`

/** SQL: rows with what is small of them in `changes`; `posts` only says that posts were changed. */
const shortHistory = sql`
  select post_set_id, sequence, action, actor_type, actor_id, coalesce(outline, changes) as changes from history`

/** The whole history of a post set in order, with all texts, also of one that is deleted. Empty for a set that never was. */
export async function listHistory(db: Database, postSetId: string): Promise<HistoryRow[]> {
  const rows = await db
    .selectFrom('history')
    .select(['id', 'at', 'actor_type as type', 'actor_name as name', 'by_agent as byAgent', 'action', 'changes'])
    .where('post_set_id', '=', postSetId)
    .orderBy('sequence')
    .execute()
  return rows.map(rowOf)
}

/** A page of the history of a post set, newest first, without texts: fields of posts that changed have their names alone. */
export async function listHistoryPage(
  db: Database,
  postSetId: string,
  page: { limit: number; offset: number },
): Promise<HistoryRow[]> {
  const rows = await db
    .selectFrom('history')
    .select([
      'id',
      'at',
      'actor_type as type',
      'actor_name as name',
      'by_agent as byAgent',
      'action',
      outline.as('changes'),
    ])
    .where('post_set_id', '=', postSetId)
    .orderBy('sequence', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return rows.map(rowOf)
}

/** How many rows the history of a post set has: exact up to `LIMITS.exactTotal`, then one more. */
export function countHistory(db: Database, postSetId: string): Promise<number> {
  return countRows(db, db.selectFrom('history').where('post_set_id', '=', postSetId).select('id'))
}

type OwnChange = HistoryRead & { sequence: number }

/** What a user did to a post set when it came to that version, without texts; null when it was not that user. */
export async function findOwnChange(
  db: Database,
  { postSetId, version, userId }: { postSetId: string; version: number; userId: string },
): Promise<OwnChange | null> {
  const row = await db
    .selectFrom('history')
    .select(['sequence', 'action', outline.as('changes'), 'actor_type', 'actor_id'])
    .where('post_set_id', '=', postSetId)
    .where('version', '=', version)
    // The first row of a version is what led to it; what only says something comes behind.
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst()
  if (row?.actor_type !== 'USER' || row.actor_id !== userId) return null
  return { sequence: row.sequence, ...readHistoryEvent(row.action, row.changes) }
}

/** What happened to a post set since a change of its history. */
export interface Since {
  /** Its content was changed. */
  contentChanged: boolean
  /** Somebody else has changed it; it may be what it was again. */
  statusByOthers: boolean
  approvalByOthers: boolean
  /** What each was right after the change; null when nothing has named it since. */
  scheduledAt: string | null
  status: string | null
  approval: string | null
  /** It was locked or unlocked. */
  lockChanged: boolean
  /** Since when it was locked right after the change, when `lockChanged`; null: it was not locked. */
  lockedAt: string | null
}

const LOCK_ACTIONS: readonly HistoryAction[] = ['locked', 'unlocked']

/** What others, and the user, did to a post set since a change of the user. */
export async function findSince(
  db: Database,
  { postSetId, sequence, userId }: { postSetId: string; sequence: number; userId: string },
): Promise<Since> {
  const first = (name: string) => sql`
    (array_agg(changes->${name}::text->>'from' order by sequence)
      filter (where jsonb_typeof(changes->${name}::text) = 'object'))[1]`
  const ofLock = sql`action in (${sql.join(LOCK_ACTIONS)})`
  const byOthers = sql`(actor_type, actor_id) is distinct from ('USER', ${userId}::text)`
  const { rows } = await sql<Since>`
    select
      coalesce(bool_or(almanac_changes_content(action, changes)), false) as "contentChanged",
      coalesce(bool_or(changes ? 'status' and ${byOthers}), false) as "statusByOthers",
      coalesce(bool_or(changes ? 'approval' and ${byOthers}), false) as "approvalByOthers",
      ${first('scheduledAt')} as "scheduledAt", ${first('status')} as status, ${first('approval')} as approval,
      coalesce(bool_or(${ofLock}), false) as "lockChanged",
      (array_agg(changes->'lock'->>'at' order by sequence) filter (where ${ofLock}))[1]
        as "lockedAt"
    from (${shortHistory}) as entry where post_set_id = ${postSetId} and sequence > ${sequence}`.execute(db)
  const row = rows[0]
  if (!row) throw new Error('An aggregate without groups has answered no row.')
  return row
}

/** Whether a post set was ever approved, or changes of it were requested. */
export async function wasReviewed(db: Database, postSetId: string): Promise<boolean> {
  const { rows } = await sql`
    select from (${shortHistory}) as entry
    where post_set_id = ${postSetId} and (
      changes->>'approval' in ('APPROVED', 'DENIED')
      or changes->'approval'->>'from' in ('APPROVED', 'DENIED')
      or changes->'approval'->>'to' in ('APPROVED', 'DENIED'))
    limit 1`.execute(db)
  return rows.length > 0
}
