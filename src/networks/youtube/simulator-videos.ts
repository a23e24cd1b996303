import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import { record, string } from '../kit/read-json.ts'
import { readBytes } from '../kit/request-body.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import type { Call } from '../kit/simulator.ts'
import { utf8Bytes } from '../kit/text.ts'
import { limits } from './manifest.ts'

/** A pretend channel. It belongs to one connection, or to the pretend account of the sign-in, and is known by its token. */
export interface Channel {
  id: string
  /** Under which the ledger files its videos. */
  accountId: string
  name: string
  handle: string
}

/** What an upload says of its video. */
export interface Metadata {
  title: string
  description: string
  categoryId: string
  privacy: string
  madeForKids: boolean
}

/** A video as the store holds it. */
export interface SimulatedVideo extends Metadata {
  id: string
  channelId: string
  createdAt: string
  /** What processing comes to. */
  fate: 'processed' | 'failed'
  /** It was asked for: a fresh video is unknown to its first reader. */
  seen: boolean
  blobId: string
  mimeType: string
}

const VIDEOS = 'videos'
const PROCESSING_MS = 3_000
const MAX_IMAGE_BYTES = 50 * 1024 * 1024
const PRIVACIES = ['public', 'private', 'unlisted']

/** Categories by their numbers. */
export const CATEGORIES: Readonly<Record<string, { title: string; assignable: boolean }>> = {
  '1': { title: 'Film & Animation', assignable: true },
  '10': { title: 'Music', assignable: true },
  '18': { title: 'Short Movies', assignable: false },
  '22': { title: 'People & Blogs', assignable: true },
  '26': { title: 'Howto & Style', assignable: true },
  '28': { title: 'Science & Technology', assignable: true },
}

/** An answer in the shape of https://developers.google.com/youtube/v3/docs/errors (read 2026-11-21). */
export const apiError = (
  status: number,
  reason: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): SimulatedAnswer => ({
  status,
  headers,
  body: { error: { code: status, message, errors: [{ message, domain: 'youtube', reason }] } },
})

export const unauthorized = apiError(
  401,
  'authError',
  'Request had invalid authentication credentials. Expected OAuth 2 access token.',
)

export function refuse(...words: Parameters<typeof apiError>): never {
  throw new SimulatedRefusal(apiError(...words))
}

/** @throws SimulatedRefusal unless it holds */
export function demand(holds: boolean, ...words: Parameters<typeof apiError>): asserts holds {
  if (!holds) refuse(...words)
}

/** `part=snippet,status`, or the name several times. */
export const partsIn = (query: URLSearchParams) => query.getAll('part').flatMap((part) => part.split(','))

/** A resource with those of its parts that are asked for. */
export function resource(kind: string, id: string, parts: Readonly<Record<string, object>>, asked: readonly string[]) {
  const shown = Object.entries(parts).filter(([part]) => asked.includes(part))
  return { kind: `youtube#${kind}`, etag: 'pretend', id, ...Object.fromEntries(shown) }
}

export const findVideo = (deps: SimulatorDeps, id: string) => deps.store.get<SimulatedVideo>(VIDEOS, id)

/** Videos of a channel, oldest first. */
export const videosOf = (deps: SimulatorDeps, { id }: Channel) =>
  deps.store.list<SimulatedVideo>(VIDEOS).filter(({ channelId }) => channelId === id)

export const keep = (deps: SimulatorDeps, video: SimulatedVideo) => deps.store.put(VIDEOS, video.id, video)

const FIELDS: Readonly<Record<'snippet' | 'status', readonly string[]>> = {
  snippet: ['title', 'description', 'categoryId', 'tags', 'defaultLanguage'],
  status: [
    'privacyStatus',
    'selfDeclaredMadeForKids',
    'containsSyntheticMedia',
    'publishAt',
    'embeddable',
    'license',
    'publicStatsViewable',
  ],
}

