import type { Attempt, MediaSource } from '../network.ts'
import type { Called } from '../toolkit/graph.ts'
import type { HttpRequest, HttpResult } from '../toolkit/http.ts'
import { record, string, time, webAddress } from '../toolkit/read-json.ts'

/** Who asks, and with which token (`credentials.accessToken`). An `Attempt` is one. */
export type Caller = Pick<Attempt, 'endpoint' | 'http' | 'signal' | 'credentials'>

export const authorization = ({ credentials }: Pick<Caller, 'credentials'>) => `Bearer ${credentials.accessToken ?? ''}`

/** Reads one listing of the API. The token goes into a header, so that no address ever holds it. */
export async function ask<T>(
  caller: Caller,
  question: {
    /** `videos` */
    path: string
    query: Readonly<Record<string, string>>
    parse(body: unknown): T | undefined
  },
): Promise<Called<T>> {
  const result = await caller.http({
    method: 'GET',
    url: `${caller.endpoint('api')}/youtube/v3/${question.path}?${new URLSearchParams(question.query)}`,
    headers: { authorization: authorization(caller) },
    signal: caller.signal,
    timeoutMs: 15_000,
  })
  if (result.kind === 'failed') return result
  const value = result.status === 200 ? question.parse(result.json) : undefined
  return value === undefined ? { kind: 'refused', answer: result } : { kind: 'ok', value }
}

/** Sends a file, or a part of it. A request that never came about leaves no file open. */
export async function sendBytes(
  caller: Caller,
  source: MediaSource,
  range: { start: number; end: number },
  request: Pick<HttpRequest, 'method' | 'url' | 'timeoutMs'> & { headers?: Readonly<Record<string, string>> },
): Promise<HttpResult> {
  const body = await source.open(range)
  try {
    return await caller.http({
      ...request,
      headers: {
        authorization: authorization(caller),
        'content-type': source.facts.mimeType,
        'content-length': String(range.end - range.start),
        ...request.headers,
      },
      body,
      signal: caller.signal,
    })
  } finally {
    body.destroy()
  }
}

/** What the network says of a video. What it leaves out is null. */
export interface Video {
  id: string
  /** `uploaded`, `processed`, `failed`, `rejected`, `deleted` */
  uploadStatus: string | null
  failureReason: string | null
  rejectionReason: string | null
  /** `public`, `unlisted`, `private` */
  privacyStatus: string | null
  /** `processing`, `succeeded`, `failed`, `terminated`; only when it is asked for. */
  processingStatus: string | null
}

/** An id becomes part of an address. */
const videoId = (value: unknown) => (typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : undefined)

export function parseVideo(body: unknown): Video | undefined {
  const video = record(body)
  const id = videoId(video?.id)
  if (!video || id === undefined) return undefined
  const status = record(video.status)
  return {
    id,
    uploadStatus: string(status?.uploadStatus) ?? null,
    failureReason: string(status?.failureReason) ?? null,
    rejectionReason: string(status?.rejectionReason) ?? null,
    privacyStatus: string(status?.privacyStatus) ?? null,
    processingStatus: string(record(video.processingDetails)?.processingStatus) ?? null,
  }
}

/** `items` of a listing. The network leaves them out when there are none; entries that cannot be read are left out. */
function items<T>(body: unknown, parse: (entry: unknown) => T | undefined): T[] | undefined {
  const listing = record(body)
  if (typeof listing?.kind !== 'string' || !listing.kind.endsWith('ListResponse')) return undefined
  const entries = listing.items ?? []
  return Array.isArray(entries) ? entries.map(parse).filter((entry) => entry !== undefined) : undefined
}

export const parseVideos = (body: unknown) => items(body, parseVideo)

export interface Channel {
  id: string
  title: string
  /** Without the `@`. */
  handle: string | null
  avatarUrl: string | null
  /** ISO 3166: `DE`. */
  country: string | null
  /** The playlist of everything that was uploaded. */
  uploads: string | null
  /** `allowed`, `eligible`, `disallowed`: whether it may have videos of more than 15 minutes. */
  longUploads: string | null
}

/** Channels of an answer; it has those parts that were asked for. */
export const parseChannels = (body: unknown) =>
  items(body, (entry): Channel | undefined => {
    const channel = record(entry)
    const id = string(channel?.id)
    if (!channel || id === undefined) return undefined
    const snippet = record(channel.snippet)
    const uploads = string(record(record(channel.contentDetails)?.relatedPlaylists)?.uploads)
    return {
      id,
      title: string(snippet?.title) ?? id,
      handle: string(snippet?.customUrl)?.replace(/^@/, '') ?? null,
      avatarUrl: webAddress(record(record(snippet?.thumbnails)?.default)?.url),
      country: string(snippet?.country) ?? null,
      uploads: uploads ?? null,
      longUploads: string(record(channel.status)?.longUploadsStatus) ?? null,
    }
  })

/** An entry of the uploads of a channel. */
export interface Upload {
  videoId: string
  title: string
  description: string
  /** When it came into the playlist. */
  at: Date | null
}

function parseUpload(entry: unknown): Upload | undefined {
  const item = record(entry)
  const snippet = record(item?.snippet)
  const id = videoId(record(item?.contentDetails)?.videoId) ?? videoId(record(snippet?.resourceId)?.videoId)
  if (!item || id === undefined) return undefined
  return {
    videoId: id,
    title: string(snippet?.title) ?? '',
    description: string(snippet?.description) ?? '',
    at: time(snippet?.publishedAt),
  }
}

export function parseUploads(body: unknown): { uploads: Upload[]; next: string | null } | undefined {
  const uploads = items(body, parseUpload)
  return uploads && { uploads, next: string(record(body)?.nextPageToken) ?? null }
}

export const parseCategories = (body: unknown) =>
  items(body, (entry) => {
    const category = record(entry)
    const snippet = record(category?.snippet)
    const value = string(category?.id)
    if (value === undefined || snippet?.assignable !== true) return undefined
    return { value, title: string(snippet.title) ?? value }
  })
