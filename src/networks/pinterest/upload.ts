import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Attempt, MediaSource, PrepareOutcome } from '../network.ts'
import type { HttpResult } from '../toolkit/http.ts'
import { failedPreparing, retryFrom, whilePreparing } from '../toolkit/outcomes.ts'
import { manifest } from './manifest.ts'
import { judge } from './outcomes.ts'
import { dropped, readState } from './state.ts'
import { call, parseMedia, parseUpload, type Upload } from './wire.ts'

/** Longest time for one file. */
const UPLOAD_MS = 10 * 60_000
/** Uploads of a video that the network could not use, before that is told. */
const MAX_TRIES = 2
/** A video that is worked on for longer is sent anew. */
const STUCK_MS = 60 * 60_000

/**
 * Sends the video and waits until the network has worked on it. Nothing of it is visible. Every try to publish comes by
 * here and asks for the video's status before.
 */
export async function prepareVideo(attempt: Attempt, video: MediaSource): Promise<PrepareOutcome> {
  const { mediaId, uploaded } = readState(attempt.handles)
  if (mediaId === null) return sendVideo(attempt, video)
  const asked = await call(attempt, {
    method: 'GET',
    path: `media/${mediaId}`,
    timeoutMs: 15_000,
    parse: parseMedia,
  })
  if (asked.kind === 'failed') return failedPreparing(asked)
  if (asked.kind === 'refused') {
    if (asked.answer.status === 404) return another(attempt, 'Pinterest no longer knows the video that was sent.')
    return whilePreparing(judge(asked.answer, attempt.now()).meaning)
  }
  switch (asked.value.status) {
    case 'succeeded':
      return { kind: 'ready' }
    case 'failed':
      return another(attempt, 'Pinterest could not work on the video. Export it anew as MP4 with H.264.')
    case 'registered':
      // The upload was cut off, and what lets it go on is not kept.
      if (!uploaded) return sendVideo(attempt, video)
      return waiting(attempt)
    case 'processing':
      if (!uploaded) await attempt.store({ uploaded: true })
      return waiting(attempt)
  }
}

async function sendVideo(attempt: Attempt, video: MediaSource): Promise<PrepareOutcome> {
  const registered = await call(attempt, {
    method: 'POST',
    path: 'media',
    json: { media_type: 'video' },
    timeoutMs: 30_000,
    parse: parseUpload,
  })
  if (registered.kind === 'failed') return failedPreparing(registered)
  if (registered.kind === 'refused') return whilePreparing(judge(registered.answer, attempt.now()).meaning)
  const upload = registered.value
  await attempt.store({ mediaId: upload.mediaId, uploaded: false, since: attempt.now().toISOString() })
  const sent = await postFile(attempt, upload, video)
  if (sent.kind === 'failed') return failedPreparing(sent)
  if (sent.status >= 500) return retryFrom('prepare', `The video could not be sent to Pinterest (${sent.status}).`)
  if (sent.status >= 300) return another(attempt, `Pinterest did not take the video in (${sent.status}).`)
  await attempt.store({ uploaded: true })
  return waiting(attempt)
}

/** One form with the fields that were asked for and the file as the last of it, read while it is sent. */
async function postFile(attempt: Attempt, upload: Upload, video: MediaSource): Promise<HttpResult> {
  const { mimeType, bytes } = video.facts
  const boundary = `almanac-${randomBytes(18).toString('hex')}`
  const fields = upload.fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const name = mimeType === 'video/quicktime' ? 'video.mov' : 'video.mp4'
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${mimeType}\r\n\r\n`
  const head = Buffer.from(fields.join('') + file)
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const source = await video.open()
  const body = Readable.from(
    (async function* () {
      yield head
      yield* source
      yield tail
    })(),
    { objectMode: false },
  )
  try {
    return await attempt.http({
      method: 'POST',
      url: uploadUrl(attempt, upload.url),
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': String(head.length + bytes + tail.length),
      },
      body,
      signal: attempt.signal,
      timeoutMs: UPLOAD_MS,
    })
  } finally {
    body.destroy()
    source.destroy()
  }
}

/** The network names the address. Where it is the known one, the operator's setting takes its place. */
function uploadUrl(attempt: Attempt, named: string): string {
  const { origin, pathname, search } = new URL(named)
  return origin === manifest.endpoints.upload?.default ? attempt.endpoint('upload') + pathname + search : named
}

/** The video is sent once more, and then no more. */
async function another(attempt: Attempt, message: string): Promise<PrepareOutcome> {
  const tries = readState(attempt.handles).tries + 1
  if (tries >= MAX_TRIES) return { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message }
  await attempt.store({ ...dropped, tries })
  return retryFrom('prepare', message)
}

async function waiting(attempt: Attempt): Promise<PrepareOutcome> {
  const now = attempt.now()
  const age = now.getTime() - (readState(attempt.handles).since ?? now).getTime()
  if (age >= STUCK_MS) return another(attempt, 'Pinterest did not finish its work on the video.')
  const pause = age < 30_000 ? 2_000 : age < 300_000 ? 10_000 : 30_000
  return { kind: 'waiting', askAgainAt: new Date(now.getTime() + pause) }
}
