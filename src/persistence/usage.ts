import { type RawBuilder, sql } from 'kysely'
import { countActiveKeys } from './api-keys.ts'
import { type Database, now } from './database.ts'
import { isIdle, isOpen } from './direct-uploads.ts'
import { constantStatement } from './statements.ts'

/** What an account has used: posts and uploads in the current calendar month (UTC), storage altogether. */
export interface Usage {
  /** `2026-03` */
  month: string
  postSets: number
  uploadBytes: number
  /** Of the files that were brought in; what Almanac makes of them does not count. */
  storageBytes: number
}

/** What of the month's allowance is not used yet and cannot be had: direct uploads that have not ended keep it. */
export interface Reserved {
  reservedBytes: number
}

/** The numbers of a plan that bound the media library. Null: no limit. */
interface UploadLimits {
  monthlyUploadBytes: number | null
  storageBytes: number | null
}
export type UploadVerdict = 'ok' | 'allowance_exceeded' | 'storage_exceeded'

/** First day of the current month, in UTC and by the database's clock. */
const thisMonth = sql<string>`date_trunc('month', ${now} at time zone 'UTC')::date`

/** How many rows share the count of a month. Connections of a process mostly have different ones. */
const PARTS = 32

/**
 * SQL that counts post sets of an account whose plan has no limit in one of several rows: who creates at the same time
 * need not wait until the other has committed.
 *
 * @param accounts SQL of a table of one account at most, with `account_id`
 * @param count SQL of how many; 0 counts nothing
 */
export const countingParts = (accounts: string, count: string) => `
  insert into account_usage_parts as parts (account_id, month, part, post_sets)
  select account_id, date_trunc('month', almanac_now() at time zone 'UTC')::date, pg_backend_pid() % ${PARTS}, ${count}
  from ${accounts} where ${count} > 0
  on conflict (account_id, month, part) do update set post_sets = parts.post_sets + excluded.post_sets`

const countPart = constantStatement(`
  with counting as (select $1::uuid as account_id) ${countingParts('counting', '$2::integer')}`)

/** What was counted in parts in a month, as an expression for queries: by an account and a first day. */
const inParts = (accountId: RawBuilder<unknown> | string, month: RawBuilder<unknown>) => sql`(
  select coalesce(sum(post_sets), 0)::integer from account_usage_parts
  where account_id = ${accountId} and month = ${month})`

/**
 * Counts new post sets of an account, unless they would pass the limit of the month: then nothing changes. With a limit,
 * others who count for the account wait until the caller's transaction ends; `used` is how many there are now.
 */
export async function raisePostSets(
  trx: Database,
  accountId: string,
  count: number,
  limit: number | null,
): Promise<{ ok: boolean; used: number }> {
  if (limit === null) {
    await countPart(trx, [accountId, count])
    return { ok: true, used: 0 }
  }
  // The condition occurs twice: the first row of a month is inserted, and an insert knows no conflict to be bound by.
  const { rows } = await sql<{ used: number }>`
    with parts as materialized (select ${inParts(accountId, thisMonth)} as used)
    insert into account_usage as usage (account_id, month, post_sets)
    select ${accountId}::uuid, ${thisMonth}, ${count}::integer from parts
    where parts.used + ${count}::bigint <= ${limit}::bigint
    on conflict (account_id, month) do update set post_sets = usage.post_sets + excluded.post_sets
    where (select used from parts) + usage.post_sets::bigint + excluded.post_sets <= ${limit}::bigint
    returning usage.post_sets + (select used from parts) as used`.execute(trx)
  if (rows[0]) return { ok: true, used: rows[0].used }
  return { ok: false, used: await postSetsOfMonth(trx, accountId) }
}

