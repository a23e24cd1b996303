import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Something of these sets has changed that is not in their rows: a result, or that a post is sent again. */
export async function raiseVersions(trx: Database, postSetIds: readonly string[]): Promise<void> {
  if (postSetIds.length === 0) return
  await sql`
    update post_sets set version = version + 1, updated_at = almanac_now()
    where id = any(${[...postSetIds]}::uuid[])`.execute(trx)
}
