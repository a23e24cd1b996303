import type { IncomingMessage } from 'node:http'
import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { chosen, graphFault, invalid, ok, type Params, refuse, unknownObject } from '../meta/simulator.ts'
import type { SimulatedPage } from './simulator-accounts.ts'
import { uploadError } from './simulator-answers.ts'
import { type VideoKind, videoFailure } from './simulator-files.ts'
import { checkParams, isTrue, textIn } from './simulator-params.ts'
import { addStory, newId } from './simulator-posts.ts'

/** Times that a status is asked for until the network has noticed the upload, and has worked on the video. */
const UPLOAD_POLLS = 1
const WORK_POLLS = 2
/** Far below the network's, because files pass through memory here. */
const MAX_VIDEO_BYTES = 512 * 1024 * 1024
/** An upload in parts takes so many, of at least so many bytes. */
const PARTS = 4
const PART_BYTES = 4_096

const KINDS: Readonly<Record<string, VideoKind>> = { video_reels: 'reel', video_stories: 'story', videos: 'video' }

interface SimulatedVideo {
  id: string
  pageId: string
  kind: VideoKind
  /** Of an upload in parts. */
  session: string | null
  /** Null until the host that takes videos has heard of it. */
  bytes: number | null
  received: number
  /** Blobs of what has arrived, in order. */
  parts: string[]
  pollsLeft: number
  finished: boolean
  failure: { code: number; message: string } | null
}

const find = (deps: SimulatorDeps, page: SimulatedPage, id: unknown) => {
  const video = deps.store.get<SimulatedVideo>('videos', String(id))
  return video?.pageId === page.id ? video : null
}
const keep = (deps: SimulatorDeps, video: SimulatedVideo) => deps.store.put('videos', video.id, video)

/** `POST /{page}/video_reels`, `/video_stories` and `/videos`, in all their phases. */
export function videoCall(
  deps: SimulatorDeps,
  page: SimulatedPage,
  edge: string,
  params: Params,
): SimulatedAnswer | Promise<SimulatedAnswer> {
  const kind = KINDS[edge] ?? invalid(edge)
  checkParams(edge, params)
  switch (textIn(params, 'upload_phase')?.toLowerCase()) {
    case 'start':
      return start(deps, page, kind, params)
    case 'transfer':
      return kind === 'video' ? transfer(deps, page, params) : invalid('upload_phase')
    case 'finish':
      return finish(deps, page, kind, params)
    default:
      return invalid('upload_phase')
  }
}

function start(deps: SimulatorDeps, page: SimulatedPage, kind: VideoKind, params: Params): SimulatedAnswer {
  const bytes = params.file_size === undefined ? null : Number(params.file_size)
  if (kind === 'video' && !(Number.isSafeInteger(bytes) && Number(bytes) > 0 && Number(bytes) <= MAX_VIDEO_BYTES)) {
    invalid('file_size')
  }
  const id = newId()
  const session = kind === 'video' ? newId() : null
  const video: SimulatedVideo = {
    id,
    pageId: page.id,
    kind,
    session,
    bytes,
    received: 0,
    parts: [],
    pollsLeft: UPLOAD_POLLS,
    finished: false,
    failure: null,
  }
  keep(deps, video)
  if (session === null) return ok({ video_id: id, upload_url: `https://rupload.facebook.com/video-upload/v25.0/${id}` })
  deps.store.put('sessions', session, id)
  return ok({ video_id: id, upload_session_id: session, ...offsetsOf(video) })
}

/** The next part, as texts. */
function offsetsOf({ received, bytes }: SimulatedVideo) {
  const part = Math.max(PART_BYTES, Math.ceil(Number(bytes) / PARTS))
  return { start_offset: String(received), end_offset: String(Math.min(Number(bytes), received + part)) }
}

function videoOfSession(deps: SimulatorDeps, page: SimulatedPage, params: Params): SimulatedVideo {
  const session = textIn(params, 'upload_session_id') ?? ''
  return (
    find(deps, page, deps.store.get<string>('sessions', session)) ?? refuse(100, 1363030, 'The session is not valid.')
  )
}

async function transfer(deps: SimulatorDeps, page: SimulatedPage, params: Params): Promise<SimulatedAnswer> {
  const video = videoOfSession(deps, page, params)
  const part = params.video_file_chunk
  if (!(part instanceof File)) return invalid('video_file_chunk')
  if (Number(params.start_offset) !== video.received) {
    throw new SimulatedRefusal(wrongOffset(video))
  }
  const bytes = Buffer.from(await part.arrayBuffer())
  const received = video.received + bytes.length
  if (received > Number(video.bytes)) refuse(6001, 1363019, 'There was a problem uploading your video.')
  const next = { ...video, received, parts: [...video.parts, await deps.store.putBlob(bytes)] }
  keep(deps, next)
  return ok(offsetsOf(next))
}

/** Says which part is expected. */
function wrongOffset(video: SimulatedVideo): SimulatedAnswer {
  const words = 'There was a problem uploading your video. The offset is not the one that is expected.'
  const { status, body } = graphFault(6001, 1363037, words)
  const { error } = body as { error: object }
  return { status, body: { error: { ...error, error_data: offsetsOf(video) } } }
}

