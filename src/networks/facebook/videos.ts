import { MINUTE_MS } from '#contract/durations'
import type { Fruitless } from '../kit/api.ts'
import { retryFrom } from '../kit/outcomes.ts'
import { again, type Stop } from '../kit/pending.ts'
import { call, isUnseen } from '../meta/graph.ts'
import type { Attempt, MediaSource, PrepareOutcome } from '../network.ts'
import { stopForVideo, stopOf, UNSEEN } from './outcomes.ts'
import { wayOf } from './post.ts'
import { dropped, readState, takenSince, type VideoState } from './state.ts'
import { parseExpected, parseOffsets, parseStarted, parseSuccess, readVideo } from './wire.ts'

/** Longest time for the bytes of one request. */
export const UPLOAD_MS = 9 * MINUTE_MS
/** Pauses until the network has noticed that the last byte is there; they grow with the wait. */
const NOTICE_MS = { least: 2_000, most: 60_000 }
/** Bytes that it does not show by then are sent again. */
const LAG_MS = 5 * MINUTE_MS
/** An upload that it has not noticed by then is begun again. */
const STUCK_MS = 30 * MINUTE_MS
/** An upload that comes to nothing is begun again so often. */
const MOST_UPLOADS = 4
/** A part of a file is held in memory. */
const MAX_PART_BYTES = 32 * 1024 * 1024
/** A large file takes several turns, so that a slow line does not meet the limit of one. */
const TURN = { parts: 32, ms: 4 * MINUTE_MS }
/** Pause after a request that failed in a turn that has brought something. */
const BREATH_MS = 5_000

/**
 * Uploads the video of a post. It has its id from the first request on, and stays unseen until it is finished: so
 * whatever becomes of that call, the video itself tells.
 * https://developers.facebook.com/documentation/video-api/guides/reels-publishing and
 * https://developers.facebook.com/docs/video-api/guides/publishing (read 2026-11-21)
 */
export async function uploadVideo(attempt: Attempt): Promise<Stop | null> {
  const source = attempt.post.media[0]?.source
  if (!source) throw new TypeError('A post without media came past the rules.')
  const { video: kept, taken } = readState(attempt.handles)
  if (taken) return null
  const video = kept ?? (await begin(attempt, source))
  if ('kind' in video) return video
  return video.session === null ? uploadWhole(attempt, source, video) : uploadParts(attempt, source, video)
}

async function begin(attempt: Attempt, { facts }: MediaSource): Promise<VideoState | Stop> {
  const { edge } = wayOf(attempt.post)
  const inParts = edge === 'videos'
  const started = await call(attempt, {
    method: 'POST',
    path: `${attempt.account.externalId}/${edge}`,
    json: { upload_phase: 'start', ...(inParts ? { file_size: facts.bytes } : {}) },
    parse: parseStarted,
  })
  if (started.kind !== 'ok') return stopOf(attempt, started)
  const { videoId: id, session, offset, end } = started.value
  if (inParts && (session === null || end <= offset)) {
    return retryFrom('prepare', 'Facebook opened no session for the video.')
  }
  const since = attempt.now().toISOString()
  const video: VideoState = { id, since, session: inParts ? session : null, offset, end, sentAt: null }
  await attempt.store({ video })
  return video
}

/** All bytes in one request; what is missing of them after a broken connection in another. */
async function uploadWhole(attempt: Attempt, source: MediaSource, video: VideoState): Promise<Stop | null> {
  const asked = await readVideo(attempt, video.id)
  // We have made it: that it cannot be seen says nothing of it, so what has arrived is kept.
  if (asked.kind === 'refused' && isUnseen(asked.answer)) return retryFrom('prepare', UNSEEN)
  if (asked.kind !== 'ok') return stopOf(attempt, asked)
  const { uploaded, taken, failure, offset } = asked.value
  if (failure) return stopForVideo(attempt, failure)
  // Before the visible call nobody can have published it, whatever the status seems to say.
  if (taken && attempt.fencedAt !== null) {
    await attempt.store(takenSince(attempt.now()))
    return null
  }
  if (uploaded) return null
  const { bytes } = source.facts
  if (video.sentAt) return untilNoticed(attempt, video, new Date(video.sentAt), offset !== null && offset < bytes)
  const from = Math.min(offset ?? 0, bytes)
  const further = from > video.offset
  if (further) await attempt.store({ video: { ...video, offset: from } })
  if (from < bytes) {
    const sent = await sendRest(attempt, source, video.id, from)
    if (sent.kind !== 'ok') return afterFailure(attempt, sent, further)
  }
  await attempt.store({ video: { ...video, offset: from, sentAt: attempt.now().toISOString() } })
  return askAgainIn(attempt, NOTICE_MS.least)
}

