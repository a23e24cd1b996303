import { apiClient, bearer, type Call, type Called, type Caller, type Listing } from '../kit/api.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { type Answer, may, need, number, reader, record, string, webAddress } from '../kit/read-json.ts'

const client = apiClient({
  base: ({ endpoint }) => endpoint('api'),
  headers: (caller) => ({ authorization: bearer(caller), 'content-type': 'application/json; charset=UTF-8' }),
  isOk: ({ status, json }) => status === 200 && record(record(json)?.error)?.code === 'ok',
})

type Data = Readonly<Record<string, unknown>>

/**
 * A call of the API, always a POST. Errors come with HTTP 200 too: only the code `ok` means success
 * (https://developers.tiktok.com/doc/tiktok-api-v2-error-handling, read 2026-11-21).
 */
export function call<T>(
  caller: Caller,
  request: Omit<Call<T>, 'method' | 'parse'> & { parse(data: Data, answer: HttpAnswer): T | undefined },
): Promise<Called<T>> {
  return client(caller, {
    ...request,
    method: 'POST',
    parse(body, answer) {
      const data = record(record(body)?.data)
      return data && request.parse(data, answer)
    },
  })
}

const flag = (value: unknown) => value === true
/** What an account may do at this moment. */
export const parseCreator = reader({
  username: may('creator_username', string),
  nickname: may('creator_nickname', string),
  privacyLevels: need('privacy_level_options', (levels) =>
    Array.isArray(levels) ? levels.filter((level) => typeof level === 'string') : undefined,
  ),
  commentDisabled: may('comment_disabled', flag, false),
  duetDisabled: may('duet_disabled', flag, false),
  stitchDisabled: may('stitch_disabled', flag, false),
  maxVideoSeconds: may('max_video_post_duration_sec', number),
})
export type Creator = Answer<typeof parseCreator>

/**
 * Scope video.publish, 20 requests a minute. It asks for what publishing asks for, before every post, so whoever is refused
 * here is refused there: it does not count as a read.
 */
export function creatorInfo(caller: Caller): Promise<Called<Creator>> {
  return call(caller, { path: 'v2/post/publish/creator_info/query/', timeoutMs: 15_000, parse: parseCreator })
}

export function parsePublishId(data: Data): string | undefined {
  return string(data.publish_id)
}

export function parseUpload(data: Data): { publishId: string; url: string } | undefined {
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
  /** Says in its words why a try failed. */
  answer: HttpAnswer
}

/** The spelling is the network's. The id has 64 bits, which JavaScript's numbers do not hold, so it is read as text. */
const POST_ID = /"publica?ly_available_post_id"\s*:\s*\[\s*"?(\d{1,20})\b/

export function parseStatus(data: Data, answer: HttpAnswer): Status | undefined {
  const status = string(data.status)
  if (status === undefined) return undefined
  return {
    status,
    postId: POST_ID.exec(answer.text)?.[1] ?? null,
    uploadedBytes: number(data.uploaded_bytes) ?? null,
    answer,
  }
}

/** 30 requests a minute. How long the network remembers an id is not documented. */
export function fetchStatus(caller: Caller, publishId: string): Promise<Called<Status>> {
  return call(caller, {
    path: 'v2/post/publish/status/fetch/',
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

export function parseList(data: Data): Listing<Listed> | undefined {
  if (!Array.isArray(data.videos)) return undefined
  const entries = data.videos.flatMap((entry): Listed[] => {
    const video = record(entry)
    const id = string(video?.id)
    const seconds = number(video?.create_time)
    if (!video || id === undefined || !/^\d{1,20}$/.test(id) || seconds === undefined) return []
    const texts = [string(video.title), string(video.video_description)].filter((text) => text !== undefined)
    return [{ id, texts, at: new Date(seconds * 1000), url: webAddress(video.share_url) }]
  })
  return { entries, whole: true }
}

/** The newest public posts. Scope video.list, which few apps have. */
export function listPosts(caller: Caller): Promise<Called<Listing<Listed>>> {
  return call(caller, {
    path: 'v2/video/list/?fields=id,title,video_description,create_time,share_url',
    json: { max_count: 20 },
    reads: true,
    timeoutMs: 15_000,
    parse: parseList,
  })
}
