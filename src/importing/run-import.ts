import type { Readable } from 'node:stream'
import type { MediaFacts, MediaUploadErrorCode, PlanCatalog } from '#contract'
import { newId, shownAddress } from '#domain'
import {
  ArrivedBytesMissingError,
  type GuardedFetch,
  MediaFailure,
  type MediaStore,
  makeThumbnail,
  type PictureProcesses,
  probe,
  type StoredFile,
} from '#media'
import {
  type Database,
  failImport,
  finishImport,
  type ImportLease,
  insertMediaItem,
  LeaseLostError,
  type MediaUploadRow,
  posterOf,
  releaseImport,
  renewImport,
  underLease,
} from '#persistence'
import { nameOfUrl } from './name-of-url.ts'
import { claimRoom, planRoom } from './plan-room.ts'
import { ARRIVED_IS_GONE } from './receive.ts'
import type { ImporterSettings } from './settings.ts'

/** The moments of an import at which a worker can be stopped, in their order. */
export const IMPORT_STEPS = ['lease-taken', 'downloading', 'stored', 'before-finish', 'finished'] as const
export type ImportStep = (typeof IMPORT_STEPS)[number]

/** Hears of every step; the import waits for it. A no-op outside tests. */
export type ImportSignals = (step: ImportStep, uploadId: string) => void | Promise<void>

/** How an import ends. */
export type ImportEnd = 'READY' | 'FAILED'

export interface RunImportDeps {
  db: Database
  store: MediaStore
  fetch: Pick<GuardedFetch, 'download'>
  /** Default: those of this process. */
  pictures?: PictureProcesses
  plans: PlanCatalog
  settings: ImporterSettings
  /** One account's turns follow each other; those of several accounts do not wait for each other. */
  inTurn<T>(accountId: string, work: () => Promise<T>, signal: AbortSignal): Promise<T>
  signals: ImportSignals
  /** Called with each import that has ended; for figures. */
  onEnd?: ((state: ImportEnd) => void) | undefined
  log: {
    info(fields: object, message: string): void
    warn(fields: object, message: string): void
    error(fields: object, message: string): void
  }
}

/** A file in the store that can be used. */
interface Arrived {
  kind: 'ok'
  /** How the server calls it, or its address; null of what a client has sent. */
  name: string | null
  stored: StoredFile
  facts: MediaFacts
  thumbnailKey: string | null
}
type Failed = { kind: 'failed'; code: MediaUploadErrorCode; message: string }

/**
 * Works on one import, whose lease was taken, until it has ended, belongs to another worker, or `breakOff` aborts: then
 * the lease is given back. What can go wrong ends in the row, as README.md says; rejects only when the database is away.
 */
export async function runImport(
  deps: RunImportDeps,
  upload: MediaUploadRow,
  lease: ImportLease,
  breakOff: AbortSignal,
): Promise<void> {
  const { db, log, settings } = deps
  // What a client has sent is there already; an import begins with nothing.
  const progress = { received: upload.bytes_received, total: upload.bytes_total }
  // What no row names yet: removed unless a row may name it.
  const loose = new Set<string>()
  const kept = {
    ms: lease.ms,
    everyMs: settings.progressMs,
    renew: () => renewImport(db, upload.id, lease, progress),
    onError: (error: unknown) => log.warn({ upload: upload.id, error }, 'The lease of an import could not be renewed'),
  }
  try {
    await underLease(kept, (lost) => runHeld(deps, upload, lease, { breakOff, lost }, progress, loose))
  } finally {
    for (const key of loose) await deps.store.remove(key)
  }
}

/** Works on an import whose lease is kept. `progress` is written with each renewal. */
async function runHeld(
  deps: RunImportDeps,
  upload: MediaUploadRow,
  lease: ImportLease,
  { breakOff, lost }: { breakOff: AbortSignal; lost: AbortSignal },
  progress: Progress,
  loose: Set<string>,
): Promise<void> {
  const { db, log } = deps
  const about = { upload: upload.id, host: upload.url === null ? null : new URL(upload.url).host }
  try {
    await deps.signals('lease-taken', upload.id)
    const arrived = await bringIn(deps, upload, AbortSignal.any([breakOff, lost]), progress, loose)
    await deps.signals('before-finish', upload.id)
    const outcome = arrived.kind === 'failed' ? arrived : await finish(deps, upload, lease, arrived, loose)
    if (outcome.kind === 'failed') {
      // What fails while it is broken off may have failed of that: it is tried again.
      breakOff.throwIfAborted()
      if (!(await failImport(db, upload.id, lease.owner, outcome))) throw new LeaseLostError('The lease was lost.')
      log.info({ ...about, code: outcome.code }, 'An import failed')
    } else {
      log.info({ ...about, bytes: outcome.stored.bytes }, 'An import is ready')
    }
    if (upload.url === null) await deps.store.arriving.remove(upload.id)
    deps.onEnd?.(outcome.kind === 'failed' ? 'FAILED' : 'READY')
    await deps.signals('finished', upload.id)
  } catch (error) {
    if (error instanceof LeaseLostError || lost.aborted) log.warn(about, 'An import went to another worker')
    else if (breakOff.aborted) await releaseImport(db, upload.id, lease.owner)
    else log.error({ ...about, error }, 'An import was cut off by an error of ours and will be tried again')
  }
}

