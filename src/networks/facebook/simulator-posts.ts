import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import { measureImage } from '../kit/measure-image.ts'
import { measureVideo } from '../kit/measure-video.ts'
import { string } from '../kit/read-json.ts'
import { readBytes } from '../kit/request-body.ts'
import type { LedgerPost, SimulatorDeps } from '../kit/simulation.ts'
import { type Call, deletePost } from '../kit/simulator.ts'
import {
  checkedFields,
  chosen,
  fetched,
  invalid,
  newId as newGraphId,
  ok,
  type Params,
  pageOf,
  refuse,
  timestamp,
  unknownObject,
  within,
} from '../meta/simulator.ts'
import {
  addContainer,
  findContainer,
  keepContainer,
  type SimulatedContainer,
  type StoredFile,
  statusOf,
} from '../meta/simulator-containers.ts'

/** A new post appears in listings so much later. The vendor names no time. */
const LISTING_LAG_MS = 20_000
const MESSAGE_LENGTH = 63_206
/** As the page on photos has it. */
const IMAGE_BYTES = 10 * 1024 * 1024
const IMAGE_FORMATS = ['jpeg', 'png', 'gif', 'tiff']

const IDS = '12'
const newId = () => newGraphId(IDS)
const addressOf = ({ url }: SimulatorDeps, id: string) => `${url}/p/${id}`

/** A simulated Page. It belongs to one connection, or to the person of the simulated sign-in, and is known by its token. */
export interface SimulatedPage {
  id: string
  /** Under which its posts stand in the ledger. */
  ledgerId: string
  name: string
}

/** A call of a Page that makes something. */
export interface Making extends Call<SimulatedPage> {
  params: Params
}

/** What the world can see stands in the ledger alone. `details`: its kind, and what it holds. */
interface PagePost extends LedgerPost {
  details: { type: string; photos?: string[]; link?: string; media?: string; deletedAt?: string }
}

function publish({ deps, by }: Making, post: Pick<PagePost, 'id' | 'text' | 'media' | 'details'>): PagePost {
  const place = { permalink: addressOf(deps, post.id), createdAt: deps.now().toISOString() }
  const made = { ...post, ...place, accountId: by.ledgerId }
  deps.store.addPost(made)
  return made
}

/** Newest first. `isOf`: of which kind. */
function publishedBy({ deps, by }: Call<SimulatedPage>, isOf: (post: PagePost) => boolean): PagePost[] {
  const all = deps.store.posts() as readonly PagePost[]
  return all.filter((post) => post.accountId === by.ledgerId && !post.details.deletedAt && isOf(post)).reverse()
}

/** Ids of posts begin with that of their Page; those of videos and stories do not. */
const postsOf = (call: Call<SimulatedPage>) => publishedBy(call, ({ id }) => id.startsWith(`${call.by.id}_`))

/** `POST /{page}/photos`. The simulator takes unpublished ones only, and they vanish after a day. */
export async function createPhoto({ deps, by, params }: Making): Promise<SimulatedAnswer> {
  const { source, published, alt_text_custom: alt } = params
  if (published !== 'false') invalid('published photos are not taken here')
  const file = await takeImage(deps, source instanceof File ? Buffer.from(await source.arrayBuffer()) : undefined)
  const files = [alt === undefined ? file : { ...file, alt: String(alt) }]
  return addContainer(deps, IDS, { owner: by.id, kind: 'photo', params: {}, files, pollsLeft: 0, failure: null })
}

/** Keeps an image, or refuses it by its bytes. */
async function takeImage(deps: SimulatorDeps, bytes: Buffer | undefined): Promise<StoredFile> {
  const format = (await measureImage(bytes))?.format ?? ''
  if (!bytes || !IMAGE_FORMATS.includes(format)) return refuse(324, null, '(#324) Missing or invalid image file')
  if (bytes.length > IMAGE_BYTES) refuse(100, 1366046, 'Your photos could not be uploaded. They are too large.')
  return { blobId: await deps.store.putBlob(bytes), mimeType: `image/${format}` }
}

