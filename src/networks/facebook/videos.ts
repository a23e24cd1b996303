import { buffer } from 'node:stream/consumers'
import type { Attempt, MediaSource } from '../network.ts'
import { type Called, call } from '../toolkit/graph.ts'
import { retryFrom } from '../toolkit/outcomes.ts'
import { wayOf } from './fields.ts'
import { judgeVideo } from './outcomes.ts'
import { sendForm, sendVideo } from './requests.ts'
import { dropped, readState, type VideoState, videoHandle } from './state.ts'
import { type Stop, stopFor, stopOf } from './stop.ts'
import { parseOffsets, parseStarted, parseSuccess, parseVideo, VIDEO_FIELDS, type Video } from './wire.ts'

/** An upload that is not done by then is begun anew. */
const UPLOAD_LASTS_MS = 20 * 3_600_000
/** Pause until the network has noticed that the last byte is there. */
const NOTICE_MS = 2_000
/** A part of a file is held in memory. */
const MAX_PART_BYTES = 32 * 1024 * 1024

/** The edge of the Page on which a video of a kind is begun and finished. */
export const VIDEO_EDGES = { reel: 'video_reels', 'video story': 'video_stories', video: 'videos' } as const

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
  const tooOld = kept && attempt.now().getTime() - kept.since.getTime() > UPLOAD_LASTS_MS
  if (!kept || tooOld) {
    const stop = await begin(attempt, source)
    if (stop) return stop
  }
  const { video } = readState(attempt.handles)
  if (!video) throw new Error('A video was begun and not kept.')
  return video.session === null ? uploadWhole(attempt, source, video) : uploadParts(attempt, source, video)
}

async function begin(attempt: Attempt, { facts }: MediaSource): Promise<Stop | null> {
  const way = wayOf(attempt.post)
  const edge = VIDEO_EDGES[way as keyof typeof VIDEO_EDGES]
  const inParts = way === 'video'
  const started = await call(attempt, {
    method: 'POST',
    path: `${attempt.account.externalId}/${edge}`,
    json: { upload_phase: 'start', ...(inParts ? { file_size: facts.bytes } : {}) },
    parse: parseStarted,
  })
  if (started.kind !== 'ok') return stopOf(attempt, started)
  const { videoId: id, session, offset, end } = started.value
  if (inParts && (session === null || end === 0))
    return retryFrom('prepare', 'Facebook opened no session for the video.')
  await attempt.store(
    videoHandle({ id, since: attempt.now(), session: inParts ? session : null, offset, end: inParts ? end : 0 }),
  )
  return null
}

/** All bytes in one request; what is missing of them after a broken connection in another. */
async function uploadWhole(attempt: Attempt, source: MediaSource, { id }: VideoState): Promise<Stop | null> {
  const asked = await readVideo(attempt, id)
  if (asked.kind !== 'ok') return stopOf(attempt, asked)
  const { uploaded, taken, failure, offset } = asked.value
  if (failure) return stopFor(attempt, { ...judgeVideo(failure, attempt.now()), fresh: true })
  // Before the visible call nobody can have published it, whatever the status seems to say.
  if (taken && attempt.fencedAt !== null) {
    await attempt.store({ taken: true })
    return null
  }
  if (uploaded) return null
  const { bytes } = source.facts
  const from = Math.min(offset ?? 0, bytes)
  if (from < bytes) {
    const body = await source.open(from === 0 ? undefined : { start: from, end: bytes })
    try {
      const sent = await sendVideo(attempt, { id, offset: from, bytes, body, parse: parseSuccess })
      if (sent.kind !== 'ok') return await stopOf(attempt, sent)
    } finally {
      body.destroy()
    }
  }
  return { kind: 'waiting', askAgainAt: new Date(attempt.now().getTime() + NOTICE_MS) }
}

/** Part by part, as large as the network asks for each. */
async function uploadParts(attempt: Attempt, source: MediaSource, first: VideoState): Promise<Stop | null> {
  let video = first
  while (video.offset < video.end) {
    const end = Math.min(video.end, video.offset + MAX_PART_BYTES, source.facts.bytes)
    const sent = await sendForm(attempt, {
      path: `${attempt.account.externalId}/videos`,
      fields: {
        upload_phase: 'transfer',
        upload_session_id: video.session ?? '',
        start_offset: String(video.offset),
      },
      file: {
        field: 'video_file_chunk',
        name: 'part',
        mimeType: 'application/octet-stream',
        bytes: await buffer(await source.open({ start: video.offset, end })),
      },
      parse: parseOffsets,
    })
    if (sent.kind !== 'ok') {
      // After a lost answer the network may be further than we know, and it does not say how far.
      const stop = await stopOf(attempt, sent)
      const asBefore = sent.kind === 'failed' && !sent.sent
      if (!asBefore && stop.kind === 'retry' && stop.countsAsAttempt) await attempt.store(dropped)
      return stop
    }
    video = { ...video, ...sent.value }
    await attempt.store(videoHandle(video))
  }
  return null
}

/** `GET /{video}` */
export function readVideo(attempt: Attempt, id: string): Promise<Called<Video>> {
  return call(attempt, {
    method: 'GET',
    path: id,
    query: { fields: VIDEO_FIELDS },
    timeoutMs: 10_000,
    parse: parseVideo,
  })
}
