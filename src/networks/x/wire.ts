import type { Page } from '../kit/api.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { id, number, record, string, webAddress } from '../kit/read-json.ts'

/** What the network says of itself when it refuses, whichever of its four shapes it chose. */
export interface XError {
  /** HTTP status. */
  status: number
  /** Number of the older kind of errors (`{"errors":[{"code":88,…}]}`); null without one. */
  code: number | null
  /** Last part of the problem's address (`usage-capped`); empty for `about:blank` and for the older kinds. */
  problem: string
  title: string
  /** All that it says in words, cut at 300 characters. */
  message: string
  /** The answer holds an error that can be read. */
  readable: boolean
  headers: Readonly<Record<string, string>>
}

/**
 * Reads the error of an answer. Shapes: a problem (`title`, `detail`, `type`), the same with `errors[].message`, a list
 * of numbered errors, and `code` with `message` (https://docs.x.com/x-api/fundamentals/response-codes-and-errors and the
 * vendor's OpenAPI 2.167, read 2026-11-21).
 */
export function parseError(answer: HttpAnswer): XError {
  const body = record(answer.json)
  const listed = Array.isArray(body?.errors) ? body.errors.map(record).filter((each) => each !== undefined) : []
  const first = listed[0]
  const type = string(body?.type) ?? string(first?.type) ?? ''
  const words = [
    string(body?.detail),
    string(body?.message),
    ...listed.flatMap((each) => [string(each.message), string(each.detail)]),
  ].filter((each) => each !== undefined)
  const title = string(body?.title) ?? string(first?.title) ?? ''
  const code = number(first?.code) ?? number(body?.code) ?? null
  return {
    status: answer.status,
    code,
    problem: type.startsWith('http') ? (type.split('/').at(-1) ?? '') : '',
    title,
    message: [...new Set(words)].join(' ').replace(/\s+/g, ' ').trim().slice(0, 300) || title,
    readable: title !== '' || words.length > 0 || code !== null,
    headers: answer.headers,
  }
}

/** A media upload, as each of its calls tells it. */
export interface Uploaded {
  id: string
  /** `3_1880028106020515840`; by it a post tells which files it holds. */
  key: string | null
  expiresAfterMs: number | null
  /** Null when there is nothing to wait for. */
  processing: { state: string; checkAfterMs: number | null; error: { name: string; message: string } | null } | null
}

export function parseUploaded(body: unknown): Uploaded | undefined {
  const data = record(record(body)?.data)
  const mediaId = id(data?.id)
  if (!data || mediaId === undefined) return undefined
  const info = record(data.processing_info)
  const fault = record(info?.error)
  return {
    id: mediaId,
    key: string(data.media_key) ?? null,
    expiresAfterMs: milliseconds(data.expires_after_secs),
    processing: info
      ? {
          state: string(info.state) ?? '',
          checkAfterMs: milliseconds(info.check_after_secs),
          error: fault ? { name: string(fault.name) ?? '', message: string(fault.message) ?? '' } : null,
        }
      : null,
  }
}

function milliseconds(seconds: unknown): number | null {
  const value = number(seconds)
  return value === undefined || value < 0 ? null : value * 1000
}

/** The id of a post that was made. */
export function parseDataId(body: unknown): string | undefined {
  return id(record(record(body)?.data)?.id)
}

/**
 * For calls whose status says it all. Parts and alternative texts are answered with data by the contract, with 204 and no
 * body by the vendor's playground (github.com/xdevplatform/playground, read 2026-11-22): every success is one.
 */
export const parseAnything = (): true => true

/** An entry of the listing of an account's posts. */
export interface ListedPost {
  id: string
  /** By the id, which carries the time. */
  at: Date
  /** Links are shortened and characters escaped, as the network has it. Of a long post the whole text. */
  text: string
  links: readonly { short: string; target: string; ofMedia: boolean }[]
  mediaKeys: readonly string[]
  /** It has what was asked for; without that, nothing can be told from it. */
  complete: boolean
}

/**
 * `{"data":[…],"meta":{"result_count":0}}`. An answer without either, as suspended accounts get it, is none; one of which
 * something is left out is partial.
 */
export function parseTimeline(body: unknown): Page<ListedPost> | undefined {
  const { data, meta, errors } = record(body) ?? {}
  const told = record(meta)
  const count = number(told?.result_count)
  if (!Array.isArray(data) && count !== 0) return undefined
  const listed: unknown[] = Array.isArray(data) ? data : []
  const entries = listed.map(parsePost).filter((post) => post !== undefined)
  const partial = entries.length < Math.max(listed.length, count ?? 0) || (Array.isArray(errors) && errors.length > 0)
  return { entries, next: string(told?.next_token) ?? null, partial }
}

function parsePost(entry: unknown): ListedPost | undefined {
  const post = record(entry)
  const postId = id(post?.id)
  if (!post || postId === undefined || postId.includes('_')) return undefined
  // The present contract and the older pages spell the long form differently.
  const long = record(post.note_post) ?? record(post.note_tweet)
  const text = string(long?.text) ?? (typeof post.text === 'string' ? post.text : undefined)
  const links = [long?.entities, post.entities].flatMap((entities) => {
    const urls = record(entities)?.urls
    return Array.isArray(urls) ? urls.map(parseLink).filter((link) => link !== undefined) : []
  })
  const keys = record(post.attachments)?.media_keys
  return {
    id: postId,
    at: snowflakeTime(postId),
    text: text ?? '',
    links,
    mediaKeys: Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [],
    complete: text !== undefined && typeof post.created_at === 'string',
  }
}

function parseLink(entry: unknown): ListedPost['links'][number] | undefined {
  const link = record(entry)
  const short = string(link?.url)
  const target = string(link?.expanded_url)
  if (short === undefined || target === undefined) return undefined
  const ofMedia = string(link?.media_key) !== undefined || /\/status\/\d+\/(photo|video)\/\d+$/.test(target)
  return { short, target, ofMedia }
}

/** Milliseconds of 2010-11-04, when ids began to carry the time (https://docs.x.com/fundamentals/x-ids, read 2026-11-21). */
export const SNOWFLAKE_EPOCH = 1_288_834_974_657

/** When something with this id was made. */
export function snowflakeTime(postId: string): Date {
  return new Date(Number(BigInt(postId) >> 22n) + SNOWFLAKE_EPOCH)
}

export interface Me {
  id: string
  name: string
  username: string
  avatarUrl: string | null
  /** It has one of the subscriptions, which all bring long posts and videos; null when X does not say. */
  premium: boolean | null
}

export function parseMe(body: unknown): Me | undefined {
  const data = record(record(body)?.data)
  const userId = id(data?.id)
  const username = string(data?.username)
  if (userId === undefined || username === undefined || !/^\w{1,50}$/.test(username)) return undefined
  return {
    id: userId,
    username,
    name: string(data?.name) ?? username,
    avatarUrl: webAddress(data?.profile_image_url),
    premium: parsePremium(body),
  }
}

/** `subscription_type`: `Basic`, `Premium`, `PremiumPlus` or `None` (OpenAPI 2.167). Null when X does not say. */
export function parsePremium(body: unknown): boolean | null {
  const type = string(record(record(body)?.data)?.subscription_type)
  return type === undefined ? null : type.toLowerCase() !== 'none'
}
