import { MINUTE_MS } from '#contract/durations'
import { bareCall } from '../kit/api.ts'
import { failedPreparing, retryFrom } from '../kit/outcomes.ts'
import type { Stop } from '../kit/pending.ts'
import type { Attempt, MediaSource } from '../network.ts'
import { limits } from './manifest.ts'
import { errors, stopFor } from './outcomes.ts'
import { isForInbox, videoBody } from './post-body.ts'
import { dropped, isUsable, readState, type Upload } from './state.ts'
import { call, parseUpload } from './wire.ts'

/** A step of the publisher has ten minutes; after this many a new one goes on, so that time never runs out in a chunk. */
const STEP_MS = 4 * MINUTE_MS
const CHUNK_MS = 5 * MINUTE_MS
const BUSY_PAUSE = 60_000
/** In small chunks the last one is smaller than this. */
const LARGE_BYTES = 2 * limits.chunkMinBytes.value
export const UNREADABLE = 'TikTok answered the upload in a way that could not be understood.'

/**
 * Divides a file as the network wants it: `count` is the size by the chunk's, rounded down, the rest goes with the last chunk,
 * and what is one chunk is a chunk of its size. Chunks are as small as they may be, because the last one is the visible call, which has half a minute: it is
 * always smaller than 10 MiB.
 *
 * @param few the fewest that are allowed, for apps from which TikTok takes no small ones: one up to 64 MB, equal ones of at
 * most 64 MB for more (decision 0039)
 */
export function planChunks(size: number, few = false): { chunkSize: number; count: number } {
  const { chunkMinBytes, chunkMaxBytes } = limits
  const count = few ? Math.ceil(size / chunkMaxBytes.value) : Math.floor(size / chunkMinBytes.value)
  if (count < 2) return { chunkSize: size, count: 1 }
  return { chunkSize: few ? Math.floor(size / count) : chunkMinBytes.value, count }
}

type Chunks = Pick<Upload, 'size' | 'chunkSize'>

/** Where the last chunk begins. */
export const lastChunkStart = ({ size, chunkSize }: Chunks): number => (Math.floor(size / chunkSize) - 1) * chunkSize

/** End of the chunk that begins at `start`, exclusive. */
export const chunkEnd = (start: number, chunks: Chunks): number =>
  start >= lastChunkStart(chunks) ? chunks.size : start + chunks.chunkSize

/**
 * Sends everything of a video but its last chunk. Nothing becomes public before the last byte is there, so a lost answer
 * is no matter here: an upload whose answer was lost is begun again and the other one lapses, and a chunk is sent again.
 * Null when only the last chunk is left.
 */
export async function uploadVideo(attempt: Attempt, source: MediaSource): Promise<Stop | null> {
  const { upload } = readState(attempt.handles)
  if (!upload || !isUsable(upload, attempt.now())) {
    await attempt.store(dropped)
    const stop = await begin(attempt, source.facts.bytes)
    if (stop) return stop
  }
  return sendChunks(attempt, source)
}

/** Begins an upload of small chunks; of the fewest once the network has refused to take small ones (decision 0039). */
async function begin(attempt: Attempt, size: number): Promise<Stop | null> {
  const few = readState(attempt.handles).fewChunks
  const plan = planChunks(size, few)
  const canBeFewer = planChunks(size, true).count < plan.count
  const inbox = isForInbox(attempt.account.defaults)
  const tooMany = inbox ? await countShell(attempt) : null
  if (tooMany) return tooMany
  const begun = await call(attempt, {
    path: inbox ? 'v2/post/publish/inbox/video/init/' : 'v2/post/publish/video/init/',
    json: videoBody(attempt, size, plan),
    timeoutMs: 30_000,
    parse: parseUpload,
  })
  // What never left, and what was refused, has left nothing behind.
  const isClear = begun.kind === 'failed' ? !begun.sent : begun.kind === 'ok' || begun.answer.status < 500
  if (inbox && isClear) await attempt.store({ shells: null })
  if (begun.kind === 'refused' && canBeFewer && errors.classify(begun.answer, attempt.now()).chunks) {
    await attempt.store({ fewChunks: true })
    return begin(attempt, size)
  }
  if (begun.kind !== 'ok') return stopFor(attempt, begun)
  const { publishId, url } = begun.value
  const { protocol, origin } = new URL(url)
  // In the open only to a host that the operator named.
  if (protocol !== 'https:' && origin !== new URL(attempt.endpoint('upload')).origin) {
    const message = 'TikTok named an address for the upload that is not secure. Check ALMANAC_TIKTOK_UPLOAD_URL.'
    return retryFrom('prepare', message)
  }
  const { chunkSize } = plan
  const upload: Upload = { url, chunkSize, size, uploaded: 0, since: attempt.now().toISOString(), spent: false }
  await attempt.store({ publishId, upload })
  return null
}

/** So many in a row may be begun for the inbox without an answer: each may count among the few that the network holds. */
const MOST_SHELLS = 2

