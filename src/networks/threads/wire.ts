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

/** A post as the network lists it. What it leaves out is null. */
export const parsePost = reader({
  id: need('id', id),
  text: may('text', string, ''),
  permalink: may('permalink', webAddress),
  /** `TEXT_POST`, `IMAGE`, `VIDEO`, `CAROUSEL_ALBUM` … */
  mediaType: may('media_type', string),
  at: may('timestamp', time),
})
export type Post = Answer<typeof parsePost>

/** Where the posts of 24 hours are counted. */
export const QUOTA_EDGE = 'threads_publishing_limit'
