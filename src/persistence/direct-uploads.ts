import { type RawBuilder, type Selectable, sql } from 'kysely'
import { LIMITS, type MediaUploadErrorCode } from '#contract'
import { type Database, inBatches, now, settledNow } from './database.ts'
import type { Removal } from './old-rows.ts'
import type { Tables } from './tables.ts'
import { isVisible, type Visible } from './visible.ts'

type Row = Selectable<Tables['media_uploads']>

/** Uploads whose bytes the client sends. src/importing/README.md has their states. */
interface NewDirectUpload {
  id: string
  accountId: string
  socialSetId: string
  name: string | null
  altText: string | null
  /** Null when it is known at the end only, as with a form. */
  bytesTotal: number | null
  /** Bytes of the month's allowance that it keeps. */
  reservedBytes: number
  /** The request that sends the bytes; null: another one will. */
  owner: string | null
  by: UploadedBy
}

/** The user or the key that begins an upload. */
interface UploadedBy {
  id: string | null
  name: string
  /** An agent, by that key. */
  agent?: true
}

/** A direct upload as a request finds it. */
interface FoundDirectUpload {
  row: Row
  /** Milliseconds until it expires without another byte; less than 0 when it has. Null of one that has all its bytes. */
  expiresInMs: number | null
}

const lastByteBefore = sql`(${settledNow} - make_interval(hours => ${LIMITS.uploadHours}::integer))`
const isReceiving = sql<boolean>`(status = 'RECEIVING' and received_at > ${lastByteBefore})`

/** Not ended and not expired; imports too. */
export const isOpen = sql<boolean>`(status in ('RECEIVING', 'PENDING', 'PROCESSING')
  and (status <> 'RECEIVING' or received_at > ${lastByteBefore}))`

/** No byte has come for so long that it makes room for others. It can be resumed all the same. */
export const isIdle = sql<boolean>`(status = 'RECEIVING'
  and received_at <= ${settledNow} - make_interval(mins => ${LIMITS.openUploads.idleMinutes}::integer))`

/** Locks a social set against other new uploads until the caller's transaction ends, and counts its open ones that are not idle. */
export async function countOpenOrReceiving(
  trx: Database,
  { accountId, socialSetId, by }: { accountId: string; socialSetId: string; by: string | null },
): Promise<{ all: number; own: number }> {
  await trx.selectFrom('social_sets').select('id').where('id', '=', socialSetId).forNoKeyUpdate().execute()
  return trx
    .selectFrom('media_uploads')
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .select(sql<number>`count(*) filter (where begun_by = ${by}::uuid)`.as('own'))
    .where('account_id', '=', accountId)
    .where('social_set_id', '=', socialSetId)
    .where(isOpen)
    .where(sql<boolean>`not ${isIdle}`)
    .executeTakeFirstOrThrow()
}

/** An upload whose bytes still arrive. */
interface UnfinishedUpload {
  id: string
  name: string | null
  bytesReceived: number
  /** Null of a form, which does not say. */
  bytesTotal: number | null
  by: { id: string; name: string } | null
  receivedAt: Date
  createdAt: Date
}

/** Those of a social set that can still be resumed, newest byte first. */
export async function listUnfinishedUploads(
  db: Database,
  { accountId, socialSetId }: { accountId: string; socialSetId: string },
): Promise<UnfinishedUpload[]> {
  const { rows } = await sql<UnfinishedUpload>`
    select id, name, bytes_received as "bytesReceived", bytes_total as "bytesTotal",
      case when begun_by is not null then json_build_object('id', begun_by, 'name', begun_by_name) end as by,
      received_at as "receivedAt", created_at as "createdAt"
    from media_uploads
    where account_id = ${accountId} and social_set_id = ${socialSetId} and ${isReceiving}
    order by received_at desc, id limit ${LIMITS.unfinishedUploadsShown}`.execute(db)
  return rows
}