/** Counts a beginning for the inbox before it is made. A wait once there are too many, until all of them have lapsed. */
async function countShell(attempt: Attempt): Promise<Stop | null> {
  const now = attempt.now()
  const { shells } = readState(attempt.handles)
  const lapseAt = shells && new Date(new Date(shells.since).getTime() + limits.uploadMinutes.value * MINUTE_MS)
  const there = shells && lapseAt && lapseAt > now ? shells.count : 0
  if (there >= MOST_SHELLS) {
    const message =
      'TikTok did not answer when uploads for the inbox were begun. They lapse within an hour; then another begins.'
    return { kind: 'retry', notBefore: lapseAt, from: 'prepare', countsAsAttempt: false, message }
  }
  await attempt.store({ shells: { count: there + 1, since: now.toISOString() } })
  return null
}

async function sendChunks(attempt: Attempt, source: MediaSource): Promise<Stop | null> {
  const began = attempt.now().getTime()
  for (;;) {
    const { upload } = readState(attempt.handles)
    if (!upload) throw new Error('An upload was begun and not kept.')
    if (upload.uploaded >= lastChunkStart(upload)) return null
    if (attempt.now().getTime() - began > STEP_MS) return { kind: 'waiting', askAgainAt: attempt.now() }
    const sent = await sendChunk(attempt, source, upload)
    if (sent.kind === 'failed') return failedPreparing(sent)
    if (sent.kind === 'busy') return busy(attempt)
    if (sent.kind === 'unclear') return retryFrom('prepare', UNREADABLE)
    if (sent.kind === 'gone' || !continuesAt(sent.bytes, upload)) return giveUp(attempt, upload)
    await attempt.store({ upload: { ...upload, uploaded: sent.bytes } })
  }
}

/** Whether the network waits for a chunk at this place, which is not the one that it was sent. */
export function continuesAt(there: number | null, upload: Upload): there is number {
  const isPlace = there !== null && there % upload.chunkSize === 0 && there <= lastChunkStart(upload)
  return isPlace && there !== upload.uploaded
}

/** The network takes no more bytes at the address: another upload is begun. */
export async function giveUp(attempt: Attempt, upload: Upload) {
  await attempt.store({ upload: { ...upload, spent: true } })
  return retryFrom('prepare', 'TikTok no longer takes the upload; it is made again.')
}

export function busy(attempt: Attempt) {
  const notBefore = new Date(attempt.now().getTime() + BUSY_PAUSE)
  const message = 'TikTok has had too many requests and asks to wait.'
  return { kind: 'retry', notBefore, from: 'prepare', countsAsAttempt: false, message } as const
}

/** What people read when a last chunk did not arrive: a line too slow for a large one looks like one that breaks. */
export function notArrived(message: string, upload: Upload): string {
  const bytes = upload.size - lastChunkStart(upload)
  if (bytes < LARGE_BYTES) return message
  const megabytes = Math.ceil(bytes / 1_000_000)
  return `${message} TikTok takes this video only in large parts: the last ${megabytes} MB have to arrive within half a minute. Export a smaller file, or use a faster line.`
}

/** Sends the next chunk. https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide, read 2026-11-21. */
export async function sendChunk(attempt: Attempt, source: MediaSource, upload: Upload, timeoutMs = CHUNK_MS) {
  const { url, size, uploaded: start } = upload
  const end = chunkEnd(start, upload)
  const sent = await bareCall(attempt, {
    method: 'PUT',
    path: url,
    headers: { 'content-range': `bytes ${start}-${end - 1}/${size}` },
    file: { source, range: { start, end } },
    timeoutMs,
    parse: (_, { status, headers }) => readSent(status, headers['content-range'], end, end === size),
  })
  if (sent.kind === 'refused') return { kind: 'unclear' } as const
  return sent.kind === 'ok' ? sent.value : sent
}

/**
 * What the network says to a chunk, by its status alone: the answers have no body that is documented. `there`: so many
 * bytes, with this chunk or without it; null when it does not say. `gone`: not taken, and nothing more will be.
 */
function readSent(status: number, range: string | undefined, end: number, isLast: boolean) {
  // 206 means more to come, 201 that the file is complete. The page does not name 200; other programs take it for either.
  if (status === 200 || status === (isLast ? 201 : 206)) return { kind: 'there', bytes: end } as const
  if (status === 416) return { kind: 'there', bytes: bytesThere(range) } as const
  if (status === 429) return { kind: 'busy' } as const
  const isGone = status >= 400 && status < 500 && status !== 408
  return isGone ? ({ kind: 'gone' } as const) : ({ kind: 'unclear' } as const)
}

/** Number of bytes that are there, of a `Content-Range: bytes 0-9999999/50000123`; null when it does not say. */
function bytesThere(contentRange: string | undefined): number | null {
  const last = /^bytes[ =]0-(\d+)\/(?:\d+|\*)$/.exec(contentRange?.trim() ?? '')?.[1]
  return last === undefined ? null : Number(last) + 1
}
