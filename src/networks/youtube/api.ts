import { apiClient, bareCall, bearer, type Called, type Caller, type Fruitless, type Page } from '../kit/api.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { type Answer, may, need, reader, record, string, time, webAddress } from '../kit/read-json.ts'
import type { Attempt } from '../network.ts'
import { fieldsOf, videoIn } from './state.ts'

export const client = apiClient({ base: ({ endpoint }) => endpoint('api'), isOk: ({ status }) => status === 200 })

/** Reads one page of a listing of the API. Entries that cannot be read are left out, which makes it partial. */
const listing =
  <T>(path: string, read: (entry: unknown) => T | undefined) =>
  (caller: Caller, query: Readonly<Record<string, string>>): Promise<Called<Page<T>>> =>
    client(caller, {
      method: 'GET',
      path: `youtube/v3/${path}`,
      query,
      timeoutMs: 15_000,
      parse(body) {
        const page = record(body)
        // The network leaves the items out when there are none.
        const items = page?.items ?? []
        if (!string(page?.kind)?.endsWith('ListResponse') || !Array.isArray(items)) return undefined
        const entries = items.map(read).filter((entry) => entry !== undefined)
        return { entries, next: string(page?.nextPageToken) ?? null, partial: entries.length < items.length }
      },
    })

/** An id becomes part of an address. */
const videoId = (value: unknown) => (typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : undefined)

/** What the network says of a video. What it leaves out is null. */
const parseVideo = reader({
  id: need('id', videoId),
  /** `uploaded`, `processed`, `failed`, `rejected`, `deleted` */
  uploadStatus: may('status.uploadStatus', string),
  failureReason: may('status.failureReason', string),
  rejectionReason: may('status.rejectionReason', string),
  /** `public`, `unlisted`, `private` */
  privacyStatus: may('status.privacyStatus', string),
  /** `processing`, `succeeded`, `failed`, `terminated`; only when it is asked for. */
  processingStatus: may('processingDetails.processingStatus', string),
})
export type Video = Answer<typeof parseVideo>
export const askVideos = listing('videos', parseVideo)

export const commentId = (value: unknown) =>
  typeof value === 'string' && /^[\w.-]{1,128}$/.test(value) ? value : undefined

export const askComments = listing(
  'commentThreads',
  reader({
    id: need('id', commentId),
    text: may('snippet.topLevelComment.snippet.textDisplay', string, ''),
    author: may('snippet.topLevelComment.snippet.authorChannelId.value', string),
    at: may('snippet.topLevelComment.snippet.publishedAt', time),
  }),
)

/** Channels have those parts that were asked for. */
export const askChannels = listing(
  'channels',
  reader({
    id: need('id', string),
    title: may('snippet.title', string),
    /** Without the `@`. */
    handle: may('snippet.customUrl', (value) => string(value)?.replace(/^@/, '')),
    avatarUrl: may('snippet.thumbnails.default.url', webAddress),
    /** ISO 3166: `DE`. */
    country: may('snippet.country', string),
    /** The playlist of everything that was uploaded. */
    uploads: may('contentDetails.relatedPlaylists.uploads', string),
    /** `allowed`, `eligible`, `disallowed`: whether it may have videos of more than 15 minutes. */
    longUploads: may('status.longUploadsStatus', string),
  }),
)

/** The uploads of a channel, newest first. */
export const askUploads = listing(
  'playlistItems',
  reader({
    videoId: need('contentDetails.videoId', videoId),
    title: may('snippet.title', string, ''),
    description: may('snippet.description', string, ''),
    /** When it came into the playlist. */
    at: may('snippet.publishedAt', time),
  }),
)

/** Categories that can be chosen. */
export const askCategories = listing(
  'videoCategories',
  reader({
    value: need('id', string),
    title: may('snippet.title', string),
    isAssignable: need('snippet.assignable', (value) => value === true || undefined),
  }),
)

/*
 * The resumable protocol: https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol
 * (read 2026-11-21). A session takes one file piece by piece and makes one video of it, with the last byte.
 */

