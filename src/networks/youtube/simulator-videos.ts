import { randomBytes } from 'node:crypto'
import { DAY_MS } from '#contract/durations'
import { faultIn, type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import { measureVideo } from '../kit/measure-video.ts'
import { record, string } from '../kit/read-json.ts'
import { readBytes, readJson } from '../kit/request-body.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { type Call, visibly } from '../kit/simulator.ts'
import { utf8Bytes } from '../kit/text.ts'
import { QUANTUM } from './api.ts'
import { limits } from './manifest.ts'

/** A simulated channel. It belongs to one connection, or to the demo account of the sign-in, and is known by its token. */
export interface Channel {
  id: string
  /** Under which the ledger files its videos. */
  accountId: string
  name: string
  handle: string
}

/** A question for a listing, and what is listed: with all parts that it has. */
export type Asked = Pick<Call<Channel>, 'deps' | 'query' | 'by'>
export type Entry = [id: string, parts: Readonly<Record<string, object>>]

/** What an upload says of its video. */
type Metadata = ReturnType<typeof readMetadata>

/** A video as the store holds it. */
interface SimulatedVideo extends Metadata {
  id: string
  channelId: string
  createdAt: string
  /** What processing comes to. */
  fate: 'processed' | 'failed'
  /** Absent: made by an older version. */
  isShort?: boolean
  /** It was asked for: a fresh video is unknown to its first reader. */
  seen: boolean
  blobId: string
  mimeType: string
}

const VIDEOS = 'videos'
const PROCESSING_MS = 3_000
/** When the work on a Short has succeeded, later than its upload status says. A thumbnail that comes before is taken and lost. */
const SHORT_WORK_MS = 20_000
const SHORT_SECONDS = 180
const MAX_IMAGE_BYTES = 50 * 1024 * 1024
const PRIVACIES = ['public', 'private', 'unlisted']
const INVALID = 'The request metadata specifies an invalid'

/** Categories by their numbers. */
export const CATEGORIES: Readonly<Record<string, { title: string; assignable: boolean }>> = {
  '18': { title: 'Short Movies', assignable: false },
  '22': { title: 'People & Blogs', assignable: true },
  '26': { title: 'Howto & Style', assignable: true },
}

/** An answer in the shape of https://developers.google.com/youtube/v3/docs/errors (read 2026-11-21). */
export const apiError = (status: number, reason: string, message: string): SimulatedAnswer => ({
  status,
  body: { error: { code: status, message, errors: [{ message, domain: 'youtube', reason }] } },
})

const UNAUTHORIZED = 'Request had invalid authentication credentials. Expected OAuth 2 access token.'
export const unauthorized = apiError(401, 'authError', UNAUTHORIZED)

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
  return { kind: `youtube#${kind}`, etag: 'demo', id, ...Object.fromEntries(shown) }
}

export const findVideo = (deps: SimulatorDeps, id: string) => deps.store.get<SimulatedVideo>(VIDEOS, id)

/** Videos of a channel, oldest first. */
export const videosOf = (deps: SimulatorDeps, { id }: Channel) =>
  deps.store.list<SimulatedVideo>(VIDEOS).filter(({ channelId }) => channelId === id)

export const keep = (deps: SimulatorDeps, video: SimulatedVideo) => deps.store.put(VIDEOS, video.id, video)

/** Reads a `video` resource. @throws SimulatedRefusal for what the network does not take */
function readMetadata(body: unknown, asked: readonly string[]) {
  const video = record(body) ?? refuse(400, 'parseError', 'Invalid JSON payload received.')
  for (const name of ['snippet', 'status']) {
    const isNamed = video[name] === undefined || asked.includes(name)
    demand(isNamed, 400, 'unexpectedPart', `The part ${name} is sent and not named.`)
  }
  const [snippet, status] = [record(video.snippet) ?? {}, record(video.status) ?? {}]
  const title = string(snippet.title) ?? ''
  const description = string(snippet.description) ?? ''
  const categoryId = string(snippet.categoryId) ?? '22'
  const privacy = string(status.privacyStatus) ?? 'public'
  const isTitle = title.trim() !== '' && title.length <= limits.titleLength.value && !/[<>]/.test(title)
  const isDescription = utf8Bytes(description) <= limits.descriptionBytes.value && !/[<>]/.test(description)
  demand(isTitle, 400, 'invalidTitle', `${INVALID} or empty video title.`)
  demand(isDescription, 400, 'invalidDescription', `${INVALID} video description.`)
  demand(CATEGORIES[categoryId]?.assignable === true, 400, 'invalidCategoryId', `${INVALID} category ID.`)
  demand(PRIVACIES.includes(privacy), 403, 'forbiddenPrivacySetting', `${INVALID} privacy setting.`)
  return { title, description, categoryId, privacy, madeForKids: status.selfDeclaredMadeForKids === true }
}