/** Fetches a picture as the network does. */
async function fetchImage(deps: SimulatorDeps, url: unknown): Promise<StoredFile> {
  const file = await fetched(deps, url, IMAGE_BYTES)
  if (!file || file === 'too large') return refuse(389, null, '(#389) Unable to fetch file from URL.')
  return takeImage(deps, await deps.store.getBlob(file.blobId))
}

/** The file of a photo that may still be published. */
function photoOf({ deps, by }: Making, id: unknown): readonly StoredFile[] {
  const photo = findContainer(deps, by.id, String(id))
  if (photo?.kind === 'photo' && statusOf(deps, photo) === 'FINISHED') return photo.files
  throw new SimulatedRefusal(unknownObject(String(id)))
}

export const POST_FIELDS: readonly string[] = ['id', 'message', 'created_time', 'permalink_url', 'attachments']

/** `POST /{page}/feed`. What equals the newest post of the Page is refused. */
export async function createPost(making: Making): Promise<SimulatedAnswer> {
  const { deps, by, params, query } = making
  checkedFields(query, POST_FIELDS)
  const { message, attached_media: attached = [], ...sent } = params
  // A mention is shown as the name of its Page, and vanishes where the app may not mention it: those whose number begins with 9.
  const text = (string(message) ?? '').replace(/@\[(\d+)\]/g, (_, id) => (/^9/.test(id) ? '' : `Page ${id}`)).trim()
  const link = string(params.link)
  if (text.length > MESSAGE_LENGTH) refuse(100, null, '(#100) Param message is too long.')
  if (link !== undefined) checkLink(link)
  if (!Array.isArray(attached)) return invalid('attached_media must be a list')
  const photos = attached.map((entry: Params) => String(entry?.media_fbid))
  const files = photos.flatMap((id) => photoOf(making, id))
  const cards = await cardsIn(deps, params)
  if (text === '' && link === undefined && photos.length === 0) invalid('one of message, link and attached_media')
  const [last] = postsOf(making)
  if (last?.text === text && last.details.link === link && photos.length + (last.details.photos?.length ?? 0) === 0) {
    refuse(506, null, '(#506) Duplicate status message')
  }
  const ofPhotos = photos.length > 1 ? 'album' : photos[0] && 'photo'
  const type = ofPhotos ?? (cards.length > 0 ? 'multi_share_no_end_card' : link === undefined ? 'status' : 'share')
  const details = { type, photos, ...sent }
  const post = publish(making, { id: `${by.id}_${newId()}`, text, media: [...files, ...cards], details })
  return ok(shown(post, query))
}

async function cardsIn(deps: SimulatorDeps, params: Params): Promise<StoredFile[]> {
  const { link, child_attachments: cards = null, multi_share_optimized: optimized } = params
  if (cards === null) return []
  const most = optimized === true ? 10 : 5
  if (!Array.isArray(cards) || cards.length < 2 || cards.length > most || link === undefined) {
    return invalid(`child_attachments: 2 to ${most} objects, with a link`)
  }
  const pictures: StoredFile[] = []
  for (const card of cards as Params[]) {
    checkLink(String(card.link))
    pictures.push(await fetchImage(deps, card.picture))
  }
  return pictures
}

function checkLink(link: string): void {
  const url = URL.parse(link) ?? refuse(1500, null, '(#1500) The url you supplied is invalid')
  if (/\bfacebook\.com$/.test(url.hostname)) refuse(100, 1609008, 'You cannot attach this link.')
  // A host that does not exist, as one that was cut wrongly out of a text.
  if (/\.invalid$/.test(url.hostname)) refuse(100, 1609005, 'There was a problem scraping data from the provided link.')
}

/** `GET /{page}/published_posts` */
export function listPosts(call: Call<SimulatedPage>): SimulatedAnswer {
  checkedFields(call.query, POST_FIELDS)
  const now = call.deps.now().getTime()
  const listed = postsOf(call).filter(({ createdAt }) => now - Date.parse(createdAt) >= LISTING_LAG_MS)
  return ok(pageOf(listed, call.query, (post) => shown(post, call.query)))
}