/** Post sets that an account has made this month (UTC). */
export async function postSetsOfMonth(db: Database, accountId: string): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select ${inParts(accountId, thisMonth)} + coalesce((
      select post_sets from account_usage where account_id = ${accountId} and month = ${thisMonth}
    ), 0) as used`.execute(db)
  return rows[0]?.used ?? 0
}

/**
 * Counts the bytes of a file that comes into an account's library, unless they would pass a limit: then nothing changes.
 * The caller inserts the item in the same transaction; until it ends, others who bring files into the account wait.
 */
export async function raiseUploadBytes(
  trx: Database,
  accountId: string,
  bytes: number,
  limits: UploadLimits,
  exceptUpload: string | null = null,
): Promise<UploadVerdict> {
  const room = uploadRoom(await lockUsage(trx, accountId, exceptUpload), limits)
  if (bytes > room.bytes) return room.beyond
  await sql`
    insert into account_usage as usage (account_id, month, upload_bytes)
    values (${accountId}, ${thisMonth}, ${bytes})
    on conflict (account_id, month) do update set upload_bytes = usage.upload_bytes + excluded.upload_bytes`.execute(
    trx,
  )
  return 'ok'
}

/** What an account has used. Until the caller's transaction ends, others who bring files into the account wait. */
export async function lockUsage(
  trx: Database,
  accountId: string,
  exceptUpload: string | null = null,
): Promise<Usage & Reserved> {
  // The account's lock, not that of the month's row: storage is one at the turn of the month too.
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
  return usageOf(trx, accountId, exceptUpload)
}

/** How many more bytes fit (less than none when a limit is passed already), and what a larger file would pass first. */
export function uploadRoom(
  used: Pick<Usage & Reserved, 'uploadBytes' | 'storageBytes' | 'reservedBytes'>,
  { monthlyUploadBytes, storageBytes }: UploadLimits,
): { bytes: number; beyond: Exclude<UploadVerdict, 'ok'> } {
  const allowance = (monthlyUploadBytes ?? Number.POSITIVE_INFINITY) - used.uploadBytes - used.reservedBytes
  const storage = (storageBytes ?? Number.POSITIVE_INFINITY) - used.storageBytes
  return allowance <= storage
    ? { bytes: allowance, beyond: 'allowance_exceeded' }
    : { bytes: storage, beyond: 'storage_exceeded' }
}

/** How many members, open connections and active keys an account has. */
export async function holdingsOf(
  db: Database,
  accountId: string,
): Promise<{ members: number; connections: number; activeKeys: number }> {
  const { members, connections } = await db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('memberships')
        .where('account_id', '=', accountId)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('members'),
      selectFrom('connections')
        .where('account_id', '=', accountId)
        .where('closed_at', 'is', null)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('connections'),
    ])
    .executeTakeFirstOrThrow()
  return { members: members ?? 0, connections: connections ?? 0, activeKeys: await countActiveKeys(db, accountId) }
}

/**
 * What an account has used; nothing for one that does not exist.
 *
 * @param exceptUpload an upload whose own reservation does not count
 */
export async function usageOf(
  db: Database,
  accountId: string,
  exceptUpload: string | null = null,
): Promise<Usage & Reserved> {
  const { rows } = await sql<Usage & Reserved>`
    select to_char(this.month, 'YYYY-MM') as "month",
      coalesce(usage.post_sets, 0) + ${inParts(accountId, sql`this.month`)} as "postSets",
      coalesce(usage.upload_bytes, 0) as "uploadBytes",
      (select coalesce(sum(bytes), 0)::bigint from media_items
        where account_id = ${accountId} and closed_at is null) as "storageBytes",
      (select coalesce(sum(case when ${isIdle} then bytes_received else reserved_bytes end), 0)::bigint from media_uploads
        where account_id = ${accountId} and ${isOpen} and id is distinct from ${exceptUpload}::uuid) as "reservedBytes"
    from (select ${thisMonth} as month) as this
    left join account_usage as usage on usage.account_id = ${accountId} and usage.month = this.month`.execute(db)
  const [usage] = rows
  if (!usage) throw new Error('The database did not return what is used.')
  return usage
}
