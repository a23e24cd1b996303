import { type Answer, id, may, need, reader, record, string, time, webAddress } from '../kit/read-json.ts'
import { type Container, statusIn } from '../meta/containers.ts'

/** `{"status_code":"ERROR","status":"Error: Media upload has failed with error code 2207026","id":"…"}` */
export function parseContainer(body: unknown): Container<number> | undefined {
  const { status_code: state, status: text } = record(body) ?? {}
  const status = statusIn(state)
  // The subcode that its text carries, when it does.
  const subcode = /\b(22\d{5})\b/.exec(String(text ?? ''))?.[1]
  return status && { status, failure: subcode === undefined ? null : Number(subcode) }
}

export const MEDIA_FIELDS = 'id,caption,permalink,timestamp,media_type,media_product_type'

/** A post as the network lists it. What it leaves out is null. */
export const parseMedia = reader({
  id: need('id', id),
  text: may('caption', string, ''),
  permalink: may('permalink', webAddress),
  /** `IMAGE`, `VIDEO`, `CAROUSEL_ALBUM` */
  mediaType: may('media_type', string),
  /** `FEED`, `REELS`, `STORY` */
  productType: may('media_product_type', string),
  at: may('timestamp', time),
})
export type Media = Answer<typeof parseMedia>

export const COMMENT_FIELDS = 'id,text,timestamp,username'

export const parseComment = reader({
  id: need('id', id),
  text: may('text', string, ''),
  author: may('username', string),
  at: may('timestamp', time),
})
