import type { Attempt } from '../network.ts'
import type { Called } from '../toolkit/graph.ts'
import type { HttpResult } from '../toolkit/http.ts'
import type { HttpAnswer, HttpFailure } from '../toolkit/outcomes.ts'
import { chosenOf, videoIn, videoResource } from './fields.ts'
import { authorization, parseVideo, sendBytes, type Video } from './wire.ts'

/*
 * The resumable protocol: https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol
 * (read 2026-11-21). A session takes one file piece by piece and makes one video of it, with the last byte.
 */

/** Pieces are multiples of this, but for the last one. */
export const QUANTUM = 256 * 1024

/** What the network says of an upload. */
export type Progress =
  /** It has so many bytes, from the beginning of the file, and wants more. */
  | { kind: 'holds'; bytes: number }
  /** The file is there as a whole, and so is the video. */
  | { kind: 'done'; video: Video }
  /** The session is over. What it has made can no longer be asked for. */
  | { kind: 'gone' }
  | { kind: 'refused'; answer: HttpAnswer }
  | HttpFailure

/** Opens a session and gives its address. Nothing comes of a session that gets no bytes. */
export async function openSession(attempt: Attempt): Promise<Called<string>> {
  const { facts } = videoIn(attempt.post)
  const { notifySubscribers } = chosenOf(attempt.account.defaults)
  const query = new URLSearchParams({
    uploadType: 'resumable',
    part: 'snippet,status',
    notifySubscribers: String(notifySubscribers ?? true),
  })
  const result = await attempt.http({
    method: 'POST',
    url: `${attempt.endpoint('api')}/upload/youtube/v3/videos?${query}`,
    headers: {
      authorization: authorization(attempt),
      'content-type': 'application/json; charset=UTF-8',
      'x-upload-content-length': String(facts.bytes),
      'x-upload-content-type': facts.mimeType,
    },
    json: videoResource(attempt.post, attempt.account.defaults),
    signal: attempt.signal,
  })
  if (result.kind === 'failed') return result
  const address = result.status === 200 ? sessionAddress(attempt, result.headers.location) : null
  return address === null ? { kind: 'refused', answer: result } : { kind: 'ok', value: address }
}

/** The token is sent to the network's own servers alone, and an address that repeats it is not kept. */
function sessionAddress(attempt: Attempt, location: string | undefined): string | null {
  if (location === undefined || !URL.canParse(location)) return null
  const url = new URL(location)
  const own = url.origin === new URL(attempt.endpoint('api')).origin
  const vendors = url.protocol === 'https:' && url.hostname.endsWith('.googleapis.com')
  url.searchParams.delete('access_token')
  const { accessToken } = attempt.credentials
  const tells = accessToken !== undefined && decodeURIComponent(url.href).includes(accessToken)
  return (own || vendors) && !tells ? url.href : null
}

/** Asks how much of the file has arrived. Sends nothing of it. */
export async function probe(attempt: Attempt, session: string): Promise<Progress> {
  const total = videoIn(attempt.post).facts.bytes
  return readProgress(
    await attempt.http({
      method: 'PUT',
      url: session,
      headers: {
        authorization: authorization(attempt),
        'content-length': '0',
        'content-range': `bytes */${total}`,
      },
      body: new Uint8Array(),
      signal: attempt.signal,
      timeoutMs: 15_000,
    }),
  )
}

/** Sends the bytes from `start` to before `end`. With the last one of the file the video is made. */
export async function sendPiece(
  attempt: Attempt,
  session: string,
  { start, end, timeoutMs }: { start: number; end: number; timeoutMs: number },
): Promise<Progress> {
  const { source, facts } = videoIn(attempt.post)
  if (start === end) return probe(attempt, session)
  const headers = { 'content-range': `bytes ${start}-${end - 1}/${facts.bytes}` }
  return readProgress(
    await sendBytes(attempt, source, { start, end }, { method: 'PUT', url: session, headers, timeoutMs }),
  )
}

function readProgress(result: HttpResult): Progress {
  if (result.kind === 'failed') return result
  if (result.status === 308) {
    const { range } = result.headers
    if (range === undefined) return { kind: 'holds', bytes: 0 }
    const last = /^bytes=0-(\d{1,15})$/.exec(range)?.[1]
    return last === undefined ? { kind: 'refused', answer: result } : { kind: 'holds', bytes: Number(last) + 1 }
  }
  if (result.status === 200 || result.status === 201) {
    const video = parseVideo(result.json)
    return video ? { kind: 'done', video } : { kind: 'refused', answer: result }
  }
  return result.status === 404 || result.status === 410 ? { kind: 'gone' } : { kind: 'refused', answer: result }
}
