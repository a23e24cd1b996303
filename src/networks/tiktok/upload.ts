import { bareCall } from '../kit/api.ts'
import type { HttpFailure } from '../kit/http.ts'
import { failedPreparing, retryFrom } from '../kit/outcomes.ts'
import type { Stop } from '../kit/pending.ts'
import type { Attempt, MediaSource } from '../network.ts'
import { bytesThere, chunkEnd, isBoundary, lastChunkStart, planChunks } from './chunks.ts'
import { stopFor } from './creator.ts'
import { limits } from './manifest.ts'
import { errors } from './outcomes.ts'
import { videoBody } from './post-body.ts'
import { dropped, isUsable, readState, type Switches, type Upload } from './state.ts'
import { call, parseUpload } from './wire.ts'

/** A step of the publisher has ten minutes; after this many a new one goes on, so that time never runs out in a chunk. */
const STEP_MS = 4 * 60_000
const CHUNK_MS = 5 * 60_000
/** In small chunks the last one is smaller than this. */
const LARGE_BYTES = 2 * limits.chunkMinBytes.value
export const BUSY_PAUSE = 60_000
export const UNREADABLE = 'TikTok answered the upload in a way that could not be understood.'

/**
 * Sends everything of a video but its last chunk. Nothing becomes public before the last byte is there, so a lost answer
 * is no matter here: an upload whose answer was lost is begun again and the other one lapses, and a chunk is sent again.
 * Null when only the last chunk is left.
 */
export async function uploadVideo(attempt: Attempt, switches: Switches, source: MediaSource): Promise<Stop | null> {
  const { upload } = readState(attempt.handles)
  if (!upload || !isUsable(upload, attempt.now())) {
    await attempt.store(dropped)
    const stop = await begin(attempt, switches, source.facts.bytes)
    if (stop) return stop
  }
  return sendChunks(attempt, source)
}

/** Begins an upload of small chunks; of the fewest once the network has refused to take small ones (decision 0039). */
async function begin(attempt: Attempt, switches: Switches, size: number): Promise<Stop | null> {
  const few = readState(attempt.handles).fewChunks
  const plan = planChunks(size, { few })
  const begun = await call(attempt, {
    path: 'v2/post/publish/video/init/',
    json: videoBody(attempt, switches, size, plan),
    timeoutMs: 30_000,
    parse: parseUpload,
  })
  if (begun.kind === 'refused' && !few && planChunks(size, { few: true }).count < plan.count) {
    const { chunks } = errors.classify(begun.answer, attempt.now())
    if (chunks) {
      await attempt.store({ fewChunks: true })
      return begin(attempt, switches, size)
    }
  }
  if (begun.kind !== 'ok') return stopFor(attempt, begun)
  const { publishId, url } = begun.value
  if (!mayUploadTo(attempt, url)) {
    const message = 'TikTok named an address for the upload that is not secure. Check ALMANAC_TIKTOK_UPLOAD_URL.'
    return retryFrom('prepare', message)
  }
  const upload: Upload = {
    url,
    chunkSize: plan.chunkSize,
    size,
    uploaded: 0,
    since: attempt.now().toISOString(),
    spent: false,
  }
  await attempt.store({ publishId, upload })
  return null
}

/** In the open only to a host that the operator named. */
function mayUploadTo(attempt: Attempt, address: string): boolean {
  const url = new URL(address)
  return url.protocol === 'https:' || url.origin === new URL(attempt.endpoint('upload')).origin
}

