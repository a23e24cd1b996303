import { newId } from '#domain'
import type { Database } from './database.ts'
import type { ActorType } from './tables.ts'

/** Who did something, as history shows it. */
export interface Actor {
  type: ActorType
  /** Id of the user or key; null for the publisher and the operator. */
  id: string | null
  name: string
}

export interface HistoryEntry {
  accountId: string
  postSetId: string
  actor: Actor
  /** `created`, `updated`, `scheduled`, `publishing`, `post published`, … */
  action: string
  changes?: Record<string, unknown>
}

/** Adds rows to the history of post sets, in the caller's transaction. */
export async function addHistory(db: Database, entries: readonly HistoryEntry[]): Promise<void> {
  if (entries.length === 0) return
  await db
    .insertInto('history')
    .values(
      entries.map((entry) => ({
        id: newId(),
        account_id: entry.accountId,
        post_set_id: entry.postSetId,
        actor_type: entry.actor.type,
        actor_id: entry.actor.id,
        actor_name: entry.actor.name,
        action: entry.action,
        changes: JSON.stringify(entry.changes ?? {}),
      })),
    )
    .execute()
}

export interface HistoryRow {
  at: Date
  actor: { type: ActorType; name: string }
  action: string
  changes: Record<string, unknown>
}

/** The whole history of a post set in order, also of one that is deleted. Empty for a set that never was. */
export async function listHistory(db: Database, postSetId: string): Promise<HistoryRow[]> {
  const rows = await db
    .selectFrom('history')
    .select(['at', 'actor_type as type', 'actor_name as name', 'action', 'changes'])
    .where('post_set_id', '=', postSetId)
    .orderBy('sequence')
    .execute()
  return rows.map(({ at, type, name, action, changes }) => ({ at, actor: { type, name }, action, changes }))
}
