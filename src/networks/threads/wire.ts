import { type Answer, id, may, need, reader, record, string, time, webAddress } from '../kit/read-json.ts'
import { type Container, statusIn } from '../meta/containers.ts'

export const CONTAINER_FIELDS = 'id,status,error_message'

/** `{"id":"178…","status":"ERROR","error_message":"INVALID_DURATION"}`; https://developers.facebook.com/docs/threads/troubleshooting (read 2026-11-21) */
export function parseContainer(body: unknown): Container<string> | undefined {
  const { status: state, error_message: message } = record(body) ?? {}
  const status = statusIn(state)
  return status && { status, failure: string(message) ?? null }
}

export const POST_FIELDS = 'id,text,permalink,timestamp,media_type'
/** What a post answers, with what every post has: https://developers.facebook.com/docs/threads/reply-management (read 2026-11-26). */
export const REPLY_FIELDS = `${POST_FIELDS},is_reply,replied_to`

/** A post as the network lists it. What it leaves out is null. */
export const parsePost = reader({
  id: need('id', id),
  text: may('text', string, ''),
  permalink: may('permalink', webAddress),
  /** `TEXT_POST`, `IMAGE`, `VIDEO`, `CAROUSEL_ALBUM` … */
  mediaType: may('media_type', string),
  at: may('timestamp', time),
  /** False of a post that stands by itself; null: not said. */
  isReply: may('is_reply', (value) => (typeof value === 'boolean' ? value : undefined)),
  repliedTo: may('replied_to.id', id),
})
export type Post = Answer<typeof parsePost>

/** Where the posts of 24 hours are counted. */
export const QUOTA_EDGE = 'threads_publishing_limit'
