import { sql } from 'kysely'
import { type Database, now } from './database.ts'

/** What a key may bring a day (UTC), and has brought today. */
export interface KeyBudget {
  postSets: { used: number; limit: number }
  uploadBytes: { used: number; limit: number }
  /** When the next day begins. */
  freeAt: Date
}

const today = sql<string>`(${now} at time zone 'UTC')::date`

/**
 * The budget of a key as it stands; null of one that has none, and of what is no key.
 *
 * @param keyId of a key, or of anything else that brings files
 */
export async function budgetOfKey(db: Database, keyId: string): Promise<KeyBudget | null> {
  const { rows } = await sql<{
    postSets: number
    mostPostSets: number
    uploadBytes: number
    mostBytes: number
    freeAt: Date
  }>`
    select coalesce(usage.post_sets, 0) as "postSets", daily_post_sets as "mostPostSets",
      coalesce(usage.upload_bytes, 0) as "uploadBytes", daily_upload_bytes as "mostBytes",
      (${today} + 1)::timestamp at time zone 'UTC' as "freeAt"
    from api_keys left join key_usage as usage on usage.api_key_id = api_keys.id and usage.day = ${today}
    where api_keys.id = ${keyId}::uuid and daily_post_sets is not null`.execute(db)
  const [row] = rows
  if (!row) return null
  return {
    postSets: { used: row.postSets, limit: row.mostPostSets },
    uploadBytes: { used: row.uploadBytes, limit: row.mostBytes },
    freeAt: row.freeAt,
  }
}

/**
 * Counts what a key brings, all or none of it: nothing changes when it would pass the budget of the day. Others who count for the key
 * wait until the caller's transaction ends.
 *
 * @returns null when it is counted, or the key has no budget; else the budget as it stands
 */
export async function spendOfKey(
  trx: Database,
  keyId: string,
  { postSets = 0, uploadBytes = 0 }: { postSets?: number; uploadBytes?: number },
): Promise<KeyBudget | null> {
  const ofToday = (column: 'post_sets' | 'upload_bytes') =>
    sql`case when usage.day = excluded.day then usage.${sql.ref(column)} else 0 end + excluded.${sql.ref(column)}`
  const { rows } = await sql`
    with key as (
      select id, daily_post_sets as most_post_sets, daily_upload_bytes as most_bytes from api_keys
      where id = ${keyId}::uuid and daily_post_sets is not null
    )
    insert into key_usage as usage (api_key_id, day, post_sets, upload_bytes)
    select id, ${today}, ${postSets}::integer, ${uploadBytes}::bigint from key
    where (${postSets}::integer = 0 or ${postSets}::integer <= most_post_sets)
      and (${uploadBytes}::bigint = 0 or ${uploadBytes}::bigint <= most_bytes)
    on conflict (api_key_id) do update set day = excluded.day, post_sets = ${ofToday('post_sets')},
      upload_bytes = ${ofToday('upload_bytes')}
    where (excluded.post_sets = 0 or ${ofToday('post_sets')} <= (select most_post_sets from key))
      and (excluded.upload_bytes = 0 or ${ofToday('upload_bytes')} <= (select most_bytes from key))
    returning api_key_id`.execute(trx)
  return rows[0] ? null : budgetOfKey(trx, keyId)
}