/** Parts of a `video` resource, as they are at a time. */
export function partsOf(video: SimulatedVideo, now: Date) {
  const { title, description, categoryId, channelId, createdAt, privacy, madeForKids, fate } = video
  const done = now.getTime() - new Date(createdAt).getTime() >= PROCESSING_MS
  const failed = done && fate === 'failed'
  const worked = done && isWorked(video, now)
  return {
    snippet: { publishedAt: createdAt, channelId, title, description, categoryId },
    status: {
      uploadStatus: done ? fate : 'uploaded',
      ...(failed ? { failureReason: 'codec' } : {}),
      privacyStatus: privacy,
      madeForKids,
    },
    processingDetails: { processingStatus: failed ? 'failed' : worked ? 'succeeded' : 'processing' },
  }
}

const isWorked = ({ isShort, createdAt }: SimulatedVideo, now: Date) =>
  !isShort || now.getTime() - new Date(createdAt).getTime() >= SHORT_WORK_MS

/** Sets the thumbnail of a video. @throws SimulatedRefusal */
export async function setThumbnail({ deps, request, query, by }: Call<Channel>): Promise<SimulatedAnswer> {
  const bytes = await readBytes(request, MAX_IMAGE_BYTES)
  demand(query.get('uploadType') === 'media', 400, 'badRequest', 'uploadType must be media.')
  const video = findVideo(deps, query.get('videoId') ?? '')
  const notFound = 'The video that you are trying to insert a thumbnail image for cannot be found.'
  if (video?.channelId !== by.id) return refuse(404, 'videoNotFound', notFound)
  demand(bytes.length > 0, 400, 'mediaBodyRequired', 'The request does not include the image content.')
  demand(bytes.length <= limits.thumbnailBytes.value, 413, 'uploadTooLarge', 'The image is too large.')
  const isImage = /^(\xff\xd8\xff|\x89PNG)/.test(bytes.toString('latin1', 0, 4))
  demand(isImage, 400, 'invalidImage', 'The provided image content is invalid.')
  const thumbnail = { blobId: await deps.store.putBlob(bytes), mimeType: request.headers['content-type'] ?? '' }
  const { id, fate, blobId, mimeType } = video
  const counts = isWorked(video, deps.now())
  if (fate === 'processed' && counts) deps.store.amendPost(id, { media: [{ blobId, mimeType }, thumbnail] })
  const url = `${deps.url}/blobs/${thumbnail.blobId}`
  const ofShort = video.isShort && counts ? { shortsAspectRatio: { url, width: 720, height: 1280 } } : {}
  const sizes = { default: { url, width: 120, height: 90 }, medium: { url, width: 320, height: 180 }, ...ofShort }
  return { status: 200, body: { kind: 'youtube#thumbnailSetResponse', etag: 'demo', items: [sizes] } }
}

/** A session of the resumable protocol, as the store holds it. */
interface Session {
  id: string
  channel: Channel
  metadata: Metadata
  parts: readonly string[]
  mimeType: string
  total: number
  openedAt: string
  /** What has arrived, in order. */
  pieces: readonly { blobId: string; bytes: number }[]
  videoId: string | null
}

const SESSIONS = 'sessions'
const keepSession = (deps: SimulatorDeps, session: Session) => deps.store.put(SESSIONS, session.id, session)
/** Also of one that has done its work. */
const SESSION_MS = DAY_MS
/** Larger than any piece of the connector. */
const MAX_PIECE_BYTES = 256 * 1024 * 1024

const tooSoon = apiError(429, 'rateLimitExceeded', 'The request was sent too soon.')
/** What the fault words say in this network's words at the last piece of a file. */
export const pieceFaults = {
  '500-before': apiError(500, 'backendError', 'Backend Error'),
  'rate-limited': { ...tooSoon, headers: { 'retry-after': '60' } },
  'token-expired': unauthorized,
}
/** Faults that last and are not about the file are answered when the upload begins. */
const beginFaults: Readonly<Record<string, SimulatedAnswer>> = {
  'caption-too-long': apiError(400, 'invalidDescription', `${INVALID} video description.`),
  'account-restricted': apiError(401, 'youtubeSignupRequired', 'Unauthorized'),
  'account-suspended': apiError(403, 'authenticatedUserAccountSuspended', 'The account of the user is suspended.'),
}