/** What stands on the Page under an id: a post, a video or a story. */
export const findPublished = (call: Call<SimulatedPage>, id = '') => publishedBy(call, (post) => post.id === id)[0]

const findPost = (call: Call<SimulatedPage>) => postsOf(call).find(({ id }) => id === call.at.id)

/** `GET /{post}`. Null for one that is not of this Page. */
export function readPost(call: Call<SimulatedPage>): SimulatedAnswer | null {
  const post = findPost(call)
  return post ? ok(shown(post, call.query)) : null
}

/** `DELETE /{post}` */
export function removePost(call: Call<SimulatedPage>): SimulatedAnswer {
  const { id = '' } = call.at
  if (!findPost(call)) return unknownObject(id)
  deletePost(call.deps, 'feed', id)
  return ok({ success: true })
}

function shown({ id, text, createdAt, permalink, details }: PagePost, query: URLSearchParams): Params {
  const { type, photos = [] } = details
  const targets = photos.map((photo) => ({ target: { id: photo } }))
  const attached = targets.length > 1 ? { subattachments: { data: targets } } : targets[0]
  const post = {
    id,
    // What a post does not have is left out.
    message: text === '' ? undefined : text,
    created_time: timestamp(createdAt),
    permalink_url: permalink,
    attachments: type === 'status' ? undefined : { data: [{ type, ...attached }] },
  }
  return chosen(post, query, POST_FIELDS)
}

/** `POST /{page}/photo_stories` */
export function createPhotoStory(making: Making): SimulatedAnswer {
  const id = String(making.params.photo_id)
  return addStory(making, 'photo story', id, photoOf(making, id))
}

type StoryType = 'photo story' | 'video story'
function addStory(making: Making, type: StoryType, shows: string, media: readonly StoredFile[]) {
  const { id } = publish(making, { id: newId(), text: '', media, details: { type, media: shows } })
  return ok({ success: true, post_id: id })
}

/** `GET /{page}/stories`. Newest first. */
export function listStories(call: Call<SimulatedPage>): SimulatedAnswer {
  const all = publishedBy(call, ({ details }) => details.type.endsWith(' story'))
  const stories = all.map((story) => ({ ...story, at: story.createdAt }))
  const show = ({ id, permalink, details }: PagePost) => ({ post_id: id, media_id: details.media, url: permalink })
  return ok(pageOf(within(stories, call.query), call.query, show))
}

/** Times that a status is asked for until the network has noticed the upload, and has worked on the video. */
const UPLOAD_POLLS = 1
const WORK_POLLS = 2
/** Far below the network's, because files pass through memory here. */
const MAX_VIDEO_BYTES = 512 * 1024 * 1024
/** An upload in parts takes so many, of at least so many bytes. */
const PARTS = 4
const PART_BYTES = 4_096

/** How long a video of each kind may be. The page on stories ends earlier than that on formats. */
const SECONDS = { reel: [3, 90], story: [3, 60], video: [0, 40 * 60] } as const
type VideoKind = keyof typeof SECONDS

interface SimulatedVideo extends SimulatedContainer<VideoKind, { code: number; message: string }> {
  /** Null until the host that takes videos has heard of it. */
  bytes: number | null
  received: number
}

function findVideo({ deps, by }: Call<SimulatedPage>, id: unknown): SimulatedVideo | null {
  const video = findContainer<SimulatedVideo>(deps, by.id, String(id))
  return video && video.kind in SECONDS ? video : null
}

/** `POST /{page}/video_reels`, `/video_stories` and `/videos`, in all their phases. */
export const videoCall = (kind: VideoKind) => (making: Making) => {
  const { upload_phase: phase } = making.params
  if (phase === 'start') return start(making, kind)
  if (phase === 'transfer' && kind === 'video') return transfer(making)
  return phase === 'finish' ? finish(making, kind) : invalid('upload_phase')
}

