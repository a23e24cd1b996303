import { type Selectable, sql, type Updateable } from 'kysely'
import type { MediaUploadErrorCode } from '#contract'
import { type Database, fromNow, isLeased, now } from './database.ts'
import { startIsHeld } from './held-start.ts'
import { executePrepared } from './statements.ts'
import type { Tables } from './tables.ts'

export type MediaUploadRow = Selectable<Tables['media_uploads']>

export interface ImportLease {
  owner: string
  ms: number
}

const open = ['PENDING', 'PROCESSING'] as const

/** Locks a social set against other new uploads until the caller's transaction ends, and counts its open ones. */
export async function countOpenUploads(trx: Database, socialSetId: string): Promise<number> {
  await trx.selectFrom('social_sets').select('id').where('id', '=', socialSetId).forNoKeyUpdate().execute()
  const { count } = await trx
    .selectFrom('media_uploads')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('social_set_id', '=', socialSetId)
    .where('status', 'in', open)
    .executeTakeFirstOrThrow()
  return count
}

interface NewMediaUpload {
  id: string
  accountId: string
  socialSetId: string
  url: string
  name: string | null
  altText: string | null
  by: { id: string | null; name: string; agent?: true }
}

/** Inserts an upload that is PENDING. The caller wakes a worker in the same transaction. */
export async function insertMediaUpload(trx: Database, upload: NewMediaUpload): Promise<MediaUploadRow> {
  return trx
    .insertInto('media_uploads')
    .values({
      id: upload.id,
      account_id: upload.accountId,
      social_set_id: upload.socialSetId,
      url: upload.url,
      name: upload.name,
      alt_text: upload.altText,
      begun_by: upload.by.id,
      begun_by_name: upload.by.name,
      by_agent: upload.by.agent === true,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function findMediaUpload(db: Database, accountId: string, id: string): Promise<MediaUploadRow | null> {
  const row = await db
    .selectFrom('media_uploads')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row ?? null
}

interface DueImports {
  maxAttempts: number
  /** Accounts whose imports are left alone. */
  exceptAccounts: readonly string[]
}

/**
 * Takes the lease of an import that is open and held by no worker, or by one whose lease ran out (→ PROCESSING), and
 * counts an attempt: the oldest one of the account that has the fewest under way. Null when there is nothing to do.
 */
export async function takeNextImport(
  db: Database,
  lease: ImportLease,
  due: DueImports,
): Promise<MediaUploadRow | null> {
  const row = await db
    .updateTable('media_uploads')
    .set((column) => ({
      status: 'PROCESSING' as const,
      attempts: column('attempts', '+', 1),
      // All bytes of a direct upload are here.
      bytes_received: sql<number>`case when url is null then bytes_received else 0 end`,
      bytes_total: sql<number | null>`case when url is null then bytes_total end`,
      lease_owner: lease.owner,
      lease_until: fromNow(lease.ms),
      updated_at: now,
    }))
    .where(
      'id',
      '=',
      sql<string>`(
        select waiting.id from media_uploads as waiting
        left join (
          select account_id, count(*) as imports from media_uploads
          where status = 'PROCESSING' and ${isLeased('lease_until')}
          group by account_id
        ) as held on held.account_id = waiting.account_id
        where ${isDue(due)}
        order by coalesce(held.imports, 0), waiting.id
        limit 1
        for update of waiting skip locked
      )`,
    )
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Whether there are imports that have not ended: only then can one be taken or given up. */
export async function hasOpenImports(db: Database): Promise<boolean> {
  const some = sql`select from media_uploads where status in ('PENDING', 'PROCESSING') limit 1`
  return (await executePrepared(db, some)).rows.length > 0
}

/** Whether an import waits that `takeNextImport` would take. */
export async function importWaits(db: Database, due: DueImports): Promise<boolean> {
  const { rows } = await sql`select from media_uploads as waiting where ${isDue(due)} limit 1`.execute(db)
  return rows.length > 0
}

const isDue = ({ maxAttempts, exceptAccounts }: DueImports) => sql<boolean>`
  waiting.status in ('PENDING', 'PROCESSING')
  and not ${isLeased('waiting.lease_until')}
  and waiting.attempts < ${maxAttempts}
  and not ${startIsHeld}
  and waiting.account_id <> all (${[...exceptAccounts]}::uuid[])`

/** Renews a lease from now and stores how far the import has come. False when another worker has taken over. */
export async function renewImport(
  db: Database,
  id: string,
  lease: ImportLease,
  progress: { received: number; total: number | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media_uploads')
    .set({
      lease_until: fromNow(lease.ms),
      bytes_received: progress.received,
      bytes_total: progress.total,
      updated_at: now,
    })
    .where('id', '=', id)
    .where('lease_owner', '=', lease.owner)
    .where('status', '=', 'PROCESSING')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Gives a lease back as if the attempt had not been made, so that another worker takes the import up at once. */
export async function releaseImport(db: Database, id: string, owner: string): Promise<void> {
  await db
    .updateTable('media_uploads')
    .set((column) => ({
      attempts: column('attempts', '-', 1),
      lease_owner: null,
      lease_until: null,
      updated_at: now,
    }))
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .where('status', '=', 'PROCESSING')
    .execute()
}

/** Ends an import without a media item (→ FAILED). False when another worker has taken over. */
export async function failImport(
  db: Database,
  id: string,
  owner: string,
  error: { code: MediaUploadErrorCode; message: string },
): Promise<boolean> {
  return endImport(db, id, owner, { status: 'FAILED', error_code: error.code, error_message: error.message })
}

/**
 * Ends an import with its media item (→ READY), which the caller has inserted in the same transaction. False when
 * another worker has taken over: then the caller rolls back.
 */
export async function finishImport(
  trx: Database,
  id: string,
  owner: string,
  result: { mediaId: string; bytes: number },
): Promise<boolean> {
  return endImport(trx, id, owner, {
    status: 'READY',
    media_id: result.mediaId,
    bytes_received: result.bytes,
    bytes_total: result.bytes,
  })
}

/** Nothing is fetched from it any more; what follows may open something for those who read it. */
const withoutQuery = sql<string | null>`regexp_replace(url, '[?#].*', '')`

/** The end of an import that its holder reports, with the lease given back. */
async function endImport(
  db: Database,
  id: string,
  owner: string,
  end: Updateable<Tables['media_uploads']>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media_uploads')
    .set({ ...end, url: withoutQuery, lease_owner: null, lease_until: null, updated_at: now })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .where('status', '=', 'PROCESSING')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Ends imports that no worker holds and whose attempts are used up (→ FAILED). Returns their ids. */
export async function failUsedUpImports(
  db: Database,
  options: { maxAttempts: number; error: { code: MediaUploadErrorCode; message: string } },
): Promise<string[]> {
  const rows = await db
    .updateTable('media_uploads')
    .set({
      status: 'FAILED',
      error_code: options.error.code,
      error_message: options.error.message,
      url: withoutQuery,
      lease_owner: null,
      lease_until: null,
      updated_at: now,
    })
    .where('status', 'in', open)
    .where('attempts', '>=', options.maxAttempts)
    .where(isFree)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

const isFree = sql<boolean>`not ${isLeased('lease_until')}`
