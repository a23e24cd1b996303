import type { Called, Listing } from '../kit/api.ts'
import { type Answer, id, listOf, may, need, number, reader, record, string, time } from '../kit/read-json.ts'
import { call, list } from '../meta/graph.ts'
import type { Attempt } from '../network.ts'

/** `{"id":"{page}_{post}","permalink_url":"https://…"}` of `POST /{page}/feed?fields=id,permalink_url`. */
export const parsePost = reader({ id: need('id', id), permalink: may('permalink_url', string) })

/** `{"video_id":"1234","upload_url":"https://…"}`, with a session and offsets when the file is sent in parts. */
export const parseStarted = reader({
  videoId: need('video_id', id),
  session: may('upload_session_id', id),
  offset: may('start_offset', number, 0),
  end: may('end_offset', number, 0),
})

/** `{"start_offset":"1024","end_offset":"2048"}`: which part is wanted next; equal when none is. */
export const parseOffsets = reader({ offset: need('start_offset', number), end: need('end_offset', number) })

/**
 * Where an upload in parts stands, by the refusal of a part that is not the next one:
 * `{"error":{"code":6001,"error_subcode":1363037,"error_data":{"start_offset":"2048","end_offset":"3072"}}}`. Told by the
 * vendor's SDK (https://github.com/facebook/facebook-python-business-sdk, video_uploader.py, read 2026-11-21).
 */
export function parseExpected(body: unknown): ReturnType<typeof parseOffsets> {
  const error = record(record(body)?.error)
  return number(error?.error_subcode) === 1363037 ? parseOffsets(error?.error_data) : undefined
}

/** `{"success":true,"post_id":"…"}`; the id is there for stories. */
export const parseSuccess = reader({
  success: need('success', (value) => value === true || undefined),
  id: may('post_id', id),
  permalink: may('permalink_url', string),
})

export const VIDEO_FIELDS = 'status,permalink_url,published,post_id'

const readStatus = reader({
  state: need('status.video_status', string),
  uploading: may('status.uploading_phase', record),
  processing: may('status.processing_phase', record),
  publishing: may('status.publishing_phase', record),
  step: may('status.publishing_phase.status', string, ''),
  aim: may('status.publishing_phase.publish_status', string),
  published: may('published', (value) => value === true, false),
  postId: may('post_id', id),
  permalink: may('permalink_url', string),
})

const COMPLETE: readonly unknown[] = ['complete', 'completed']
const BEGUN: readonly unknown[] = ['in_progress', ...COMPLETE]

/** How far the network is with a video. */
export type Video = NonNullable<ReturnType<typeof parseVideo>>

/**
 * `{"status":{"video_status":"processing","uploading_phase":{…},"processing_phase":{…},"publishing_phase":{…}}}`:
 * https://developers.facebook.com/documentation/video-api/guides/reels-publishing (read 2026-11-21). What shall become
 * of a video (`publish_status`) is there as soon as it is finished, also while its publishing has not begun. A video
 * that is shown (`published`, `post_id`) was taken whatever the phases say. Before it has arrived `published` may tell
 * what it is meant for, and counts for nothing.
 */
export function parseVideo(body: unknown) {
  const video = readStatus(body)
  if (!video) return undefined
  const { state, uploading, processing, publishing, step, aim, permalink } = video
  const draft = aim === 'draft'
  const reported = !draft && (aim === 'published' || BEGUN.includes(step))
  const published = video.published && !['uploading', 'upload_complete'].includes(state)
  const shown = !draft && (published || video.postId !== null)
  const silent = step === '' && aim === null
  const broken = [uploading, processing, publishing].find((phase) => phase?.status === 'error')
  const faulty = broken !== undefined || aim === 'error' || ['error', 'expired', 'upload_failed'].includes(state)
  const { code, message } = [broken?.error, broken?.errors].flat().map(record).find(Boolean) ?? {}
  const why = { code: number(code) ?? null, message: string(message) ?? `The video is ${state}.` }
  return {
    /** All bytes have arrived. */
    uploaded: COMPLETE.includes(uploading?.status) || state === 'upload_complete',
    /** Bytes that have arrived; null when it does not say. */
    offset: number(uploading?.bytes_transfered ?? uploading?.bytes_transferred) ?? null,
    /** It was told to publish the video. */
    taken: reported || shown,
    /** It has begun to work on it, which it may also do on its own: proof of nothing, and no proof that nothing was. */
    working: ['processing', 'ready'].includes(state) || BEGUN.includes(processing?.status),
    /** The world can see it. */
    live:
      !faulty &&
      ((reported && COMPLETE.includes(step)) || (state === 'ready' && ((reported && published) || (silent && shown)))),
    /** It is kept as a draft that somebody has to share by hand. */
    draft: draft && state === 'ready',
    /** Why it will come to nothing. A fault of what is published all the same proves nothing. */
    failure: faulty && !published ? why : null,
    permalink,
  }
}

