import { sql } from 'kysely'
import type { Database } from '#persistence'

/**
 * The rows of a post set, all columns, but for those that every change moves on: its version, and when it was changed and
 * asked for. Null when it is not there.
 */
export async function setState(db: Database, id: string): Promise<unknown> {
  return (await setStates(db, [id])).states[0]
}

/** The same of several sets, in one query, and the version of each. */
export async function setStates(
  db: Database,
  ids: readonly string[],
): Promise<{ states: unknown[]; versions: (number | null)[] }> {
  const { rows } = await sql<{ id: string; version: number; state: unknown }>`
    select id, version, jsonb_build_object(
      'set', to_jsonb(post_sets) - array['version', 'updated_at', 'schedule_requested_at'],
      'posts', (select jsonb_agg(to_jsonb(posts) order by position) from posts where post_set_id = post_sets.id),
      'media', (
        select jsonb_agg(to_jsonb(post_media) order by post_media.id) from post_media join posts on posts.id = post_id
        where post_set_id = post_sets.id),
      'labels', (select jsonb_agg(label_id order by label_id) from post_set_labels where post_set_id = post_sets.id)
    ) as state from post_sets where id = any(${ids}::uuid[])`.execute(db)
  const found = ids.map((id) => rows.find((row) => row.id === id))
  return { states: found.map((row) => row?.state ?? null), versions: found.map((row) => row?.version ?? null) }
}
