import { sql } from 'kysely'
import { type Database, inBatches, now, settledNow } from './database.ts'

/** An `Idempotency-Key` of an API key: no two API keys share one. */
interface IdempotencyKey {
  apiKeyId: string
  key: string
}

/** An answer as it is sent. */
export interface StoredAnswer {
  status: number
  /** Those that belong to this answer alone, by their names in lower case. */
  headers: Readonly<Record<string, string>>
  /** Null for an answer without a body. */
  body: string | null
}

/** Hours that an answer is kept and given again. */
export const ANSWER_HOURS = 24
const BATCH = 1_000

/**
 * Locks a key until the transaction ends; false when another transaction holds it. The lock is no row, so nothing of it
 * outlives a process that dies: its connection ends, and the lock with it. Of a host that is gone, and closes no connection,
 * PostgreSQL ends the transaction after a silence (pool.ts).
 */
export async function tryLockIdempotencyKey(trx: Database, { apiKeyId, key }: IdempotencyKey): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`idempotency key ${apiKeyId} ${key}`}, 0)) as locked`.execute(
    trx,
  )
  return rows[0]?.locked === true
}

/**
 * The answer that is stored under a key, and the hash of its request; null without one of the last 24 hours. A query of
 * its own after the lock: one statement would look at the table as it was before the lock was free.
 */
export async function findStoredAnswer(
  trx: Database,
  { apiKeyId, key }: IdempotencyKey,
): Promise<{ requestHash: Buffer; answer: StoredAnswer } | null> {
  const row = await trx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'headers', 'body'])
    .where('api_key_id', '=', apiKeyId)
    .where('key', '=', key)
    .where('answered_at', '>', sql<Date>`${settledNow} - make_interval(hours => ${ANSWER_HOURS}::integer)`)
    .executeTakeFirst()
  if (!row) return null
  const { request_hash: requestHash, ...answer } = row
  return { requestHash, answer }
}

/** Stores an answer, in place of one that has expired. The caller has locked the key. */
export async function storeAnswer(
  trx: Database,
  { apiKeyId, key }: IdempotencyKey,
  { requestHash, answer }: { requestHash: Buffer; answer: StoredAnswer },
): Promise<void> {
  const values = {
    request_hash: requestHash,
    status: answer.status,
    headers: JSON.stringify(answer.headers),
    body: answer.body,
    answered_at: now,
  }
  await trx
    .insertInto('idempotency_keys')
    .values({ api_key_id: apiKeyId, key, ...values })
    .onConflict((conflict) => conflict.columns(['api_key_id', 'key']).doUpdateSet(values))
    .execute()
}

/** Removes the answers that have expired, in batches that are transactions of their own. Resolves with how many. */
export async function removeExpiredAnswers(
  db: Database,
  { batch = BATCH, signal }: { batch?: number; signal?: AbortSignal } = {},
): Promise<number> {
  return inBatches({ batch, signal }, async () => {
    const { numAffectedRows } = await sql`
      delete from idempotency_keys where ctid = any(array(
        select ctid from idempotency_keys where answered_at < ${settledNow} - make_interval(hours => ${ANSWER_HOURS}::integer)
        order by answered_at limit ${batch} for update skip locked
      ))`.execute(db)
    return numAffectedRows
  })
}