/** Fields of posts in a listing. More of them may want more permissions, so most posts are known by these alone. */
export const POST_FIELDS = 'id,message,created_time'
/** Of posts that are known by their photos. */
export const PHOTO_POST_FIELDS = `${POST_FIELDS},permalink_url,attachments{type,media_type,target,subattachments{target}}`
/** Of one post that is known: its kind and its address. */
export const KNOWN_POST_FIELDS = 'id,permalink_url,attachments{type}'

/** A post as the network lists it. */
export const parseListedPost = reader({
  id: need('id', id),
  message: may('message', string, ''),
  at: may('created_time', time),
  permalink: may('permalink_url', string),
  /** Ids of what is attached: photos, videos. */
  attached: may('attachments', attachedIn, []),
  /** `photo`, `album`, `multi_share`, `share`, …; null without an attachment. */
  attachment: may('attachments', (edge) => string(entriesOf(edge)[0]?.type)),
})
export type ListedPost = Answer<typeof parseListedPost>

function attachedIn(edge: unknown): string[] {
  const parts = entriesOf(edge).flatMap((attachment) => [attachment, ...entriesOf(attachment.subattachments)])
  const targets = parts.map(({ target }) => record(target)?.id)
  return listOf(targets, id)
}

const entriesOf = (edge: unknown) => listOf(record(edge)?.data, record)

export const COMMENT_FIELDS = 'id,message,created_time,from'

/** Who wrote it is left out where the token may not see it. */
export const parseComment = reader({
  id: need('id', id),
  text: may('message', string, ''),
  author: may('from.id', id),
  at: may('created_time', time),
})

/** `{"post_id":"…","status":"PUBLISHED","media_id":"…","url":"https://…"}` of `GET /{page}/stories`. */
export const parseStory = reader({
  id: need('post_id', id),
  mediaId: need('media_id', id),
  permalink: may('url', string),
})

/** A video or a post, by its id. */
const read = <T>(attempt: Attempt, path: string, fields: string, parse: (body: unknown) => T | undefined) =>
  call(attempt, { method: 'GET', path, query: { fields }, timeoutMs: 10_000, parse })
export const readVideo = (attempt: Attempt, id: string) => read(attempt, id, VIDEO_FIELDS, parseVideo)
export const readWords = (attempt: Attempt, id: string) => read(attempt, id, 'id,message', parseListedPost)
export const readPost = (attempt: Attempt, id: string) => read(attempt, id, KNOWN_POST_FIELDS, parseListedPost)

/** A post is among the newest so many pages of 25, or it is not looked for any further. */
const MAX_PAGES = 8

/** What a Page lists. Null is an entry that cannot be read. */
type Listed = Promise<Called<Listing<ListedPost | null>>>

/**
 * The Page's posts since then, newest first.
 * https://developers.facebook.com/docs/graph-api/reference/page/feed/ (read 2026-11-21)
 */
export const listPosts = (attempt: Attempt, from: Date, byPhotos = false): Listed =>
  list(attempt, {
    path: `${attempt.account.externalId}/published_posts`,
    query: { fields: byPhotos ? PHOTO_POST_FIELDS : POST_FIELDS, limit: '25' },
    parse: (entry) => parseListedPost(entry) ?? null,
    most: MAX_PAGES,
    until: (posts) => (posts.at(-1)?.at ?? from) < from,
  })

export const listStories = (attempt: Attempt, from: Date): Listed =>
  list(attempt, {
    path: `${attempt.account.externalId}/stories`,
    query: { since: String(Math.floor(from.getTime() / 1000)), limit: '50' },
    parse(entry) {
      const story = parseStory(entry)
      return story ? { ...story, attached: [story.mediaId], message: '', at: null, attachment: null } : null
    },
  })
