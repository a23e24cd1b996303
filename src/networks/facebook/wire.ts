import { id, number, record, string, time } from '../kit/read-json.ts'

export interface PublishedPost {
  id: string
  permalink: string | null
}

/** `{"id":"{page}_{post}","permalink_url":"https://…"}` of `POST /{page}/feed?fields=id,permalink_url`. */
export function parsePost(body: unknown): PublishedPost | undefined {
  const post = record(body)
  const postId = id(post?.id)
  return postId === undefined ? undefined : { id: postId, permalink: string(post?.permalink_url) ?? null }
}

/** `{"video_id":"1234","upload_url":"https://…"}`, with offsets when the file is sent in parts. */
export interface Started {
  videoId: string
  session: string | null
  offset: number
  end: number
}

export function parseStarted(body: unknown): Started | undefined {
  const started = record(body)
  const videoId = id(started?.video_id)
  if (!started || videoId === undefined) return undefined
  const offsets = parseOffsets(body)
  return {
    videoId,
    session: id(started.upload_session_id) ?? null,
    offset: offsets?.offset ?? 0,
    end: offsets?.end ?? 0,
  }
}

/** `{"start_offset":"1024","end_offset":"2048"}`: which part is wanted next; equal when none is. */
export function parseOffsets(body: unknown): { offset: number; end: number } | undefined {
  const { start_offset: start, end_offset: to } = record(body) ?? {}
  const [offset, end] = [number(start), number(to)]
  return offset === undefined || end === undefined || end < offset ? undefined : { offset, end }
}

/**
 * Where an upload in parts stands, by the refusal of a part that is not the next one:
 * `{"error":{"code":6001,"error_subcode":1363037,"error_data":{"start_offset":"2048","end_offset":"3072"}}}`. Told by the
 * vendor's SDK (https://github.com/facebook/facebook-python-business-sdk, video_uploader.py, read 2026-11-21).
 */
export function parseExpected(body: unknown): { offset: number; end: number } | undefined {
  const error = record(record(body)?.error)
  return number(error?.error_subcode) === 1363037 ? parseOffsets(error?.error_data) : undefined
}

/** `{"success":true,"post_id":"…"}`; the id is there for stories. */
export function parseSuccess(body: unknown): { postId: string | null } | undefined {
  const answer = record(body)
  return answer?.success === true ? { postId: id(answer.post_id) ?? null } : undefined
}

/** How far the network is with a video. */
export interface Video {
  /** All bytes have arrived. */
  uploaded: boolean
  /** Bytes that have arrived; null when it does not say. */
  offset: number | null
  /** It was told to publish the video. */
  taken: boolean
  /** It has begun to work on it, which it may also do on its own: proof of nothing, and no proof that nothing was. */
  working: boolean
  /** The world can see it. */
  live: boolean
  /** It is kept as a draft that somebody has to share by hand. */
  draft: boolean
  /** Why it will come to nothing. */
  failure: { code: number | null; message: string } | null
  permalink: string | null
}

export const VIDEO_FIELDS = 'status,permalink_url,published,post_id'

const PUBLISHING = ['in_progress', 'complete', 'completed']
const FAILED = ['error', 'expired', 'upload_failed']
const WORKING = ['processing', 'ready']

const ARRIVING = ['uploading', 'upload_complete']

/**
 * `{"status":{"video_status":"processing","uploading_phase":{…},"processing_phase":{…},"publishing_phase":{…}}}`:
 * https://developers.facebook.com/documentation/video-api/guides/reels-publishing (read 2026-11-21). What shall become
 * of a video (`publish_status`) is there as soon as it is finished, also while its publishing has not begun. A video
 * that is shown (`published`, `post_id`) was taken whatever the phases say. Before it has arrived `published` may tell
 * what it is meant for, and counts for nothing.
 */
