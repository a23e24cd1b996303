import type { Readable } from 'node:stream'
import { ProblemError } from '#contract'
import { isId, newId } from '#domain'
import { type ReceiveDeps, type ReceivedUpload, ReceivingStoppedError, receive, type StopReason } from '#importing'
import { type Database, type MediaUploadRow, removeDirectUpload, takeDirectUpload } from '#persistence'
import { type Caller, maySee, requireRight } from '../../caller.ts'
import { diskFull } from './begin.ts'

export type { ReceiveDeps }

/** An upload as the request that has it now sees it. */
export interface TakenUpload {
  id: string
  /** Of this request. */
  owner: string
  /** Of a form that still comes, which has no length: what is here of it. */
  bytesTotal: number
  /** Bytes that are on the disk. */
  offset: number
  /** Milliseconds until it expires without another byte; null when all bytes are here. */
  expiresInMs: number | null
  /** Requests that asked for it or sent bytes, this one included. */
  requests: number
  row: MediaUploadRow
}

/**
 * Takes over an upload from the request that had it, to report its offset, to continue or to remove it.
 *
 * @param forms whether a form that still comes is meant too; it can be removed, and nothing else
 * @returns null for one that is absent, another account's, outside of what is seen, or no upload that can be resumed
 * @throws ProblemError `auth:insufficient_scope`
 */
export async function takeUpload(
  db: Database,
  caller: Caller,
  id: string,
  { forms = false } = {},
): Promise<TakenUpload | null> {
  requireRight(caller, 'media:write')
  const owner = newId()
  const found = isId(id) ? await takeDirectUpload(db, caller, { id: id.toLowerCase(), owner, forms }) : null
  if (!found) return null
  const { row, expiresInMs } = found
  const offset = row.bytes_received
  return { id: row.id, owner, bytesTotal: row.bytes_total ?? offset, offset, expiresInMs, requests: row.requests, row }
}

/** @throws ProblemError `media-upload:expired` for an upload that has ended before all its bytes were here */
export function requireAlive({ expiresInMs, offset, bytesTotal, row }: TakenUpload): void {
  const over = expiresInMs === null ? row.status === 'FAILED' && offset < bytesTotal : expiresInMs <= 0
  if (!over) return
  throw expired(row.error_message ?? 'No byte has arrived for too long. Upload the file again.')
}

/** @throws ProblemError `media-upload:not_found` when an upload is another account's, or outside of what is seen */
export function requireSeen(caller: Caller, row: Pick<MediaUploadRow, 'account_id' | 'social_set_id'>): void {
  if (caller.accountId !== row.account_id || !maySee(caller, row.social_set_id)) throw uploadNotFound()
}

export function uploadNotFound(): ProblemError {
  return new ProblemError('media-upload:not_found', 'No media upload has this id.')
}

/**
 * Receives bytes of an upload that this request holds.
 *
 * @returns the new offset
 * @throws ProblemError `request:timeout`, `media-upload:taken_over`, `media-upload:expired`, `service:unavailable`; else the
 *   error of the stream, or that of `stillAllowed`
 */
export async function continueUpload(deps: ReceiveDeps, upload: ReceivedUpload, source: Readable): Promise<number> {
  try {
    return await receive(deps, upload, source)
  } catch (error) {
    throw error instanceof ReceivingStoppedError ? STOPPED[error.reason]() : error
  }
}

const CLOSE = { connection: 'close' }
/** @param advice what the client does then */
export const tooSlow = (advice: string) =>
  new ProblemError('request:timeout', `Too few bytes came in 30 s. ${advice}`, { headers: CLOSE })

const STOPPED: Record<StopReason, () => ProblemError> = {
  slow: () => tooSlow('Ask for the offset and go on from there.'),
  'taken-over': () =>
    new ProblemError('media-upload:taken_over', 'Another request continues this upload now, or it was ended.', {
      headers: CLOSE,
    }),
  'disk-full': diskFull,
  ending: () =>
    new ProblemError('service:unavailable', 'This process is stopping. Ask for the offset and go on from there.', {
      headers: { 'retry-after': '1', ...CLOSE },
    }),
  gone: () => expired('What had arrived of the file is gone. Upload it again.'),
}

function expired(detail: string): ProblemError {
  return new ProblemError('media-upload:expired', detail)
}

/**
 * Cancels an upload that is still arriving, as if it had not been begun. One that has all its bytes stays as it is.
 *
 * @throws ProblemError `media-upload:taken_over` when another request continues it now
 */
export async function removeUpload(
  { db, store }: Pick<ReceiveDeps, 'db' | 'store'>,
  { id, owner, row }: Pick<TakenUpload, 'id' | 'owner' | 'row'>,
): Promise<void> {
  if (row.status !== 'RECEIVING') return
  if (!(await removeDirectUpload(db, id, owner))) throw STOPPED['taken-over']()
  await store.arriving.remove(id)
}