/** Fetches or takes what a client has sent, stores and measures. Rejects when `signal` aborts or something of ours is broken. */
async function bringIn(
  deps: RunImportDeps,
  upload: MediaUploadRow,
  signal: AbortSignal,
  progress: Progress,
  loose: Set<string>,
): Promise<Arrived | Failed> {
  const { settings, store } = deps
  const room = await planRoom(deps.db, deps.plans, ownerOf(upload))
  if (!room) throw new LeaseLostError('The account is gone.')
  if (room.refusal && room.bytes <= 0) return room.refusal
  const maxBytes = Math.min(settings.maxBytes, room.bytes)
  const failed = (failure: Omit<Failed, 'kind'>): Failed =>
    failure.code === 'media-upload:too_large' && room.refusal && room.bytes < settings.maxBytes
      ? room.refusal
      : { kind: 'failed', code: failure.code, message: failure.message }
  const source =
    upload.url === null
      ? await openArrived(deps, upload, progress)
      : await deps.fetch.download(upload.url, {
          signal,
          maxBytes,
          timeoutMs: settings.downloadMs,
          idleTimeoutMs: settings.idleMs,
          idleBytes: settings.idleBytes,
          onProgress: (received, total) => Object.assign(progress, { received, total }),
        })
  if (source.kind === 'failed') return failed(source)
  await deps.signals('downloading', upload.id)
  let stored: StoredFile
  try {
    stored = await store.put(source.stream, { signal, maxBytes })
  } catch (error) {
    if (error instanceof MediaFailure) return failed(error)
    throw error
  }
  loose.add(stored.key)
  await deps.signals('stored', upload.id)
  signal.throwIfAborted()
  const name = source.name ?? (upload.url === null || !('url' in source) ? null : nameOfUrl(upload.url, source.url))
  return deps.inTurn(upload.account_id, () => lookAt(deps, { stored, name }, signal, loose), signal)
}

const ownerOf = ({ account_id: accountId, id: uploadId, begun_by: begunBy }: MediaUploadRow) => ({
  accountId,
  uploadId,
  begunBy,
})

/** What a client has sent, all of it. */
async function openArrived(
  { store }: RunImportDeps,
  { id, bytes_total: bytes }: MediaUploadRow,
  progress: Progress,
): Promise<{ kind: 'ok'; stream: Readable; name: null } | Failed> {
  if (bytes === null) throw new Error('A direct upload has no length.')
  Object.assign(progress, { received: bytes, total: bytes })
  try {
    return { kind: 'ok', stream: await store.arriving.read(id, bytes), name: null }
  } catch (error) {
    if (error instanceof ArrivedBytesMissingError) return { kind: 'failed', ...ARRIVED_IS_GONE }
    throw error
  }
}

/** Measures a stored file and makes its thumbnail. */
async function lookAt(
  { store, pictures: processes }: RunImportDeps,
  { stored, name }: Pick<Arrived, 'stored' | 'name'>,
  signal: AbortSignal,
  loose: Set<string>,
): Promise<Arrived | Failed> {
  try {
    const probed = await probe(store, stored.key, { signal, processes })
    if (probed.kind === 'failed') return probed
    const thumbnail = await makeThumbnail(store, stored.key, { signal, processes })
    if (thumbnail) loose.add(thumbnail.key)
    signal.throwIfAborted()
    return { kind: 'ok', name, stored, facts: probed.facts, thumbnailKey: thumbnail?.key ?? null }
  } catch (error) {
    if (error instanceof MediaFailure) return { kind: 'failed', code: error.code, message: error.message }
    throw error
  }
}

/** The item, its count for the plan and the end of the import: one transaction. Failed: the plan does not allow it. */
async function finish(
  deps: RunImportDeps,
  upload: MediaUploadRow,
  lease: ImportLease,
  arrived: Arrived,
  loose: Set<string>,
): Promise<Arrived | Failed> {
  const { stored, facts, thumbnailKey } = arrived
  const files = [...loose]
  // From here on rows may name the files, even when the answer to the commit is lost. Then they stay.
  loose.clear()
  try {
    const claimed = await deps.db.transaction().execute(async (trx) => {
      const claim = await claimRoom(trx, deps.plans, ownerOf(upload), stored.bytes)
      if (claim === 'gone') throw new LeaseLostError('The account is gone.')
      if (claim !== 'ok') return claim
      const progress = { received: stored.bytes, total: stored.bytes }
      if (!(await renewImport(trx, upload.id, lease, progress))) throw new LeaseLostError('The lease was lost.')
      const mediaId = newId()
      // Of what turns out to be a picture no row will name it: a chore removes the file.
      const posterKey = facts.type === 'VIDEO' ? await posterOf(trx, upload.id) : null
      await insertMediaItem(trx, {
        id: mediaId,
        accountId: upload.account_id,
        socialSetId: upload.social_set_id,
        name: upload.name ?? arrived.name ?? 'Upload',
        altText: upload.alt_text,
        facts,
        sha256: Buffer.from(stored.sha256, 'hex'),
        storageKey: stored.key,
        thumbnailKey: thumbnailKey ?? posterKey,
        source: upload.url === null ? 'UPLOAD' : 'URL',
        sourceUrl: upload.url === null ? null : shownAddress(upload.url),
        agent: upload.by_agent ? upload.begun_by_name : null,
      })
      if (!(await finishImport(trx, upload.id, lease.owner, { mediaId, bytes: stored.bytes }))) {
        throw new LeaseLostError('The lease was lost.')
      }
      return arrived
    })
    // Nothing was written.
    if (claimed.kind === 'failed') for (const key of files) loose.add(key)
    return claimed
  } catch (error) {
    // Certain not to be committed: the row was not ours.
    if (error instanceof LeaseLostError) for (const key of files) loose.add(key)
    throw error
  }
}

interface Progress {
  received: number
  total: number | null
}