/** Reads a `video` resource. @throws SimulatedRefusal for what the network does not take */
export function readMetadata(body: unknown, asked: readonly string[]): Metadata {
  const video = record(body) ?? refuse(400, 'parseError', 'Invalid JSON payload received.')
  /** A part has to be named among the parts of the request, and has no fields of other names. */
  const readPart = (name: keyof typeof FIELDS) => {
    const unnamed = video[name] !== undefined && !asked.includes(name)
    demand(!unnamed, 400, 'unexpectedPart', `The part ${name} is sent and not named.`)
    const given = record(video[name]) ?? {}
    const stranger = Object.keys(given).find((field) => !FIELDS[name].includes(field))
    demand(!stranger, 400, 'invalid', `Invalid JSON payload received. Unknown name "${stranger}" at '${name}'.`)
    return given
  }
  const [snippet, status] = [readPart('snippet'), readPart('status')]
  const title = string(snippet.title) ?? ''
  const description = string(snippet.description) ?? ''
  const categoryId = string(snippet.categoryId) ?? '22'
  const privacy = string(status.privacyStatus) ?? 'public'
  const isTitle = title.trim() !== '' && title.length <= limits.titleLength.value && !/[<>]/.test(title)
  const isDescription = utf8Bytes(description) <= limits.descriptionBytes.value && !/[<>]/.test(description)
  const specifies = 'The request metadata specifies an invalid'
  demand(isTitle, 400, 'invalidTitle', `${specifies} or empty video title.`)
  demand(isDescription, 400, 'invalidDescription', `${specifies} video description.`)
  demand(CATEGORIES[categoryId]?.assignable === true, 400, 'invalidCategoryId', `${specifies} category ID.`)
  demand(PRIVACIES.includes(privacy), 403, 'forbiddenPrivacySetting', `${specifies} privacy setting.`)
  return { title, description, categoryId, privacy, madeForKids: status.selfDeclaredMadeForKids === true }
}

/** Parts of a `video` resource, as they are at a time. */
export function partsOf(video: SimulatedVideo, now: Date) {
  const { title, description, categoryId, channelId, createdAt, privacy, madeForKids, fate } = video
  const done = now.getTime() - new Date(createdAt).getTime() >= PROCESSING_MS
  const failed = done && fate === 'failed'
  return {
    snippet: { publishedAt: createdAt, channelId, title, description, categoryId },
    status: {
      uploadStatus: done ? fate : 'uploaded',
      ...(failed ? { failureReason: 'codec' } : {}),
      privacyStatus: privacy,
      license: 'youtube',
      embeddable: true,
      selfDeclaredMadeForKids: madeForKids,
      madeForKids,
    },
    processingDetails: { processingStatus: failed ? 'failed' : done ? 'succeeded' : 'processing' },
  }
}

/** Sets the thumbnail of a video. @throws SimulatedRefusal */
export async function setThumbnail({ deps, request, query, by }: Call<Channel>): Promise<SimulatedAnswer> {
  const bytes = await readBytes(request, MAX_IMAGE_BYTES)
  demand(query.get('uploadType') === 'media', 400, 'badRequest', 'uploadType must be media.')
  const video = findVideo(deps, query.get('videoId') ?? '')
  if (video?.channelId !== by.id) {
    return refuse(404, 'videoNotFound', 'The video that you are trying to insert a thumbnail for cannot be found.')
  }
  demand(bytes.length > 0, 400, 'mediaBodyRequired', 'The request does not include the image content.')
  demand(bytes.length <= limits.thumbnailBytes.value, 413, 'uploadTooLarge', 'The image is too large.')
  const isImage = /^(\xff\xd8\xff|\x89PNG)/.test(bytes.toString('latin1', 0, 4))
  demand(isImage, 400, 'invalidImage', 'The provided image content is invalid.')
  const thumbnail = { blobId: await deps.store.putBlob(bytes), mimeType: request.headers['content-type'] ?? '' }
  const { id, fate, blobId, mimeType } = video
  if (fate === 'processed') deps.store.amendPost(id, { media: [{ blobId, mimeType }, thumbnail] })
  const url = `${deps.url}/blobs/${thumbnail.blobId}`
  const sizes = { default: { url, width: 120, height: 90 }, medium: { url, width: 320, height: 180 } }
  return { status: 200, body: { kind: 'youtube#thumbnailSetResponse', etag: 'pretend', items: [sizes] } }
}