/** `POST https://rupload.facebook.com/video-upload/{version}/{video}`. What arrives before a connection breaks is kept. */
export async function takeVideoBytes(
  deps: SimulatorDeps,
  page: SimulatedPage,
  id: string,
  request: IncomingMessage,
): Promise<SimulatedAnswer> {
  const video = find(deps, page, id)
  if (!video || video.session !== null) return unknownObject(id)
  const { offset, file_size: size } = request.headers
  const bytes = Number(size)
  if (!request.headers.authorization?.startsWith('OAuth ')) return uploadError('ProcessingFailedError', 'Unauthorized')
  if (!(bytes > 0) || offset === undefined) return uploadError('ProcessingFailedError', 'Headers are missing')
  if (Number(offset) !== video.received) return uploadError('OffsetInvalidError', 'The offset is not valid')
  if (bytes > MAX_VIDEO_BYTES) return uploadError('ProcessingFailedError', 'The video is too large')
  const chunks: Buffer[] = []
  let received = video.received
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      received += (chunk as Buffer).length
      if (received > bytes) return uploadError('ProcessingFailedError', 'More bytes than were announced')
      chunks.push(chunk as Buffer)
    }
  } catch {
    // The connection broke.
  }
  const arrived = Buffer.concat(chunks)
  const parts = arrived.length === 0 ? video.parts : [...video.parts, await deps.store.putBlob(arrived)]
  keep(deps, { ...video, bytes, received, parts })
  if (received < bytes) return uploadError('PartialRequestError', 'Partial request (did not match length of file)')
  return ok({ success: true })
}

/** Makes the post, unless the work on the video will fail. */
async function finish(
  deps: SimulatorDeps,
  page: SimulatedPage,
  kind: VideoKind,
  params: Params,
): Promise<SimulatedAnswer> {
  const video = kind === 'video' ? videoOfSession(deps, page, params) : find(deps, page, params.video_id)
  if (video?.kind !== kind) return unknownObject(String(params.video_id))
  if (kind === 'reel' && textIn(params, 'video_state') !== 'PUBLISHED') invalid('video_state')
  if (kind === 'video' && params.published !== undefined && !isTrue(params.published)) invalid('published')
  if (!isUploaded(video))
    refuse(6000, null, 'There was a problem uploading your video file. The upload is not complete.')
  if (video.finished && kind === 'story') invalid('video_id: the video was used in a story')
  const file = Buffer.concat(
    await Promise.all(video.parts.map(async (part) => (await deps.store.getBlob(part)) ?? Buffer.alloc(0))),
  )
  const failure = await videoFailure(file, kind)
  keep(deps, { ...video, finished: true, failure, pollsLeft: WORK_POLLS })
  if (failure) return ok({ success: true })
  const stored = { blobId: await deps.store.putBlob(file), mimeType: 'video/mp4' }
  if (kind === 'story') return addStory(deps, page, { mediaId: video.id, mediaType: 'video', file: stored })
  const { description, title } = params
  // Nothing says that a video cannot be finished twice, so the second time makes another post.
  const id = video.finished ? newId() : video.id
  deps.store.addPost({
    id,
    accountId: page.ledgerId,
    text: String(description ?? ''),
    permalink: `${deps.url}/p/${id}`,
    createdAt: deps.now().toISOString(),
    media: [stored],
    details: { type: kind, video: video.id, ...(title === undefined ? {} : { title }) },
  })
  return ok({ success: true })
}

/** All bytes are there, and the network has noticed. */
const isUploaded = ({ received, bytes, pollsLeft, session, finished }: SimulatedVideo) =>
  received === bytes && (session !== null || finished || pollsLeft === 0)

export const VIDEO_FIELDS: readonly string[] = ['id', 'status', 'permalink_url', 'published', 'post_id']

/** `GET /{video}`. Every look is a step of the work on it. */
export function readVideo(
  deps: SimulatorDeps,
  page: SimulatedPage,
  id: string,
  query: URLSearchParams,
): SimulatedAnswer | null {
  const video = find(deps, page, id)
  if (!video) return null
  const { finished, failure, received, bytes, pollsLeft } = video
  const working = pollsLeft > 0
  if (working && received === bytes) keep(deps, { ...video, pollsLeft: pollsLeft - 1 })
  const done = finished && !working
  const uploaded = isUploaded(video)
  const status = {
    video_status: done
      ? failure
        ? 'error'
        : 'ready'
      : finished
        ? 'processing'
        : uploaded
          ? 'upload_complete'
          : 'uploading',
    uploading_phase: { status: uploaded ? 'complete' : 'in_progress', bytes_transfered: received },
    processing_phase: {
      status: done ? (failure ? 'error' : 'complete') : finished ? 'in_progress' : 'not_started',
      ...(done && failure ? { error: failure } : {}),
    },
    publishing_phase: {
      status: done && !failure ? 'complete' : 'not_started',
      ...(finished ? { publish_status: 'published' } : {}),
    },
  }
  const live = done && !failure
  return ok(
    chosen(
      { id, status, published: live, permalink_url: live ? `${deps.url}/p/${id}` : undefined, post_id: undefined },
      query,
      VIDEO_FIELDS,
    ),
  )
}