/** Inserts an upload that is RECEIVING, or PENDING when it has no byte to wait for. */
export async function insertDirectUpload(trx: Database, upload: NewDirectUpload): Promise<Row> {
  return trx
    .insertInto('media_uploads')
    .values({
      id: upload.id,
      account_id: upload.accountId,
      social_set_id: upload.socialSetId,
      url: null,
      name: upload.name,
      alt_text: upload.altText,
      status: upload.bytesTotal === 0 ? 'PENDING' : 'RECEIVING',
      bytes_total: upload.bytesTotal,
      reserved_bytes: upload.reservedBytes,
      received_at: now,
      lease_owner: upload.owner,
      begun_by: upload.by.id,
      begun_by_name: upload.by.name,
      by_agent: upload.by.agent === true,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Finds a direct upload, counts the request, and takes the upload over from the request that had it, unless all its bytes are
 * here. Null for one that is absent or not seen, and for a form that still comes unless `forms`: it cannot be resumed.
 */
export async function takeDirectUpload(
  db: Database,
  visible: Visible,
  { id, owner, forms }: { id: string; owner: string; forms: boolean },
): Promise<FoundDirectUpload | null> {
  const { rows } = await sql<Row & { expires_in_ms: number }>`
    update media_uploads set requests = requests + 1,
      lease_owner = case when ${isReceiving} then ${owner} else lease_owner end
    where id = ${id} and url is null and (${forms} or status <> 'RECEIVING' or bytes_total is not null)
      and ${isVisible(visible, { account: 'account_id', socialSet: 'social_set_id' })}
    returning *, (extract(epoch from received_at - ${lastByteBefore}) * 1000)::float8 as expires_in_ms`.execute(db)
  const [found] = rows
  if (!found) return null
  const { expires_in_ms, ...row } = found
  return { row, expiresInMs: row.status === 'RECEIVING' ? expires_in_ms : null }
}

/**
 * Records how many bytes of an upload are on the disk. With the last one it is PENDING, which wakes a worker.
 * `lost`: another request has taken it over, or it is gone or has ended.
 */
export async function recordReceived(
  db: Database,
  { id, owner, bytes }: { id: string; owner: string; bytes: number },
): Promise<'receiving' | 'complete' | 'lost'> {
  const complete = sql<boolean>`(bytes_total is not null and bytes_total = ${bytes}::bigint)`
  const { rows } = await sql<{ status: Row['status'] }>`
    update media_uploads set
      status = case when ${complete} then 'PENDING' else status end,
      lease_owner = case when ${complete} then null else lease_owner end,
      reserved_bytes = case when bytes_total is null then greatest(reserved_bytes, ${bytes}::bigint) else reserved_bytes end,
      received_at = case when bytes_received < ${bytes}::bigint then ${now} else received_at end,
      updated_at = case when bytes_received < ${bytes}::bigint then ${now} else updated_at end,
      bytes_received = ${bytes}::bigint
    where ${isHeldBy(id, owner)}
    returning status`.execute(db)
  const [row] = rows
  if (!row) return 'lost'
  return row.status === 'PENDING' ? 'complete' : 'receiving'
}

/** Ends the receiving of an upload whose length was not known (→ PENDING). Null when it is not there any more. */
export async function completeDirectUpload(
  trx: Database,
  { id, owner, bytes }: { id: string; owner: string; bytes: number },
): Promise<Row | null> {
  const { rows } = await sql<Row>`
    update media_uploads set status = 'PENDING', lease_owner = null, bytes_received = ${bytes}::bigint,
      bytes_total = ${bytes}::bigint, reserved_bytes = ${bytes}::bigint, received_at = ${now}, updated_at = ${now}
    where ${isHeldBy(id, owner)}
    returning *`.execute(trx)
  return rows[0] ?? null
}

/** Keeps the picture that stands for a video, the first one alone. False when there is one, or the upload has ended or is gone. */
export async function keepPoster(db: Database, { id, key }: { id: string; key: string }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update media_uploads set poster_key = ${key}
    where id = ${id} and poster_key is null and status in ('RECEIVING', 'PENDING', 'PROCESSING')`.execute(db)
  return numAffectedRows === 1n
}

/** The file of an upload's poster; null without one. Ask it under the lock of the row: it may still come. */
export async function posterOf(trx: Database, id: string): Promise<string | null> {
  const row = await trx.selectFrom('media_uploads').select('poster_key').where('id', '=', id).executeTakeFirst()
  return row?.poster_key ?? null
}

/** Removes the row of an upload whose bytes still arrive. False when this request does not have it any more. */
export async function removeDirectUpload(db: Database, id: string, owner: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from media_uploads where ${isHeldBy(id, owner)}`.execute(db)
  return numAffectedRows === 1n
}

/** Ends an upload whose bytes still arrive, without a media item (→ FAILED). */
export async function failDirectUpload(
  db: Database,
  { id, owner, error }: { id: string; owner: string; error: UploadError },
): Promise<void> {
  await failWhere(isHeldBy(id, owner), error).execute(db)
}

/** Ends the uploads whose last byte is too long ago (→ FAILED). */
export function failExpiredUploads(db: Database, { batch = 500, signal }: Removal = {}): Promise<number> {
  return inBatches({ batch, signal }, async () => {
    const expired = sql<boolean>`id = any(array(
      select id from media_uploads where status = 'RECEIVING' and received_at <= ${lastByteBefore}
      limit ${batch} for update skip locked))`
    return (await failWhere(expired, EXPIRED).execute(db)).numAffectedRows
  })
}

/** Those of the given ids that are no direct uploads which have not ended: their arrived bytes are of no use. */
export async function endedDirectUploads(db: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id::text as id from unnest(${[...ids]}::uuid[]) as id
    where not exists (select from media_uploads where media_uploads.id = id.id and url is null
      and status in ('RECEIVING', 'PENDING', 'PROCESSING'))`.execute(db)
  return rows.map(({ id }) => id)
}

interface UploadError {
  code: MediaUploadErrorCode
  message: string
}

const EXPIRED: UploadError = {
  code: 'media-upload:interrupted',
  message: `No bytes arrived for ${LIMITS.uploadHours} hours. Upload the file again.`,
}

const isHeldBy = (id: string, owner: string) =>
  sql<boolean>`(id = ${id} and lease_owner = ${owner} and status = 'RECEIVING')`

const failWhere = (which: RawBuilder<boolean>, { code, message }: UploadError) => sql`
  update media_uploads set status = 'FAILED', error_code = ${code}, error_message = ${message}, lease_owner = null,
    updated_at = ${now}
  where ${which}`
