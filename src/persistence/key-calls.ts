import { sql } from 'kysely'
import type { Database } from './database.ts'

/** How many calls of a key are kept. */
const KEPT = 50

interface KeyCall {
  at: Date
  tool: string
  /** Code of what it was refused with; null when it was done. */
  problem: string | null
}

/** Notes that a key called a tool. The oldest calls beyond those that are kept go. */
export async function noteKeyCall(
  db: Database,
  keyId: string,
  { tool, problem }: Pick<KeyCall, 'tool' | 'problem'>,
): Promise<void> {
  await sql`
    with noted as (
      insert into key_calls (api_key_id, tool, problem) values (${keyId}::uuid, ${tool}, ${problem})
    )
    delete from key_calls where api_key_id = ${keyId}::uuid and id <= (
      select id from key_calls where api_key_id = ${keyId}::uuid order by id desc offset ${KEPT - 1} limit 1)`.execute(
    db,
  )
}

/** The last calls of a key, the newest first. */
export async function listKeyCalls(db: Database, keyId: string): Promise<KeyCall[]> {
  return db
    .selectFrom('key_calls')
    .select(['at', 'tool', 'problem'])
    .where('api_key_id', '=', keyId)
    .orderBy('id', 'desc')
    .limit(KEPT)
    .execute()
}