/** All bytes were sent. They are sent again only when the network says that it lacks some. */
async function untilNoticed(attempt: Attempt, video: VideoState, sentAt: Date, lacking: boolean): Promise<Stop> {
  const age = attempt.now().getTime() - sentAt.getTime()
  const isShort = lacking && age > LAG_MS
  if (!isShort && age <= STUCK_MS) {
    return askAgainIn(attempt, Math.min(NOTICE_MS.most, Math.max(NOTICE_MS.least, age / 2)))
  }
  if (!isShort) return again(attempt, 'Facebook did not get the video.', MOST_UPLOADS, dropped)
  return again(attempt, 'Facebook lacks a part of the video.', MOST_UPLOADS, { video: { ...video, sentAt: null } })
}

/** Part by part, as large as the network asks for each. A part that is not the next one it refuses. */
async function uploadParts(attempt: Attempt, source: MediaSource, first: VideoState): Promise<Stop | null> {
  const { bytes } = source.facts
  const turnEnds = attempt.now().getTime() + TURN.ms
  let video = first
  for (let parts = 0; video.offset < video.end; parts++) {
    if (parts === TURN.parts || (parts > 0 && attempt.now().getTime() >= turnEnds)) return askAgainIn(attempt, 0)
    const sent = await sendPart(attempt, source, video)
    // After a lost answer the network may be further than we know: then it refuses the part and says which it wants.
    const expected = sent.kind === 'refused' ? parseExpected(sent.answer.json) : undefined
    const next = sent.kind === 'ok' ? sent.value : expected
    if (next === undefined && sent.kind !== 'ok') return afterFailure(attempt, sent, parts > 0)
    const isFurther = next && next.offset > video.offset && next.offset <= Math.min(bytes, next.end)
    if (!isFurther) return again(attempt, 'Facebook lost its place in the video.', MOST_UPLOADS, dropped)
    video = { ...video, ...next }
    await attempt.store({ video })
  }
  return null
}

async function sendPart(attempt: Attempt, source: MediaSource, { session, offset, end: wanted }: VideoState) {
  const end = Math.min(wanted, offset + MAX_PART_BYTES, source.facts.bytes)
  return call(attempt, {
    method: 'POST',
    path: `${attempt.account.externalId}/videos`,
    form: {
      fields: [
        ['upload_phase', 'transfer'],
        ['upload_session_id', session ?? ''],
        ['start_offset', String(offset)],
      ],
      field: 'video_file_chunk',
      filename: 'part',
      mimeType: 'application/octet-stream',
      source,
      range: { start: offset, end },
      held: true,
    },
    timeoutMs: UPLOAD_MS,
    parse: parseOffsets,
  })
}

/**
 * Sends the rest of a video to the host that takes them. Its address is made by us: what an answer names is never called.
 * `Authorization: OAuth` as on
 * https://developers.facebook.com/documentation/video-api/guides/reels-publishing (read 2026-11-21).
 */
function sendRest(attempt: Attempt, source: MediaSource, id: string, start: number) {
  const end = source.facts.bytes
  return call(attempt, {
    method: 'POST',
    path: `${attempt.endpoint('rupload')}/video-upload/${attempt.setting('API_VERSION')}/${id}`,
    headers: {
      authorization: `OAuth ${attempt.credentials.accessToken ?? ''}`,
      offset: String(start),
      file_size: String(end),
      'content-type': 'application/octet-stream',
    },
    file: { source, range: { start, end } },
    timeoutMs: UPLOAD_MS,
    parse: parseSuccess,
  })
}

/**
 * What has arrived stays there, also after an abort of our own. A failure in a turn that has brought something is no
 * attempt: a slow line gets a large file through as well.
 */
async function afterFailure(attempt: Attempt, failure: Fruitless, further: boolean): Promise<Stop> {
  const stop = await stopOf(attempt, failure)
  const kept = readState(attempt.handles).video !== null
  return further && kept && stop.kind === 'retry' && stop.countsAsAttempt ? askAgainIn(attempt, BREATH_MS) : stop
}

const askAgainIn = (attempt: Attempt, ms: number): Extract<PrepareOutcome, { kind: 'waiting' }> => ({
  kind: 'waiting',
  askAgainAt: new Date(attempt.now().getTime() + ms),
})
