import { HOUR_MS, MINUTE_MS } from '#contract/durations'
import { bareCall } from '../kit/api.ts'
import { askAgain } from '../kit/flow.ts'
import { retryFrom } from '../kit/outcomes.ts'
import { again, stopAfter } from '../kit/pending.ts'
import type { Attempt, MediaSource, PrepareOutcome } from '../network.ts'
import { manifest } from './manifest.ts'
import { errors } from './outcomes.ts'
import { dropped, readState } from './state.ts'
import { call, parseMedia, parseUpload } from './wire.ts'

/** Longest time for one file. */
const UPLOAD_MS = 10 * MINUTE_MS
/** Uploads that are made once more because the network could not use the video. */
const MAX_RETRIES = 1
/** A video that is worked on for longer is sent again. */
const STUCK_MS = HOUR_MS
const PAUSES = [
  [30_000, 2_000],
  [300_000, 10_000],
  [Number.POSITIVE_INFINITY, 30_000],
] as const

/**
 * Sends the video and waits until the network has worked on it. Nothing of it is visible. Every try to publish comes by
 * here and asks for the video's status before.
 */
export async function prepareVideo(attempt: Attempt, video: MediaSource): Promise<PrepareOutcome> {
  const { mediaId, uploaded } = readState(attempt.handles)
  if (mediaId === null) return sendVideo(attempt, video)
  const path = `media/${mediaId}`
  const asked = await call(attempt, { method: 'GET', path, timeoutMs: 15_000, parse: parseMedia })
  if (asked.kind === 'refused' && asked.answer.status === 404) {
    return another(attempt, 'Pinterest no longer knows the video that was sent.')
  }
  if (asked.kind !== 'ok') return stopAfter(attempt, asked, errors, dropped)
  const { status } = asked.value
  if (status === 'succeeded') return { kind: 'ready' }
  if (status === 'failed') {
    return another(attempt, 'Pinterest could not work on the video. Export it again as MP4 with H.264.')
  }
  // The upload was cut off, and what lets it go on is not kept.
  if (status === 'registered' && !uploaded) return sendVideo(attempt, video)
  if (!uploaded) await attempt.store({ uploaded: true })
  return waiting(attempt)
}

/** One form with the fields that were asked for and the file as the last of it, read while it is sent. */
async function sendVideo(attempt: Attempt, video: MediaSource): Promise<PrepareOutcome> {
  const json = { media_type: 'video' }
  const request = { method: 'POST', path: 'media', json, timeoutMs: 30_000, parse: parseUpload } as const
  const registered = await call(attempt, request)
  if (registered.kind !== 'ok') return stopAfter(attempt, registered, errors, dropped)
  const { mediaId, url, fields } = registered.value
  await attempt.store({ mediaId, uploaded: false, since: attempt.now().toISOString() })
  const filename = video.facts.mimeType === 'video/quicktime' ? 'video.mov' : 'video.mp4'
  const sent = await bareCall(attempt, {
    method: 'POST',
    path: uploadUrl(attempt, url),
    form: { fields, field: 'file', filename, source: video },
    timeoutMs: UPLOAD_MS,
    parse: (_, { status }) => status,
  })
  if (sent.kind !== 'ok') return stopAfter(attempt, sent, errors, dropped)
  const status = sent.value
  if (status >= 500) return retryFrom('prepare', `The video could not be sent to Pinterest (${status}).`)
  if (status >= 300) return another(attempt, `Pinterest did not take the video in (${status}).`)
  await attempt.store({ uploaded: true })
  return waiting(attempt)
}

/** The network names the address. Where it is the known one, the operator's setting takes its place. */
function uploadUrl(attempt: Attempt, named: string): string {
  const { origin, pathname, search } = new URL(named)
  return origin === manifest.endpoints.upload?.default ? attempt.endpoint('upload') + pathname + search : named
}

/** The video is sent once more, and then no more. */
const another = (attempt: Attempt, message: string) => again(attempt, message, MAX_RETRIES, dropped)

async function waiting(attempt: Attempt): Promise<PrepareOutcome> {
  const { since } = readState(attempt.handles)
  if (since && attempt.now().getTime() - since.getTime() >= STUCK_MS) {
    return another(attempt, 'Pinterest did not finish its work on the video.')
  }
  return { kind: 'waiting', askAgainAt: askAgain(attempt, since, PAUSES) }
}