export function parseVideo(body: unknown): Video | undefined {
  const video = record(body)
  const status = record(video?.status)
  const state = string(status?.video_status)
  if (!video || !status || state === undefined) return undefined
  const uploading = record(status.uploading_phase)
  const processing = record(status.processing_phase)
  const publishing = record(status.publishing_phase)
  const phases = [uploading, processing, publishing]
  const aim = string(publishing?.publish_status) ?? null
  const step = string(publishing?.status) ?? ''
  const draft = aim === 'draft'
  const told = !draft && (aim === 'published' || PUBLISHING.includes(step))
  const published = video.published === true && !ARRIVING.includes(state)
  const shown = !draft && (published || id(video.post_id) !== undefined)
  const silent = step === '' && aim === null
  const broken = phases.find((phase) => phase?.status === 'error')
  const faulty = broken !== undefined || aim === 'error' || FAILED.includes(state)
  // A fault of what is published all the same proves nothing.
  const failed = faulty && !published
  return {
    uploaded: isComplete(uploading?.status) || state === 'upload_complete',
    offset: number(uploading?.bytes_transfered ?? uploading?.bytes_transferred) ?? null,
    taken: told || shown,
    working: WORKING.includes(state) || PUBLISHING.includes(string(processing?.status) ?? ''),
    live: !faulty && ((told && isComplete(step)) || (state === 'ready' && ((told && published) || (silent && shown)))),
    draft: draft && state === 'ready',
    failure: failed ? failureOf(broken, state) : null,
    permalink: string(video.permalink_url) ?? null,
  }
}

const isComplete = (status: unknown) => status === 'complete' || status === 'completed'

function failureOf(phase: Readonly<Record<string, unknown>> | undefined, state: string) {
  const { errors } = phase ?? {}
  const error = record(phase?.error) ?? (Array.isArray(errors) ? record(errors[0]) : undefined)
  return { code: number(error?.code) ?? null, message: string(error?.message) ?? `The video is ${state}.` }
}

/** A post as the network lists it. */
export interface ListedPost {
  id: string
  message: string
  at: Date | null
  permalink: string | null
  /** Ids of what is attached: photos, videos. */
  attached: readonly string[]
  /** `photo`, `album`, `multi_share`, `share`, …; null without an attachment. */
  attachment: string | null
}

/** Fields of posts in a listing. More of them may want more permissions, so most posts are known by these alone. */
export const POST_FIELDS = 'id,message,created_time'
/** Of posts that are known by their photos. */
export const PHOTO_POST_FIELDS = `${POST_FIELDS},permalink_url,attachments{type,media_type,target,subattachments{target}}`
/** Of one post that is known: its kind and its address. */
export const KNOWN_POST_FIELDS = 'id,permalink_url,attachments{type}'

export function parseListedPost(body: unknown): ListedPost | undefined {
  const post = record(body)
  const postId = id(post?.id)
  if (!post || postId === undefined) return undefined
  const attachments = entriesOf(post.attachments)
  const parts = attachments.flatMap((attachment) => [attachment, ...entriesOf(attachment.subattachments)])
  return {
    id: postId,
    message: string(post.message) ?? '',
    at: time(post.created_time),
    permalink: string(post.permalink_url) ?? null,
    attached: parts.map(({ target }) => id(record(target)?.id)).filter((each) => each !== undefined),
    attachment: string(attachments[0]?.type) ?? null,
  }
}

function entriesOf(edge: unknown): Readonly<Record<string, unknown>>[] {
  const { data } = record(edge) ?? {}
  return Array.isArray(data) ? data.map(record).filter((each) => each !== undefined) : []
}

/** `{"post_id":"…","status":"PUBLISHED","media_id":"…","url":"https://…"}` of `GET /{page}/stories`. */
export interface ListedStory {
  postId: string
  mediaId: string
  url: string | null
}

export function parseStory(body: unknown): ListedStory | undefined {
  const story = record(body)
  const [postId, mediaId] = [id(story?.post_id), id(story?.media_id)]
  if (postId === undefined || mediaId === undefined) return undefined
  return { postId, mediaId, url: string(story?.url) ?? null }
}