function start(making: Making, kind: VideoKind): SimulatedAnswer {
  const bytes = kind === 'video' ? Number(making.params.file_size) : null
  if (bytes !== null && !(Number.isSafeInteger(bytes) && bytes > 0 && bytes <= MAX_VIDEO_BYTES)) invalid('file_size')
  const id = newId()
  const work = { pollsLeft: UPLOAD_POLLS, failure: null, published: false, missed: 0 }
  const owned = { id, owner: making.by.id, createdAt: making.deps.now().toISOString(), kind, params: {}, files: [] }
  const video = { ...owned, ...work, bytes, received: 0 }
  keepContainer(making.deps, video)
  if (bytes !== null) return ok({ video_id: id, upload_session_id: SESSION + id, ...offsetsOf(video) })
  return ok({ video_id: id, upload_url: `https://rupload.facebook.com/video-upload/v25.0/${id}` })
}

/** The next part, as texts. */
function offsetsOf({ received, bytes }: Pick<SimulatedVideo, 'received' | 'bytes'>) {
  const part = Math.max(PART_BYTES, Math.ceil(Number(bytes) / PARTS))
  return { start_offset: String(received), end_offset: String(Math.min(Number(bytes), received + part)) }
}

/** Stands before the id of a video in that of its session. */
const SESSION = '9'
const videoOfSession = (making: Making) =>
  findVideo(making, String(making.params.upload_session_id).slice(SESSION.length)) ??
  refuse(100, 1363030, 'The session is not valid.')

async function keepPart({ deps }: Call<SimulatedPage>, video: SimulatedVideo, bytes: Buffer) {
  const files = [...video.files, { blobId: await deps.store.putBlob(bytes), mimeType: 'application/octet-stream' }]
  const further = { ...video, received: video.received + bytes.length, files }
  keepContainer(deps, further)
  return further
}

async function transfer(making: Making): Promise<SimulatedAnswer> {
  const video = videoOfSession(making)
  const { video_file_chunk: part, start_offset: start } = making.params
  if (!(part instanceof File)) return invalid('video_file_chunk')
  if (Number(start) !== video.received) {
    const message = 'The offset is not the one that is expected.'
    // It says which part is.
    const error = { message, code: 6001, error_subcode: 1363037, error_data: offsetsOf(video) }
    return { status: 400, body: { error } }
  }
  return ok(offsetsOf(await keepPart(making, video, Buffer.from(await part.arrayBuffer()))))
}

/** `POST https://rupload.facebook.com/video-upload/{version}/{video}`. What has arrived of a file is kept. */
export async function takeVideoBytes(call: Call<SimulatedPage>): Promise<SimulatedAnswer> {
  const { id = '' } = call.at
  const video = findVideo(call, id)
  if (!video || video.kind === 'video') return unknownObject(id)
  const { offset, file_size: size, authorization } = call.request.headers
  if (!authorization?.startsWith('OAuth ')) return uploadError('ProcessingFailedError')
  if (offset !== String(video.received)) return uploadError('OffsetInvalidError')
  const bytes = Number(size)
  const { received } = await keepPart(call, { ...video, bytes }, await readBytes(call.request, MAX_VIDEO_BYTES))
  return received === bytes ? ok({ success: true }) : uploadError('PartialRequestError')
}

/** What the host that takes videos says. */
const uploadError = (type: string): SimulatedAnswer => ({
  status: 400,
  body: { debug_info: { retriable: type !== 'ProcessingFailedError', type, message: 'The upload failed' } },
})

