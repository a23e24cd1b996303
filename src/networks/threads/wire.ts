import type { Attempt } from '../network.ts'
import { type Called, call, type GraphCaller } from '../toolkit/graph.ts'
import { id, number, record, string, time, webAddress } from '../toolkit/read-json.ts'

/** Of a container: https://developers.facebook.com/docs/threads/troubleshooting (read 2026-11-21). */
export type ContainerStatus = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED'

export interface Container {
  status: ContainerStatus
  /** Of a status ERROR: a word such as `INVALID_DURATION`; null when none is told. */
  errorMessage: string | null
}

const STATUSES: readonly string[] = ['IN_PROGRESS', 'FINISHED', 'ERROR', 'EXPIRED', 'PUBLISHED']

const CONTAINER_FIELDS = 'id,status,error_message'

/** `{"id":"178…","status":"ERROR","error_message":"INVALID_DURATION"}` */
export function parseContainer(body: unknown): Container | undefined {
  const { status, error_message: message } = record(body) ?? {}
  if (typeof status !== 'string' || !STATUSES.includes(status)) return undefined
  return { status: status as ContainerStatus, errorMessage: string(message) ?? null }
}

/** How far the network is with a container. */
export function containerStatus(attempt: Attempt, container: string): Promise<Called<Container>> {
  return call(attempt, {
    method: 'GET',
    path: container,
    query: { fields: CONTAINER_FIELDS },
    timeoutMs: 10_000,
    parse: parseContainer,
  })
}

/** A post as the network lists it. What it leaves out is null. */
export interface Post {
  id: string
  text: string
  permalink: string | null
  /** `TEXT_POST`, `IMAGE`, `VIDEO`, `CAROUSEL_ALBUM` … */
  mediaType: string | null
  at: Date | null
}

export const POST_FIELDS = 'id,text,permalink,timestamp,media_type'

export function parsePost(body: unknown): Post | undefined {
  const post = record(body)
  const postId = id(post?.id)
  if (!post || postId === undefined) return undefined
  return {
    id: postId,
    text: string(post.text) ?? '',
    permalink: webAddress(post.permalink),
    mediaType: string(post.media_type) ?? null,
    at: time(post.timestamp),
  }
}

export interface Quota {
  used: number
  total: number
}

/** `{"data":[{"quota_usage":4,"config":{"quota_total":250,"quota_duration":86400}}]}` */
export function parseQuota(body: unknown): Quota | undefined {
  const { data } = record(body) ?? {}
  const quota = Array.isArray(data) ? record(data[0]) : undefined
  const used = number(quota?.quota_usage)
  const total = number(record(quota?.config)?.quota_total)
  return used === undefined || total === undefined ? undefined : { used, total }
}

/** Posts of the last 24 hours and how many there may be. It wants the same permissions as publishing. */
export function publishingQuota(caller: GraphCaller): Promise<Called<Quota>> {
  return call(caller, {
    method: 'GET',
    path: 'me/threads_publishing_limit',
    query: { fields: 'quota_usage,config' },
    timeoutMs: 10_000,
    parse: parseQuota,
  })
}

export interface Profile {
  username: string
  name: string | null
  avatarUrl: string | null
}

export const PROFILE_FIELDS = 'id,username,name,threads_profile_picture_url'

export function parseProfile(body: unknown): Profile | undefined {
  const profile = record(body)
  const username = string(profile?.username)
  if (!profile || username === undefined) return undefined
  return {
    username,
    name: string(profile.name) ?? null,
    avatarUrl: webAddress(profile.threads_profile_picture_url),
  }
}

/**
 * An id out of the text of an answer: the network writes some as numbers, and those that are larger than a safe integer
 * lose digits when they are read as JSON.
 */
export function idIn(text: string, name: 'id' | 'user_id'): string | undefined {
  return new RegExp(`"${name}"\\s*:\\s*"?(\\d{1,40})"?\\s*[,}]`).exec(text)?.[1]
}
