import type { Readable } from 'node:stream'
import type { MediaUploadErrorCode } from '#contract'
import { ArrivedBytesMissingError, type ArrivingFile, type MediaStore } from '#media'
import { type Database, failDirectUpload, recordReceived } from '#persistence'
import { watchProgress } from './watch-progress.ts'

/** Times in milliseconds. */
interface ReceiveSettings {
  /** Bytes are synced and recorded this often while they arrive. */
  recordMs: number
  /** Time in which a client has to send `idleBytes`, or the rest. */
  idleMs: number
  idleBytes: number
  /** The right to send is looked at this often. */
  checkMs: number
}

export const receiveDefaults: ReceiveSettings = { recordMs: 1_000, idleMs: 30_000, idleBytes: 64_000, checkMs: 10_000 }

/**
 * Why receiving stopped before the end of the stream: the client is too slow, another request has the upload now, the disk is
 * nearly full, this process ends, or what had arrived is gone.
 */
export type StopReason = 'slow' | 'taken-over' | 'disk-full' | 'ending' | 'gone'

/** Receiving stopped for a reason of ours. What came before is recorded, unless another request has the upload. */
export class ReceivingStoppedError extends Error {
  override name = 'ReceivingStoppedError'
  readonly reason: StopReason

  constructor(reason: StopReason) {
    super(`Receiving stopped: ${reason}.`)
    this.reason = reason
  }
}

export interface ReceiveDeps {
  db: Database
  store: MediaStore
  settings: ReceiveSettings
  /** Aborts when the process ends. */
  ending: AbortSignal
  log: { warn(fields: object, message: string): void }
}

/** An upload whose bytes come. */
export interface ReceivedUpload {
  id: string
  /** The request that has it. */
  owner: string
  /** What its row has. */
  offset: number
  /** Rejects when no more bytes of this client may be taken. */
  stillAllowed(): Promise<void>
}

/** Why an upload of which bytes are missing has failed. */
export const ARRIVED_IS_GONE: { code: MediaUploadErrorCode; message: string } = {
  code: 'media-upload:interrupted',
  message: 'What had arrived of the file is gone. Upload it again.',
}

/**
 * Writes a stream behind the bytes that an upload has, and records in its row what is on the disk: while bytes arrive, and
 * when the stream ends, breaks off or is stopped. The stream is read to its end or destroyed.
 *
 * @returns how many bytes the upload has now
 * @throws ReceivingStoppedError, what `stillAllowed` rejected with, or the stream's own error when it broke off
 */
export async function receive(
  { db, store, settings, ending, log }: ReceiveDeps,
  upload: ReceivedUpload,
  source: Readable,
): Promise<number> {
  const { id, owner, offset, stillAllowed } = upload
  const file = await openArriving({ db, store }, upload)
  let written = offset
  let complete = false
  const stop = (reason: StopReason) => void source.destroy(new ReceivingStoppedError(reason))
  // A disk reports once that it has lost what was written: what comes after is believed no more.
  let lost = false
  const record = async () => {
    if (complete || lost) return
    const bytes = written
    await file.sync().catch((error: unknown) => {
      lost = true
      throw error
    })
    const state = await recordReceived(db, { id, owner, bytes })
    if (state === 'lost') throw new ReceivingStoppedError('taken-over')
    complete = state === 'complete'
  }
  let recording: Promise<void> | null = null
  let checkedAt = performance.now()
  const keepRecording = async () => {
    await record()
    if ((await store.room()) <= 0) throw new ReceivingStoppedError('disk-full')
    if (performance.now() - checkedAt < settings.checkMs) return
    await stillAllowed()
    checkedAt = performance.now()
  }
  const timer = setInterval(() => {
    recording ??= keepRecording()
      .catch((error: Error) => void source.destroy(error))
      .finally(() => {
        recording = null
      })
  }, settings.recordMs)
  const idle = watchProgress(settings, () => stop('slow'))
  const end = () => stop('ending')
  ending.addEventListener('abort', end, { once: true })
  if (ending.aborted) end()

  let broken: unknown = null
  try {
    for await (const bytes of source as AsyncIterable<Buffer>) {
      idle.came(bytes.length)
      await file.write(bytes)
      written += bytes.length
      idle.wait()
    }
  } catch (error) {
    broken = error
  }
  clearInterval(timer)
  idle.stop()
  ending.removeEventListener('abort', end)
  await recording
  // What came is kept, however it ended.
  await record().catch((error: unknown) => {
    if (broken === null) broken = error
    else if (!(error instanceof ReceivingStoppedError))
      log.warn({ upload: id, error }, 'What arrived of an upload could not be recorded')
  })
  await file.close()
  if (broken !== null) throw isFull(broken) ? new ReceivingStoppedError('disk-full') : broken
  return written
}

/** An upload whose bytes are gone ends here: it could never be completed. */
async function openArriving(
  { db, store }: Pick<ReceiveDeps, 'db' | 'store'>,
  { id, owner, offset }: { id: string; owner: string; offset: number },
): Promise<ArrivingFile> {
  try {
    return await store.arriving.write(id, offset)
  } catch (error) {
    if (!(error instanceof ArrivedBytesMissingError)) throw error
    await failDirectUpload(db, { id, owner, error: ARRIVED_IS_GONE })
    throw new ReceivingStoppedError('gone')
  }
}

const isFull = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
