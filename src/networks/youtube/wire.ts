import { apiClient, type Call, type Called, type Caller, type Page } from '../kit/api.ts'
import { type Answer, may, need, reader, record, string, time, webAddress } from '../kit/read-json.ts'

const client = apiClient({
  base: ({ endpoint }) => `${endpoint('api')}/youtube/v3`,
  isOk: ({ status }) => status === 200,
})

/** Reads one listing of the API: `videos`. */
export const ask = <T>(caller: Caller, question: Pick<Call<T>, 'path' | 'query' | 'parse'>): Promise<Called<T>> =>
  client(caller, { method: 'GET', timeoutMs: 15_000, ...question })

/** An id becomes part of an address. */
const videoId = (value: unknown) => (typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : undefined)

/** What the network says of a video. What it leaves out is null. */
export const parseVideo = reader({
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

/** `items` of a listing. The network leaves them out when there are none; entries that cannot be read are left out. */
function items<T>(body: unknown, parse: (entry: unknown) => T | undefined): T[] | undefined {
  const listing = record(body)
  if (typeof listing?.kind !== 'string' || !listing.kind.endsWith('ListResponse')) return undefined
  const entries = listing.items ?? []
  return Array.isArray(entries) ? entries.map(parse).filter((entry) => entry !== undefined) : undefined
}

export const parseVideos = (body: unknown) => items(body, parseVideo)

const readChannel = reader({
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
})

/** Channels of an answer; it has those parts that were asked for. */
export const parseChannels = (body: unknown) =>
  items(body, (entry) => {
    const channel = readChannel(entry)
    return channel && { ...channel, title: channel.title ?? channel.id }
  })

/** An entry of the uploads of a channel. */
const readUpload = reader({
  id: may('contentDetails.videoId', videoId),
  resource: may('snippet.resourceId.videoId', videoId),
  title: may('snippet.title', string, ''),
  description: may('snippet.description', string, ''),
  /** When it came into the playlist. */
  at: may('snippet.publishedAt', time),
})
function parseUpload(entry: unknown) {
  const upload = readUpload(entry)
  const id = upload?.id ?? upload?.resource
  return upload && id ? { ...upload, videoId: id } : undefined
}
export type Upload = Answer<typeof parseUpload>

/** A page of the uploads of a channel; partial with an entry that cannot be read. */
export function parseUploads(body: unknown): Page<Upload> | undefined {
  const entries = items(body, parseUpload)
  const listed = items(body, (entry) => ({ entry }))
  if (!entries || !listed) return undefined
  const next = string(record(body)?.nextPageToken) ?? null
  return { entries, next, ...(entries.length < listed.length ? { partial: true } : {}) }
}

const readCategory = reader({
  value: need('id', string),
  title: may('snippet.title', string),
  isAssignable: need('snippet.assignable', (value) => value === true || undefined),
})
export const parseCategories = (body: unknown) =>
  items(body, (entry) => {
    const category = readCategory(entry)
    return category && { value: category.value, title: category.title ?? category.value }
  })