/** Opens a session. */
export async function beginUpload({ deps, request, query, by: channel }: Call<Channel>): Promise<SimulatedAnswer> {
  const { headers } = request
  demand(query.get('uploadType') === 'resumable', 400, 'badRequest', 'uploadType must be resumable.')
  const parts = partsIn(query)
  const metadata = readMetadata(await readJson(request), parts)
  const fault = beginFaults[faultIn(metadata.description) ?? '']
  if (fault) throw new SimulatedRefusal(fault)
  const isJson = headers['content-type']?.startsWith('application/json') === true
  demand(isJson, 400, 'badContent', 'Media type of the metadata is not supported.')
  const total = Number(headers['x-upload-content-length'])
  demand(Number.isSafeInteger(total) && total > 0, 400, 'mediaBodyRequired', 'The length of the media is missing.')
  const mimeType = String(headers['x-upload-content-type'])
  const isVideo = /^(video\/|application\/octet-stream$)/.test(mimeType)
  demand(isVideo, 400, 'mediaBodyRequired', `Media type '${mimeType}' is not supported. Valid media types: [video/*].`)
  const id = randomBytes(24).toString('base64url')
  const openedAt = deps.now().toISOString()
  keepSession(deps, { id, channel, metadata, parts, mimeType, total, openedAt, pieces: [], videoId: null })
  const address = new URLSearchParams([...query, ['upload_id', id]])
  return { status: 200, headers: { location: `${deps.url}/api/upload/youtube/v3/videos?${address}` }, body: '' }
}

/** A request to a session: a piece, the last piece, or a question how much has arrived. */
export async function continueUpload(upload: Call<Channel>): Promise<SimulatedAnswer | null> {
  const { deps, request, query, by } = upload
  const bytes = await readBytes(request, MAX_PIECE_BYTES)
  const session = deps.store.get<Session>(SESSIONS, query.get('upload_id') ?? '')
  const age = deps.now().getTime() - new Date(session?.openedAt ?? 0).getTime()
  if (session?.channel.id !== by.id || age > SESSION_MS) return { status: 404, body: 'Not Found' }
  const range = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+)$/
  const [, start, end, total] = range.exec(request.headers['content-range'] ?? '') ?? []
  demand(Number(total) === session.total, 400, 'badRequest', 'Failed to parse Content-Range header.')
  if (start === undefined) return session.videoId === null ? resume(session) : finished(deps, session)
  const held = heldBy(session)
  // What the network says to bytes that it has already is not documented.
  const isWhole = Number(end) + 1 - Number(start) === bytes.length
  const follows = session.videoId === null && Number(start) === held && isWhole
  demand(follows, 400, 'badRequest', 'Invalid request. The bytes do not follow on those which have arrived.')
  if (held + bytes.length === session.total) return sendVideo(upload, session, bytes)
  demand(bytes.length % QUANTUM === 0, 400, 'badRequest', 'The size of a piece must be a multiple of 262144 bytes.')
  const isLargeFirst = session.pieces.length === 0 && bytes.length >= 2 * QUANTUM
  const taken = isLargeFirst ? bytes.subarray(0, bytes.length - QUANTUM) : bytes
  const piece = { blobId: await deps.store.putBlob(taken), bytes: taken.length }
  const longer = { ...session, pieces: [...session.pieces, piece] }
  keepSession(deps, longer)
  return resume(longer)
}

const heldBy = (session: Session) => session.pieces.reduce((sum, { bytes }) => sum + bytes, 0)

function resume(session: Session): SimulatedAnswer {
  const held = heldBy(session)
  return { status: 308, headers: held === 0 ? {} : { range: `bytes=0-${held - 1}` }, body: '' }
}

function finished(deps: SimulatorDeps, { videoId, parts }: Session): SimulatedAnswer {
  const video = findVideo(deps, videoId ?? '')
  if (!video) throw new Error('A finished session has no video.')
  return { status: 201, body: resource('video', video.id, partsOf(video, deps.now()), parts) }
}

/** The visible call: with the last byte there is a video. A file that the network will refuse is seen by no one. */
function sendVideo(upload: Call<Channel>, session: Session, last: Buffer): Promise<null> {
  const { deps, by: channel } = upload
  const { metadata, mimeType, pieces } = session
  const { title, description: text, privacy, categoryId, madeForKids } = metadata
  return visibly(upload, {
    key: `upload:${session.id}`,
    text,
    answers: pieceFaults,
    async accept() {
      const before = await Promise.all(pieces.map(({ blobId }) => deps.store.getBlob(blobId)))
      const file = Buffer.concat([...before.filter((piece) => piece !== undefined), last])
      const [blobId, measured] = [await deps.store.putBlob(file), await measureVideo(file)]
      const isShort = measured !== null && measured.seconds <= SHORT_SECONDS && measured.height >= measured.width
      const id = randomBytes(8).toString('base64url')
      const createdAt = deps.now().toISOString()
      const fate = faultIn(text) === 'media-rejected' ? 'failed' : 'processed'
      const done = { ...session, videoId: id }
      deps.store.together(() => {
        keep(deps, { ...metadata, id, channelId: channel.id, createdAt, fate, isShort, seen: false, blobId, mimeType })
        keepSession(deps, done)
        if (fate !== 'processed') return
        const details = { title, privacy, category: CATEGORIES[categoryId]?.title, madeForKids }
        const media = [{ blobId, mimeType }]
        const permalink = `${deps.url}/p/${id}`
        deps.store.addPost({ id, accountId: channel.accountId, text, permalink, createdAt, media, details })
      })
      return finished(deps, done)
    },
  })
}
