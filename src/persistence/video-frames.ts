import { sql } from 'kysely'
import type { MediaFacts } from '#contract'
import type { Database } from './database.ts'

/** A video of which the server has drawn no frame yet. */
export interface DueFrame {
  id: string
  storageKey: string
  facts: MediaFacts
  /** This one included. */
  attempt: number
}

/** So often is a video tried whose attempts are cut off, as when the process ends. */
const MOST_ATTEMPTS = 3
/** Post sets that are looked at for videos that go out soon. */
const SOON = 500

const due = sql`item.frame_state is null and item.closed_at is null and item.facts ->> 'type' = 'VIDEO'`

/**
 * Begins an attempt at the next video: one that goes out soon before all others, then the newest. Null: none is due. One that has had
 * all its attempts is given up meanwhile.
 */
export async function beginFrame(db: Database): Promise<DueFrame | null> {
  for (;;) {
    const { rows } = await sql<DueFrame>`
      select item.id, item.storage_key as "storageKey", item.facts, item.frame_attempts + 1 as attempt
      from (
        select id, scheduled_at from post_sets where status = 'SCHEDULED' order by scheduled_at, id limit ${SOON}
      ) as soon join posts post on post.post_set_id = soon.id join post_media used on used.post_id = post.id
        join media_items item on item.id = used.media_id
      where ${due} order by soon.scheduled_at, item.id limit 1`.execute(db)
    const [next = await newest(db)] = rows
    if (!next) return null
    if (next.attempt > MOST_ATTEMPTS) await endFrame(db, { ...next, attempt: next.attempt - 1 }, null)
    else if (await countAttempt(db, next)) return next
  }
}

async function newest(db: Database): Promise<DueFrame | undefined> {
  const { rows } = await sql<DueFrame>`
    select item.id, item.storage_key as "storageKey", item.facts, item.frame_attempts + 1 as attempt
    from media_items item where ${due} order by item.created_at desc limit 1`.execute(db)
  return rows[0]
}

async function countAttempt(db: Database, { id, attempt }: DueFrame): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media_items')
    .set({ frame_attempts: attempt })
    .where('id', '=', id)
    .where('frame_state', 'is', null)
    .where('frame_attempts', '=', attempt - 1)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Gives an attempt back that says nothing about the video. */
export async function returnFrame(db: Database, { id, attempt }: Pick<DueFrame, 'id' | 'attempt'>): Promise<void> {
  await db
    .updateTable('media_items')
    .set({ frame_attempts: attempt - 1 })
    .where('id', '=', id)
    .where('frame_state', 'is', null)
    .where('frame_attempts', '=', attempt)
    .execute()
}

/**
 * Ends an attempt: with the key of the small picture that was made of the frame, which takes the place of what a browser has sent, or
 * with none for good. False: another attempt was begun since, or has ended; nothing is changed, and the picture is the caller's.
 */
export async function endFrame(
  db: Database,
  { id, attempt }: Pick<DueFrame, 'id' | 'attempt'>,
  thumbnailKey: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media_items')
    .set(thumbnailKey === null ? { frame_state: 'NONE' } : { frame_state: 'DRAWN', thumbnail_key: thumbnailKey })
    .where('id', '=', id)
    .where('frame_state', 'is', null)
    .where('frame_attempts', '=', attempt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
