import type { Attempt } from '../network.ts'
import { type Called, call } from '../toolkit/graph.ts'
import { id, number, record, string, time, webAddress } from '../toolkit/read-json.ts'

export type ContainerStatus = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED'

export interface Container {
  status: ContainerStatus
  /** Of a status ERROR: the subcode that its text carries, when it does. */
  subcode: number | null
}

const STATUSES: readonly string[] = ['IN_PROGRESS', 'FINISHED', 'ERROR', 'EXPIRED', 'PUBLISHED']

/** `{"status_code":"ERROR","status":"Error: Media upload has failed with error code 2207026","id":"…"}` */
export function parseContainer(body: unknown): Container | undefined {
  const { status_code: status, status: text } = record(body) ?? {}
  if (typeof status !== 'string' || !STATUSES.includes(status)) return undefined
  const subcode = /\b(22\d{5})\b/.exec(String(text ?? ''))?.[1]
  return { status: status as ContainerStatus, subcode: subcode === undefined ? null : Number(subcode) }
}

/** How far the network is with a container. */
export function containerStatus(attempt: Attempt, container: string): Promise<Called<Container>> {
  return call(attempt, {
    method: 'GET',
    path: container,
    query: { fields: 'id,status_code,status' },
    timeoutMs: 10_000,
    parse: parseContainer,
  })
}

/** A post as the network lists it. What it leaves out is null. */
export interface Media {
  id: string
  caption: string
  permalink: string | null
  /** `IMAGE`, `VIDEO`, `CAROUSEL_ALBUM` */
  mediaType: string | null
  /** `FEED`, `REELS`, `STORY` */
  productType: string | null
  at: Date | null
}

export const MEDIA_FIELDS = 'id,caption,permalink,timestamp,media_type,media_product_type'

export function parseMedia(body: unknown): Media | undefined {
  const media = record(body)
  const mediaId = id(media?.id)
  if (!media || mediaId === undefined) return undefined
  return {
    id: mediaId,
    caption: string(media.caption) ?? '',
    permalink: webAddress(media.permalink),
    mediaType: string(media.media_type) ?? null,
    productType: string(media.media_product_type) ?? null,
    at: time(media.timestamp),
  }
}

export interface Comment {
  id: string
  text: string
  username: string | null
  at: Date | null
}

export const COMMENT_FIELDS = 'id,text,timestamp,username'

export function parseComment(body: unknown): Comment | undefined {
  const comment = record(body)
  const commentId = id(comment?.id)
  if (!comment || commentId === undefined) return undefined
  return {
    id: commentId,
    text: string(comment.text) ?? '',
    username: string(comment.username) ?? null,
    at: time(comment.timestamp),
  }
}

/** `{"data":[{"quota_usage":2,"config":{"quota_total":50,"quota_duration":86400}}]}` */
export function parseQuota(body: unknown): { used: number; total: number } | undefined {
  const { data } = record(body) ?? {}
  const quota = Array.isArray(data) ? record(data[0]) : undefined
  const used = number(quota?.quota_usage)
  const total = number(record(quota?.config)?.quota_total)
  return used === undefined || total === undefined ? undefined : { used, total }
}
