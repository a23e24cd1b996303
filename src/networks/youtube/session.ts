import { apiClient, bareCall, bearer, type Call, type Called, type Fruitless } from '../kit/api.ts'
import type { HttpAnswer } from '../kit/http.ts'
import type { Attempt } from '../network.ts'
import { chosenOf, videoIn, videoResource } from './fields.ts'
import { parseVideo, type Video } from './wire.ts'

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
  | Fruitless

/** Opens a session and gives its address. Nothing comes of a session that gets no bytes. */
export async function openSession(attempt: Attempt): Promise<Called<string>> {
  const { facts } = videoIn(attempt.post)
  const { notifySubscribers } = chosenOf(attempt.account.defaults)
  return client(attempt, {
    method: 'POST',
    path: 'upload/youtube/v3/videos',
    query: {
      uploadType: 'resumable',
      part: 'snippet,status',
      notifySubscribers: String(notifySubscribers ?? true),
    },
    headers: {
      'content-type': 'application/json; charset=UTF-8',
      'x-upload-content-length': String(facts.bytes),
      'x-upload-content-type': facts.mimeType,
    },
    json: videoResource(attempt.post, attempt.account.defaults),
    parse: (_, { headers }) => sessionAddress(attempt, headers.location) ?? undefined,
  })
}

const client = apiClient({ base: ({ endpoint }) => endpoint('api'), isOk: ({ status }) => status === 200 })

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
export const probe = (attempt: Attempt, session: string): Promise<Progress> =>
  put(attempt, session, {
    headers: { 'content-length': '0', 'content-range': `bytes */${videoIn(attempt.post).facts.bytes}` },
    body: new Uint8Array(),
    timeoutMs: 15_000,
  })

/** Sends the bytes from `start` to before `end`. With the last one of the file the video is made. */
export async function sendPiece(
  attempt: Attempt,
  session: string,
  { start, end, timeoutMs }: { start: number; end: number; timeoutMs: number },
): Promise<Progress> {
  const { source, facts } = videoIn(attempt.post)
  if (start === end) return probe(attempt, session)
  const headers = { 'content-range': `bytes ${start}-${end - 1}/${facts.bytes}` }
  return put(attempt, session, { headers, file: { source, range: { start, end } }, timeoutMs })
}

async function put(
  attempt: Attempt,
  path: string,
  { headers, ...request }: Pick<Call<unknown>, 'headers' | 'body' | 'file' | 'timeoutMs'>,
): Promise<Progress> {
  const answered = await bareCall(attempt, {
    method: 'PUT',
    path,
    headers: { authorization: bearer(attempt), ...headers },
    ...request,
    parse: parseProgress,
  })
  return answered.kind === 'ok' ? answered.value : answered
}

function parseProgress(body: unknown, { status, headers }: HttpAnswer): Progress | undefined {
  if (status === 308) {
    const last = headers.range === undefined ? '-1' : /^bytes=0-(\d{1,15})$/.exec(headers.range)?.[1]
    return last === undefined ? undefined : { kind: 'holds', bytes: Number(last) + 1 }
  }
  if (status === 404 || status === 410) return { kind: 'gone' }
  const video = status === 200 || status === 201 ? parseVideo(body) : undefined
  return video && { kind: 'done', video }
}