/** Makes the post, unless the work on the video will fail. */
async function finish(making: Making, kind: VideoKind): Promise<SimulatedAnswer> {
  const { deps, params } = making
  const video = kind === 'video' ? videoOfSession(making) : findVideo(making, params.video_id)
  if (video?.kind !== kind) return unknownObject(String(params.video_id))
  if (kind === 'reel' && params.video_state !== 'PUBLISHED') invalid('video_state')
  if (kind === 'video' && params.published !== true) invalid('published')
  if (!isUploaded(video)) refuse(6000, null, 'There was a problem uploading your video file. It is not complete.')
  const parts = await Promise.all(video.files.map(({ blobId }) => deps.store.getBlob(blobId)))
  const file = Buffer.concat(parts.filter((part) => part !== undefined))
  const failure = await videoFailure(file, kind)
  const worked: SimulatedVideo = { ...video, published: true, failure, pollsLeft: WORK_POLLS }
  keepContainer(deps, worked)
  if (failure) return ok({ success: true })
  const stored = { blobId: await deps.store.putBlob(file), mimeType: 'video/mp4' }
  if (kind === 'story') return addStory(making, 'video story', video.id, [stored])
  const { description, title } = params
  publish(making, {
    // Nothing says that a video cannot be finished twice, so the second time makes another post.
    id: video.published ? newId() : video.id,
    text: String(description ?? ''),
    media: [stored],
    details: { type: kind, media: video.id, ...(title === undefined ? {} : { title }) },
  })
  return ok({ success: true })
}

/** What is wrong with a video; null when nothing is. It shows while the network works on it. */
async function videoFailure(bytes: Buffer, kind: VideoKind): Promise<SimulatedVideo['failure']> {
  const measured = await measureVideo(bytes)
  if (!measured || !['avc', 'hevc', 'vp9', 'av1'].includes(measured.videoCodec ?? '')) {
    return { code: 352, message: 'The video format is not supported.' }
  }
  const { seconds, width, height } = measured
  const [min, max] = SECONDS[kind]
  if (seconds < min || seconds > max) return { code: 1363128, message: `The video lasts ${Math.round(seconds)} s.` }
  if (kind === 'video') return null
  if (width < 540 || height < 960) return { code: 1363127, message: 'The resolution of the video is too small.' }
  return Math.abs(width / height - 9 / 16) < 0.02 ? null : { code: 1363040, message: 'The aspect ratio is not 9:16.' }
}

/** All bytes are there, and the network has noticed. */
const isUploaded = ({ received, bytes, pollsLeft, kind, published }: SimulatedVideo) =>
  received === bytes && (kind === 'video' || published || pollsLeft === 0)

export const VIDEO_FIELDS: readonly string[] = ['id', 'status', 'permalink_url', 'published', 'post_id']

/** `GET /{video}`. Every look is a step of the work on it. Null for one that is not of this Page. */
export function readVideo(call: Call<SimulatedPage>): SimulatedAnswer | null {
  const video = findVideo(call, call.at.id)
  if (!video) return null
  const { id, received, pollsLeft } = video
  if (pollsLeft > 0 && received === video.bytes) keepContainer(call.deps, { ...video, pollsLeft: pollsLeft - 1 })
  const live = video.published && pollsLeft === 0 && !video.failure
  const permalink = live ? addressOf(call.deps, id) : undefined
  const shown = { id, status: stateOf(video), published: live, permalink_url: permalink }
  return ok(chosen(shown, call.query, VIDEO_FIELDS))
}

function stateOf(video: SimulatedVideo): Params {
  const { published, failure, received, pollsLeft } = video
  const uploaded = isUploaded(video)
  const phases = (state: string, processing: object, publishing: string) => ({
    video_status: state,
    uploading_phase: { status: uploaded ? 'complete' : 'in_progress', bytes_transfered: received },
    processing_phase: processing,
    publishing_phase: { status: publishing, ...(published ? { publish_status: 'published' } : {}) },
  })
  if (!published) return phases(uploaded ? 'upload_complete' : 'uploading', { status: 'not_started' }, 'not_started')
  if (pollsLeft > 0) return phases('processing', { status: 'in_progress' }, 'not_started')
  if (failure) return phases('error', { status: 'error', error: failure }, 'not_started')
  return phases('ready', { status: 'complete' }, 'complete')
}
