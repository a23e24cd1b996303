import type { SimulatedAnswer } from '../kit/faults.ts'
import { measureVideo } from '../kit/measure-video.ts'
import { readBytes } from '../kit/request-body.ts'
import type { Call } from '../kit/simulator.ts'
import { chosen, invalid, ok, type Params, refuse, unknownObject } from '../meta/simulator.ts'
import { addressOf, addStory, type Making, newId, publish, type SimulatedPage } from './simulator-posts.ts'

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
export type VideoKind = keyof typeof SECONDS

interface SimulatedVideo {
  id: string
  pageId: string
  kind: VideoKind
  /** Null until the host that takes videos has heard of it. */
  bytes: number | null
  received: number
  /** Blobs of what has arrived, in order. */
  parts: string[]
  pollsLeft: number
  finished: boolean
  failure: { code: number; message: string } | null
}

const find = ({ deps, by }: Call<SimulatedPage>, id: unknown) => {
  const video = deps.store.get<SimulatedVideo>('videos', String(id))
  return video?.pageId === by.id ? video : null
}
function keep({ deps }: Call<SimulatedPage>, video: SimulatedVideo) {
  deps.store.put('videos', video.id, video)
  return video
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
  const upload = { bytes, received: 0, parts: [], pollsLeft: UPLOAD_POLLS, finished: false, failure: null }
  const video = keep(making, { id: newId(), pageId: making.by.id, kind, ...upload })
  const { id } = video
  if (bytes !== null) return ok({ video_id: id, upload_session_id: SESSION + id, ...offsetsOf(video) })
  return ok({ video_id: id, upload_url: `https://rupload.facebook.com/video-upload/v25.0/${id}` })
}

/** The next part, as texts. */
function offsetsOf({ received, bytes }: SimulatedVideo) {
  const part = Math.max(PART_BYTES, Math.ceil(Number(bytes) / PARTS))
  return { start_offset: String(received), end_offset: String(Math.min(Number(bytes), received + part)) }
}

/** Stands before the id of a video in that of its session. */
const SESSION = '9'
const videoOfSession = (making: Making) =>
  find(making, String(making.params.upload_session_id).slice(SESSION.length)) ??
  refuse(100, 1363030, 'The session is not valid.')

/** Keeps what has arrived. */
async function keepPart(call: Call<SimulatedPage>, video: SimulatedVideo, bytes: Buffer) {
  const parts = [...video.parts, await call.deps.store.putBlob(bytes)]
  return keep(call, { ...video, received: video.received + bytes.length, parts })
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
  const video = find(call, id)
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
  const video = kind === 'video' ? videoOfSession(making) : find(making, params.video_id)
  if (video?.kind !== kind) return unknownObject(String(params.video_id))
  if (kind === 'reel' && params.video_state !== 'PUBLISHED') invalid('video_state')
  if (kind === 'video' && params.published !== true) invalid('published')
  if (!isUploaded(video)) refuse(6000, null, 'There was a problem uploading your video file. It is not complete.')
  const parts = await Promise.all(video.parts.map((part) => deps.store.getBlob(part)))
  const file = Buffer.concat(parts.filter((part) => part !== undefined))
  const failure = await videoFailure(file, kind)
  keep(making, { ...video, finished: true, failure, pollsLeft: WORK_POLLS })
  if (failure) return ok({ success: true })
  const stored = { blobId: await deps.store.putBlob(file), mimeType: 'video/mp4' }
  if (kind === 'story') return addStory(making, 'video story', video.id, stored)
  const { description, title } = params
  publish(making, {
    // Nothing says that a video cannot be finished twice, so the second time makes another post.
    id: video.finished ? newId() : video.id,
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
const isUploaded = ({ received, bytes, pollsLeft, kind, finished }: SimulatedVideo) =>
  received === bytes && (kind === 'video' || finished || pollsLeft === 0)

export const VIDEO_FIELDS: readonly string[] = ['id', 'status', 'permalink_url', 'published', 'post_id']

/** `GET /{video}`. Every look is a step of the work on it. Null for one that is not of this Page. */
export function readVideo(call: Call<SimulatedPage>): SimulatedAnswer | null {
  const video = find(call, call.at.id)
  if (!video) return null
  const { id, received, pollsLeft } = video
  if (pollsLeft > 0 && received === video.bytes) keep(call, { ...video, pollsLeft: pollsLeft - 1 })
  const live = video.finished && pollsLeft === 0 && !video.failure
  const permalink = live ? addressOf(call.deps, id) : undefined
  const shown = { id, status: statusOf(video), published: live, permalink_url: permalink }
  return ok(chosen(shown, call.query, VIDEO_FIELDS))
}

function statusOf(video: SimulatedVideo): Params {
  const { finished, failure, received, pollsLeft } = video
  const uploaded = isUploaded(video)
  const phases = (state: string, processing: object, publishing: string) => ({
    video_status: state,
    uploading_phase: { status: uploaded ? 'complete' : 'in_progress', bytes_transfered: received },
    processing_phase: processing,
    publishing_phase: { status: publishing, ...(finished ? { publish_status: 'published' } : {}) },
  })
  if (!finished) return phases(uploaded ? 'upload_complete' : 'uploading', { status: 'not_started' }, 'not_started')
  if (pollsLeft > 0) return phases('processing', { status: 'in_progress' }, 'not_started')
  if (failure) return phases('error', { status: 'error', error: failure }, 'not_started')
  return phases('ready', { status: 'complete' }, 'complete')
}
