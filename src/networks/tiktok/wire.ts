import { apiClient, bearer, type Call, type Called, type Caller, type Listing } from '../kit/api.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { type Answer, id, may, need, number, reader, record, string, webAddress } from '../kit/read-json.ts'

const client = apiClient({
  base: ({ endpoint }) => endpoint('api'),
  headers: (caller) => ({ authorization: bearer(caller), 'content-type': 'application/json; charset=UTF-8' }),
  isOk: ({ status, json }) => status === 200 && codeOf({ json }) === 'ok',
})

/**
 * A call of the API, always a POST. Errors come with HTTP 200 too: only the code `ok` means success
 * (https://developers.tiktok.com/doc/tiktok-api-v2-error-handling, read 2026-11-21).
 */
export const call = <T>(caller: Caller, request: Omit<Call<T>, 'method'>): Promise<Called<T>> =>
  client(caller, { timeoutMs: 15_000, ...request, method: 'POST' })

const flag = (value: unknown) => value === true
const texts = (values: unknown) =>
  Array.isArray(values) ? values.filter((value) => typeof value === 'string') : undefined
const parseCreator = reader({
  username: may('data.creator_username', string),
  nickname: may('data.creator_nickname', string),
  privacyLevels: need('data.privacy_level_options', texts),
  commentDisabled: may('data.comment_disabled', flag, false),
  duetDisabled: may('data.duet_disabled', flag, false),
  stitchDisabled: may('data.stitch_disabled', flag, false),
  maxVideoSeconds: may('data.max_video_post_duration_sec', number),
})
/** What an account may do at this moment. */
export type Creator = Answer<typeof parseCreator>

/**
 * Scope video.publish, 20 requests a minute. It asks for what publishing asks for, before every post, so who is refused
 * here is refused there: it does not count as a read.
 */
export function creatorInfo(caller: Caller): Promise<Called<Creator>> {
  return call(caller, { path: 'v2/post/publish/creator_info/query/', parse: parseCreator })
}

const parseUser = reader({
  username: may('data.user.username', string),
  nickname: may('data.user.display_name', string),
})

/** Scope user.info.basic: who signed in, where creator_info may not be asked. The user name needs a scope of its own. */
export function userInfo(caller: Caller): Promise<Called<Answer<typeof parseUser>>> {
  const path = 'v2/user/info/?fields=open_id,display_name,avatar_url'
  return client(caller, { timeoutMs: 15_000, method: 'GET', path, parse: parseUser })
}

/** The code of an answer: `ok`, or that of its error. */
export const codeOf = ({ json }: Pick<HttpAnswer, 'json'>): string | undefined =>
  string(record(record(json)?.error)?.code)

const publishId = need('data.publish_id', string)
export const parseInit = reader({ publishId })
export const parseUpload = reader({ publishId, url: need('data.upload_url', webAddress) })

/** The spelling is the network's. The id has 64 bits, which JavaScript's numbers do not hold, so it is read as text. */
const POST_ID = /"publica?ly_available_post_id"\s*:\s*\[\s*"?(\d{1,20})\b/
const readStatus = reader({
  /** `PROCESSING_UPLOAD`, `PROCESSING_DOWNLOAD`, `SEND_TO_USER_INBOX`, `PUBLISH_COMPLETE`, `FAILED`. */
  status: need('data.status', string),
  /** Null when the network does not say. */
  uploadedBytes: may('data.uploaded_bytes', number),
})

/** `postId`: of public posts, once moderation has let them pass. `answer` says in its words why a try failed. */
function parseStatus(body: unknown, answer: HttpAnswer) {
  const read = readStatus(body)
  return read && { ...read, postId: POST_ID.exec(answer.text)?.[1] ?? null, answer }
}
export type Status = NonNullable<ReturnType<typeof parseStatus>>

/** 30 requests a minute. How long the network remembers an id is not documented. */
export function fetchStatus(caller: Caller, publishId: string): Promise<Called<Status>> {
  return call(caller, {
    path: 'v2/post/publish/status/fetch/',
    json: { publish_id: publishId },
    reads: true,
    parse: parseStatus,
  })
}

const readListed = reader({
  id: need('id', id),
  /** Cut off after 150 characters, both. */
  title: may('title', string),
  description: may('video_description', string),
  seconds: need('create_time', number),
  url: may('share_url', webAddress),
})
/** Those that cannot be read are left out. */
const parseList = (body: unknown) => {
  const posts = record(record(body)?.data)?.videos
  return Array.isArray(posts)
    ? { entries: posts.map(readListed).filter((post) => post !== undefined), whole: true }
    : undefined
}

/** The newest public posts. Scope video.list, which few apps have. */
export function listPosts(caller: Caller): Promise<Called<Listing<Answer<typeof readListed>>>> {
  return call(caller, {
    path: 'v2/video/list/?fields=id,title,video_description,create_time,share_url',
    json: { max_count: 20 },
    reads: true,
    parse: parseList,
  })
}
