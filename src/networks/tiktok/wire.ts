import type { ConnectContext, Credentials } from '../network.ts'
import type { HttpAnswer, HttpFailure } from '../toolkit/outcomes.ts'
import { number, record, string, webAddress } from '../toolkit/read-json.ts'

/** What a call needs; an attempt of the publisher has it all. */
export type Caller = Pick<ConnectContext, 'endpoint' | 'http' | 'signal'> & { credentials: Credentials }

export type Called<T> =
  | { kind: 'ok'; value: T; answer: HttpAnswer }
  /** Anything but a success that can be read. */
  | { kind: 'refused'; answer: HttpAnswer }
  | HttpFailure

/**
 * A call of the API, always a POST. Errors come with HTTP 200 too: only the code `ok` means success
 * (https://developers.tiktok.com/doc/tiktok-api-v2-error-handling, read 2026-11-21).
 */
export async function call<T>(
  caller: Caller,
  request: {
    path: string
    json?: unknown
    /** It only asks. */
    reads?: true
    timeoutMs: number
    parse(data: Readonly<Record<string, unknown>>, text: string): T | undefined
  },
): Promise<Called<T>> {
  const answer = await caller.http({
    method: 'POST',
    url: `${caller.endpoint('api')}${request.path}`,
    headers: {
      authorization: `Bearer ${caller.credentials.accessToken}`,
      'content-type': 'application/json; charset=UTF-8',
    },
    ...(request.json === undefined ? {} : { json: request.json }),
    ...(request.reads ? { reads: true } : {}),
    signal: caller.signal,
    timeoutMs: request.timeoutMs,
  })
  if (answer.kind === 'failed') return answer
  const body = record(answer.json)
  const data = record(body?.data)
  if (answer.status !== 200 || record(body?.error)?.code !== 'ok' || !data) return { kind: 'refused', answer }
  const value = request.parse(data, answer.text)
  return value === undefined ? { kind: 'refused', answer } : { kind: 'ok', value, answer }
}

/** What an account may do at this moment. */
export interface Creator {
  username: string | null
  nickname: string | null
  privacyLevels: readonly string[]
  commentDisabled: boolean
  duetDisabled: boolean
  stitchDisabled: boolean
  maxVideoSeconds: number | null
}

export function parseCreator(data: Readonly<Record<string, unknown>>): Creator | undefined {
  const levels = data.privacy_level_options
  if (!Array.isArray(levels)) return undefined
  return {
    username: string(data.creator_username) ?? null,
    nickname: string(data.creator_nickname) ?? null,
    privacyLevels: levels.filter((level) => typeof level === 'string'),
    commentDisabled: data.comment_disabled === true,
    duetDisabled: data.duet_disabled === true,
    stitchDisabled: data.stitch_disabled === true,
    maxVideoSeconds: number(data.max_video_post_duration_sec) ?? null,
  }
}

/**
 * Scope video.publish, 20 requests a minute. It asks for what publishing asks for, before every post, so whoever is refused
 * here is refused there: it does not count as a read.
 */
export function creatorInfo(caller: Caller): Promise<Called<Creator>> {
  return call(caller, { path: '/v2/post/publish/creator_info/query/', timeoutMs: 15_000, parse: parseCreator })
}

export function parsePublishId(data: Readonly<Record<string, unknown>>): string | undefined {
  return string(data.publish_id)
}

export function parseUpload(data: Readonly<Record<string, unknown>>): { publishId: string; url: string } | undefined {
  const publishId = parsePublishId(data)
  const url = webAddress(data.upload_url)
  return publishId === undefined || url === null ? undefined : { publishId, url }
}

export interface Status {
  /** `PROCESSING_UPLOAD`, `PROCESSING_DOWNLOAD`, `SEND_TO_USER_INBOX`, `PUBLISH_COMPLETE`, `FAILED`. */
  status: string
  /** Of public posts, once moderation has let them pass. */
  postId: string | null
  /** Null when the network does not say. */
  uploadedBytes: number | null
}

/** The spelling is the network's. The id has 64 bits, which JavaScript's numbers do not hold, so it is read as text. */
const POST_ID = /"publica?ly_available_post_id"\s*:\s*\[\s*"?(\d{1,20})\b/

export function parseStatus(data: Readonly<Record<string, unknown>>, text: string): Status | undefined {
  const status = string(data.status)
  if (status === undefined) return undefined
  return {
    status,
    postId: POST_ID.exec(text)?.[1] ?? null,
    uploadedBytes: number(data.uploaded_bytes) ?? null,
  }
}

/** 30 requests a minute. How long the network remembers an id is not documented. */
export function fetchStatus(caller: Caller, publishId: string): Promise<Called<Status>> {
  return call(caller, {
    path: '/v2/post/publish/status/fetch/',
    json: { publish_id: publishId },
    reads: true,
    timeoutMs: 15_000,
    parse: parseStatus,
  })
}

/** A post as the network lists it. */
export interface Listed {
  id: string
  /** Cut off after 150 characters. */
  texts: readonly string[]
  at: Date
  url: string | null
}

export function parseList(data: Readonly<Record<string, unknown>>): Listed[] | undefined {
  if (!Array.isArray(data.videos)) return undefined
  return data.videos.flatMap((entry) => {
    const video = record(entry)
    const id = string(video?.id)
    const seconds = number(video?.create_time)
    if (!video || id === undefined || !/^\d{1,20}$/.test(id) || seconds === undefined) return []
    const texts = [string(video.title), string(video.video_description)].filter((text) => text !== undefined)
    return [{ id, texts, at: new Date(seconds * 1000), url: webAddress(video.share_url) }]
  })
}

/** The newest public posts. Scope video.list, which few apps have. */
export function listPosts(caller: Caller): Promise<Called<Listed[]>> {
  return call(caller, {
    path: '/v2/video/list/?fields=id,title,video_description,create_time,share_url',
    json: { max_count: 20 },
    reads: true,
    timeoutMs: 15_000,
    parse: parseList,
  })
}
