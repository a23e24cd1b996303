import { randomBytes } from 'node:crypto'
import { faultIn, type SimulatedAnswer } from '../kit/faults.ts'
import { record, string } from '../kit/read-json.ts'
import { readBytes } from '../kit/request-body.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import type { Call } from '../kit/simulator.ts'
import { utf8Bytes } from '../kit/text.ts'
import { limits } from './manifest.ts'
import type { SimulatedChannel } from './simulator-accounts.ts'
import { refuse } from './simulator-answers.ts'

/** What the pretend network does otherwise than usual; for tests. */
export interface Behaviour {
  /** As for projects without an audit: every upload is locked private. */
  forcedPrivate?: boolean
  /** As for channels that are not verified: no thumbnails, no long videos. */
  unverified?: boolean
  /** Uploads of a project in a day. */
  quota?: number
  /** Milliseconds that a session lives, also one that has done its work. */
  sessionMs?: number
  /** Milliseconds until the uploads of a channel list a new video. */
  listingMs?: number
  /** The first piece of each upload: taken in part (308), or broken off with an error (503). Default: in part. */
  firstPiece?: 'in-part' | 'broken' | 'whole'
}

/** A video as the store holds it. */
export interface SimulatedVideo {
  id: string
  channelId: string
  title: string
  description: string
  categoryId: string
  privacy: string
  madeForKids: boolean
  createdAt: string
  /** What processing comes to. */
  fate: 'processed' | 'failed'
  /** Somebody has asked for it: a fresh video is unknown to its first reader. */
  seen: boolean
  blobId: string
  mimeType: string
  thumbnail: { blobId: string; mimeType: string } | null
}

const VIDEOS = 'videos'
const PROCESSING_MS = 3_000
const MAX_IMAGE_BYTES = 50 * 1024 * 1024

/** Categories by their numbers. */
export const CATEGORIES: Readonly<Record<string, { title: string; assignable: boolean }>> = {
  '1': { title: 'Film & Animation', assignable: true },
  '10': { title: 'Music', assignable: true },
  '18': { title: 'Short Movies', assignable: false },
  '22': { title: 'People & Blogs', assignable: true },
  '26': { title: 'Howto & Style', assignable: true },
  '28': { title: 'Science & Technology', assignable: true },
}

export const findVideo = (deps: SimulatorDeps, id: string) => deps.store.get<SimulatedVideo>(VIDEOS, id)

/** Videos of a channel, oldest first. */
export const videosOf = (deps: SimulatorDeps, { id }: SimulatedChannel) =>
  deps.store.list<SimulatedVideo>(VIDEOS).filter(({ channelId }) => channelId === id)

export const keep = (deps: SimulatorDeps, video: SimulatedVideo) => deps.store.put(VIDEOS, video.id, video)

/** What an upload says of its video. */
export type Metadata = Pick<SimulatedVideo, 'title' | 'description' | 'categoryId' | 'privacy' | 'madeForKids'>

const SNIPPET: readonly string[] = ['title', 'description', 'categoryId', 'tags', 'defaultLanguage']
const STATUS: readonly string[] = [
  'privacyStatus',
  'selfDeclaredMadeForKids',
  'containsSyntheticMedia',
  'publishAt',
  'embeddable',
  'license',
  'publicStatsViewable',
]

/** Reads a `video` resource. @throws SimulatedRefusal for what the network does not take */
export function readMetadata(body: unknown, parts: readonly string[]): Metadata {
  const video = record(body)
  if (!video) refuse(400, 'parseError', 'Invalid JSON payload received.')
  const [snippet, status] = [readPart(video, 'snippet', SNIPPET, parts), readPart(video, 'status', STATUS, parts)]
  const title = string(snippet.title) ?? ''
  const description = string(snippet.description) ?? ''
  const categoryId = string(snippet.categoryId) ?? '22'
  const privacy = string(status.privacyStatus) ?? 'public'
  if (title.trim() === '' || title.length > limits.titleLength.value || /[<>]/.test(title)) {
    refuse(400, 'invalidTitle', 'The request metadata specifies an invalid or empty video title.')
  }
  if (utf8Bytes(description) > limits.descriptionBytes.value || /[<>]/.test(description)) {
    refuse(400, 'invalidDescription', 'The request metadata specifies an invalid video description.')
  }
  if (!CATEGORIES[categoryId]?.assignable) {
    refuse(400, 'invalidCategoryId', 'The request metadata specifies an invalid category ID.')
  }
  if (!['public', 'private', 'unlisted'].includes(privacy)) {
    refuse(403, 'forbiddenPrivacySetting', 'The request metadata specifies an invalid privacy setting.')
  }
  return { title, description, categoryId, privacy, madeForKids: status.selfDeclaredMadeForKids === true }
}

