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