/** Pieces are multiples of this, but for the last one. */
export const QUANTUM = 256 * 1024

/** What the network says of an upload. */
type Progress =
  /** It has so many bytes, from the beginning of the file, and wants more. */
  | { kind: 'holds'; bytes: number }
  /** The file is there as a whole, and so is the video. */
  | { kind: 'done'; video: Video }
  /** The session is over. What it has made can no longer be asked for. */
  | { kind: 'gone' }
  | Fruitless

/** Opens a session and gives its address. Nothing comes of a session that gets no bytes. */
export async function openSession(attempt: Attempt): Promise<Called<string>> {
  const { title, description } = attempt.words
  const { privacy } = fieldsOf(attempt.post.fields)
  const { facts } = videoIn(attempt.post)
  const { defaults } = attempt.account
  return client(attempt, {
    method: 'POST',
    path: 'upload/youtube/v3/videos',
    query: {
      uploadType: 'resumable',
      part: 'snippet,status',
      // YouTube's own way is to notify them.
      notifySubscribers: String(defaults.notifySubscribers !== false),
    },
    headers: {
      'content-type': 'application/json; charset=UTF-8',
      'x-upload-content-length': String(facts.bytes),
      'x-upload-content-type': facts.mimeType,
    },
    // https://developers.google.com/youtube/v3/docs/videos (read 2026-11-21)
    json: {
      snippet: { title, description, categoryId: String(defaults.category) },
      status: { privacyStatus: privacy, selfDeclaredMadeForKids: defaults.madeForKids === true },
    },
    parse: (_, { headers }) => sessionAddress(attempt, headers.location),
  })
}

/** The token is sent to the network's own servers alone, and an address that repeats it is not kept. */
function sessionAddress(attempt: Attempt, location = ''): string | undefined {
  if (!URL.canParse(location)) return undefined
  const url = new URL(location)
  const own = url.origin === new URL(attempt.endpoint('api')).origin
  const vendors = url.protocol === 'https:' && url.hostname.endsWith('.googleapis.com')
  url.searchParams.delete('access_token')
  const { accessToken } = attempt.credentials
  const tells = accessToken !== undefined && decodeURIComponent(url.href).includes(accessToken)
  return (own || vendors) && !tells ? url.href : undefined
}

/**
 * Sends the bytes from `start` to before `end`; with the last one of the file the video is made. Without a range it sends
 * nothing of the file, and asks how much has arrived.
 */
export async function put(
  attempt: Attempt,
  session: string,
  { start, end } = { start: 0, end: 0 },
  timeoutMs = 15_000,
): Promise<Progress> {
  const { source, facts } = videoIn(attempt.post)
  const bytes = start === end ? '*' : `${start}-${end - 1}`
  const headers = { authorization: bearer(attempt), 'content-range': `bytes ${bytes}/${facts.bytes}` }
  const sent =
    start === end
      ? { headers: { ...headers, 'content-length': '0' }, body: new Uint8Array() }
      : { headers, file: { source, range: { start, end } } }
  const parse = (body: unknown, whole: HttpAnswer) => parseProgress(body, whole, facts.bytes)
  const answered = await bareCall(attempt, { method: 'PUT', path: session, ...sent, timeoutMs, parse })
  return answered.kind === 'ok' ? answered.value : answered
}

/** More than the file has cannot have arrived: such an answer is not believed. */
function parseProgress(body: unknown, { status, headers }: HttpAnswer, size: number): Progress | undefined {
  if (status === 308) {
    const last = headers.range === undefined ? '-1' : /^bytes=0-(\d{1,15})$/.exec(headers.range)?.[1]
    return last === undefined || Number(last) >= size ? undefined : { kind: 'holds', bytes: Number(last) + 1 }
  }
  if (status === 404 || status === 410) return { kind: 'gone' }
  const video = status === 200 || status === 201 ? parseVideo(body) : undefined
  return video && { kind: 'done', video }
}