/** A part of a resource has to be named among the parts of the request, and has no fields of other names. */
function readPart(
  video: Readonly<Record<string, unknown>>,
  name: string,
  fields: readonly string[],
  parts: readonly string[],
): Readonly<Record<string, unknown>> {
  const part = video[name]
  if (part === undefined) return {}
  if (!parts.includes(name)) refuse(400, 'unexpectedPart', `The part ${name} is sent and not named.`)
  const given = record(part) ?? {}
  const unknown = Object.keys(given).find((field) => !fields.includes(field))
  if (unknown) refuse(400, 'invalid', `Invalid JSON payload received. Unknown name "${unknown}" at '${name}'.`)
  return given
}

/** Makes a video of a file that has arrived as a whole. A file that the network will refuse is seen by nobody. */
export async function makeVideo(
  deps: SimulatorDeps,
  channel: SimulatedChannel,
  metadata: Metadata,
  file: { bytes: Buffer; mimeType: string },
  { forcedPrivate = false }: Behaviour,
): Promise<SimulatedVideo> {
  const blobId = await deps.store.putBlob(file.bytes)
  const createdAt = deps.now().toISOString()
  const video: SimulatedVideo = {
    id: randomBytes(8).toString('base64url'),
    channelId: channel.id,
    ...metadata,
    privacy: forcedPrivate ? 'private' : metadata.privacy,
    createdAt,
    fate: faultIn(metadata.description) === 'media-rejected' ? 'failed' : 'processed',
    seen: false,
    blobId,
    mimeType: file.mimeType,
    thumbnail: null,
  }
  keep(deps, video)
  if (video.fate === 'processed') {
    deps.store.addPost({
      id: video.id,
      accountId: channel.accountId,
      text: video.description,
      permalink: `${deps.url}/p/${video.id}`,
      createdAt,
      media: [{ blobId, mimeType: file.mimeType }],
      details: {
        title: video.title,
        privacy: video.privacy,
        category: CATEGORIES[video.categoryId]?.title,
        madeForKids: video.madeForKids,
      },
    })
  }
  return video
}

/** Sets the thumbnail of a video. @throws SimulatedRefusal */
export async function setThumbnail(
  { deps, request, query, by: channel }: Call<SimulatedChannel>,
  { unverified = false }: Behaviour,
): Promise<SimulatedAnswer> {
  const file = {
    bytes: await readBytes(request, MAX_IMAGE_BYTES),
    mimeType: request.headers['content-type'] ?? '',
  }
  if (query.get('uploadType') !== 'media') refuse(400, 'badRequest', 'uploadType must be media.')
  const video = findVideo(deps, query.get('videoId') ?? '')
  if (!video)
    refuse(404, 'videoNotFound', 'The video that you are trying to insert a thumbnail image for cannot be found.')
  if (video.channelId !== channel.id || unverified) {
    refuse(
      403,
      'forbidden',
      'The authenticated user does not have permissions to upload and set custom video thumbnails.',
    )
  }
  if (file.bytes.length === 0) refuse(400, 'mediaBodyRequired', 'The request does not include the image content.')
  if (file.bytes.length > limits.thumbnailBytes.value) refuse(413, 'uploadTooLarge', 'The image is too large.')
  const magic = file.bytes.subarray(0, 4).toString('latin1')
  if (!magic.startsWith('\xff\xd8\xff') && magic !== '\x89PNG') {
    refuse(400, 'invalidImage', 'The provided image content is invalid.')
  }
  const thumbnail = { blobId: await deps.store.putBlob(file.bytes), mimeType: file.mimeType }
  keep(deps, { ...video, thumbnail })
  const { blobId, mimeType } = video
  if (video.fate === 'processed') deps.store.amendPost(video.id, { media: [{ blobId, mimeType }, thumbnail] })
  const url = `${deps.url}/blobs/${thumbnail.blobId}`
  return {
    status: 200,
    body: {
      kind: 'youtube#thumbnailSetResponse',
      etag: 'pretend',
      items: [{ default: { url, width: 120, height: 90 }, medium: { url, width: 320, height: 180 } }],
    },
  }
}

/** Parts of a `video` resource, as they are at a time. */
export function videoResourceAt(video: SimulatedVideo, now: Date, parts: readonly string[]): object {
  const done = now.getTime() - new Date(video.createdAt).getTime() >= PROCESSING_MS
  const failed = done && video.fate === 'failed'
  const all: Record<string, object> = {
    snippet: {
      publishedAt: video.createdAt,
      channelId: video.channelId,
      title: video.title,
      description: video.description,
      categoryId: video.categoryId,
    },
    status: {
      uploadStatus: done ? video.fate : 'uploaded',
      ...(failed ? { failureReason: 'codec' } : {}),
      privacyStatus: video.privacy,
      license: 'youtube',
      embeddable: true,
      selfDeclaredMadeForKids: video.madeForKids,
      madeForKids: video.madeForKids,
    },
    processingDetails: { processingStatus: failed ? 'failed' : done ? 'succeeded' : 'processing' },
  }
  const asked = Object.entries(all).filter(([part]) => parts.includes(part))
  return { kind: 'youtube#video', etag: 'pretend', id: video.id, ...Object.fromEntries(asked) }
}