async function sendChunks(attempt: Attempt, source: MediaSource): Promise<Stop | null> {
  const size = source.facts.bytes
  const began = attempt.now().getTime()
  for (;;) {
    const { upload } = readState(attempt.handles)
    if (!upload) throw new Error('An upload was begun and not kept.')
    const { uploaded: start, chunkSize } = upload
    if (start >= lastChunkStart(size, chunkSize)) return null
    if (attempt.now().getTime() - began > STEP_MS) return { kind: 'waiting', askAgainAt: attempt.now() }
    const sent = await sendChunk(attempt, source, upload)
    switch (sent.kind) {
      case 'failed':
        return failedPreparing(sent)
      case 'part':
        await keep(attempt, { ...upload, uploaded: chunkEnd(start, size, chunkSize) })
        break
      case 'range':
        if (!continuesAt(sent.there, upload, size)) return giveUp(attempt, upload)
        await keep(attempt, { ...upload, uploaded: sent.there })
        break
      case 'gone':
        return giveUp(attempt, upload)
      case 'busy':
        return busy(attempt)
      case 'all':
      case 'unclear':
        return retryFrom('prepare', UNREADABLE)
    }
  }
}

/** Whether the network waits for a chunk at this place, which is not the one that it was sent. */
export function continuesAt(there: number | null, { uploaded, chunkSize }: Upload, size: number): there is number {
  return there !== null && there !== uploaded && there < size && isBoundary(there, size, chunkSize)
}

async function giveUp(attempt: Attempt, upload: Upload): Promise<Stop> {
  await keep(attempt, { ...upload, spent: true })
  return retryFrom('prepare', 'TikTok no longer takes the upload; it is made again.')
}

export function busy(attempt: Attempt) {
  const notBefore = new Date(attempt.now().getTime() + BUSY_PAUSE)
  const message = 'TikTok has had too many requests and asks to wait.'
  return { kind: 'retry', notBefore, from: 'prepare', countsAsAttempt: false, message } as const
}

/** What people read when a last chunk did not arrive: a line too slow for a large one looks like one that breaks. */
export function notArrived(message: string, { size, chunkSize }: Upload): string {
  const bytes = size - lastChunkStart(size, chunkSize)
  if (bytes < LARGE_BYTES) return message
  const megabytes = Math.ceil(bytes / 1_000_000)
  return `${message} TikTok takes this video only in large parts: the last ${megabytes} MB have to arrive within half a minute. Export a smaller file, or use a faster line.`
}

export function keep(attempt: Attempt, upload: Upload): Promise<void> {
  return attempt.store({ upload })
}

/** What the network says to a chunk, by its status alone: the answers have no body that is documented. */
export type Sent =
  /** Taken, more to come. */
  | { kind: 'part' }
  /** Taken, and the file is complete. */
  | { kind: 'all' }
  /** Not taken: it waits for another range. So many bytes are there; null when it does not say. */
  | { kind: 'range'; there: number | null }
  /** Not taken, and nothing more will be. */
  | { kind: 'gone' }
  | { kind: 'busy' }
  | { kind: 'unclear' }
  | HttpFailure

/** Sends the next chunk. https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide, read 2026-11-21. */
export async function sendChunk(
  attempt: Attempt,
  source: MediaSource,
  { url, chunkSize, uploaded: start }: Upload,
  timeoutMs: number = CHUNK_MS,
): Promise<Sent> {
  const size = source.facts.bytes
  const end = chunkEnd(start, size, chunkSize)
  const sent = await bareCall(attempt, {
    method: 'PUT',
    path: url,
    headers: { 'content-range': `bytes ${start}-${end - 1}/${size}` },
    file: { source, range: { start, end } },
    timeoutMs,
    parse: (_, { status, headers }) => readSent(status, headers['content-range'], end === size),
  })
  if (sent.kind === 'refused') throw new TypeError('Every answer to a chunk is read.')
  return sent.kind === 'ok' ? sent.value : sent
}

function readSent(status: number, range: string | undefined, isLast: boolean): Sent {
  switch (status) {
    // The page does not name it; other programs take it, as what comes at this place.
    case 200:
      return { kind: isLast ? 'all' : 'part' }
    case 206:
      return { kind: 'part' }
    case 201:
      return { kind: 'all' }
    case 416:
      return { kind: 'range', there: bytesThere(range) }
    case 429:
      return { kind: 'busy' }
    default:
      return { kind: status >= 400 && status < 500 && status !== 408 ? 'gone' : 'unclear' }
  }
}
