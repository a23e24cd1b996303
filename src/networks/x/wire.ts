import { apiClient, type Caller, type Page } from '../kit/api.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { id, listOf, may, need, number, reader, record, string, webAddress } from '../kit/read-json.ts'
import type { Attempt } from '../network.ts'

/** Paths and parameters: the vendor's OpenAPI 2.167, https://api.x.com/2/openapi.json (read 2026-11-21). */
export const call = apiClient({ base: ({ endpoint }) => endpoint('api') })

/** What the network says of itself when it refuses, whichever of its four shapes it chose. */
export type XError = ReturnType<typeof parseError>

/**
 * Reads the error of an answer. Shapes: a problem (`title`, `detail`, `type`), the same with `errors[].message`, a list
 * of numbered errors, and `code` with `message` (https://docs.x.com/x-api/fundamentals/response-codes-and-errors and the
 * vendor's OpenAPI 2.167, read 2026-11-21).
 */
export function parseError({ status, headers, json }: HttpAnswer) {
  const body = record(json)
  const listed = listOf(body?.errors, record)
  const first = listed[0]
  const type = string(body?.type) ?? string(first?.type) ?? ''
  const said = [body?.detail, body?.message, ...listed.flatMap(({ message, detail }) => [message, detail])]
  const words = listOf(said, string)
  const title = string(body?.title) ?? string(first?.title) ?? ''
  const code = number(first?.code) ?? number(body?.code) ?? null
  return {
    status,
    headers,
    /** Number of the older kind of errors (`{"errors":[{"code":88,…}]}`); null without one. */
    code,
    /** Last part of the problem's address (`usage-capped`); empty for `about:blank` and for the older kinds. */
    problem: type.startsWith('http') ? (type.split('/').at(-1) ?? '') : '',
    /** All that it says in words, cut at 300 characters. */
    message: [...new Set(words)].join(' ').replace(/\s+/g, ' ').trim().slice(0, 300) || title,
    /** The answer holds an error that can be read. */
    readable: title !== '' || words.length > 0 || code !== null,
  }
}

const milliseconds = (seconds: unknown) => ((number(seconds) ?? -1) < 0 ? null : Number(seconds) * 1000)

/** A media upload, as each of its calls reports it. */
export const parseUploaded = reader({
  id: need('data.id', id),
  /** `3_1880028106020515840`; by it a post names the files that it holds. */
  key: may('data.media_key', string),
  expiresAfterMs: may('data.expires_after_secs', milliseconds),
  /** Null when there is nothing to wait for. */
  state: may('data.processing_info', (info) => (record(info) ? (string(record(info)?.state) ?? '') : null)),
  checkAfterMs: may('data.processing_info.check_after_secs', milliseconds),
  errorName: may('data.processing_info.error.name', string, ''),
  errorMessage: may('data.processing_info.error.message', string, ''),
})

/** The id of a post that was made. */
export const parseDataId = (body: unknown): string | undefined => id(record(record(body)?.data)?.id)

/**
 * For calls whose status says it all. Parts and alternative texts are answered with data by the contract, with 204 and no
 * body by the vendor's playground (github.com/xdevplatform/playground, read 2026-11-22): every success is one.
 */
export const parseAnything = (): true => true

interface Asked {
  noun: 'post' | 'tweet'
  from: Date | { after: string }
  /** Of a page. */
  most: number
  next?: string | null
}

/**
 * A page of the account's own posts since then, or after a post of it, with what each answers. `noun`: how fields of a post are called,
 * `post` by the present contract, which has what a post answers among its expansions, and `tweet` by the older pages. `attachments`
 * names the files; an expansion would bring them too, and each is billed
 * (https://docs.x.com/x-api/getting-started/pricing, read 2026-11-23).
 */
export const readTimeline = (caller: Caller & Pick<Attempt, 'account'>, { noun, from, most, next }: Asked) => {
  const isAfter = !(from instanceof Date)
  const fields = `attachments,created_at,entities,note_${noun},text`
  return call(caller, {
    method: 'GET',
    path: `2/users/${caller.account.externalId}/tweets`,
    query: {
      max_results: String(most),
      // Whole seconds, as the pages write it.
      ...(isAfter ? { since_id: from.after } : { start_time: from.toISOString().replace(/\.\d+Z$/, 'Z') }),
      [`${noun}.fields`]: isAfter && noun === 'tweet' ? `${fields},referenced_tweets` : fields,
      ...(isAfter && noun === 'post' ? { expansions: 'referenced_posts' } : {}),
      ...(next ? { pagination_token: next } : {}),
    },
    timeoutMs: 15_000,
    parse: parseTimeline,
  })
}

/**
 * `{"data":[…],"meta":{"result_count":0}}`. An answer without either, as suspended accounts get it, is none; one of which
 * something is left out, or a part of a post that was asked for, is partial.
 */
function parseTimeline(body: unknown): Page<ListedPost> | undefined {
  const { data, meta, errors } = record(body) ?? {}
  const count = number(record(meta)?.result_count)
  if (!Array.isArray(data) && count !== 0) return undefined
  const entries = listOf(data, parsePost)
  const shown = Math.max(Array.isArray(data) ? data.length : 0, count ?? 0)
  const isLess = entries.length < shown || entries.some(({ complete }) => !complete)
  const partial = isLess || (Array.isArray(errors) && errors.length > 0)
  return { entries, next: string(record(meta)?.next_token) ?? null, partial }
}

/**
 * Whether a post is shown. Of one that is gone X answers 200 with `errors` in place of `data`
 * (https://docs.x.com/x-api/fundamentals/response-codes-and-errors, "partial errors", and the OpenAPI 2.167).
 */
export const readShown = (caller: Caller, postId: string) =>
  call(caller, { method: 'GET', path: `2/tweets/${postId}`, timeoutMs: 15_000, parse: parseShown })

function parseShown(body: unknown): boolean | undefined {
  const { data, errors } = record(body) ?? {}
  if (record(data)) return parseDataId(body) !== undefined
  return Array.isArray(errors) && errors.length > 0 ? false : undefined
}

/** An entry of the listing of an account's posts. */
export type ListedPost = Exclude<ReturnType<typeof parsePost>, undefined>

function parsePost(entry: unknown) {
  const post = record(entry)
  const postId = id(post?.id)
  if (!post || postId === undefined || postId.includes('_')) return undefined
  // The present contract and the older pages spell the long form differently.
  const long = record(post.note_post) ?? record(post.note_tweet)
  const text = string(long?.text) ?? (typeof post.text === 'string' ? post.text : undefined)
  return {
    id: postId,
    /** By the id, which carries the time. */
    at: snowflakeTime(postId),
    /** Links are shortened and characters escaped, as the network has it. Of a long post the whole text. */
    text: text ?? '',
    links: [long, post].flatMap((part) => listOf(record(part?.entities)?.urls, parseLink)),
    mediaKeys: listOf(record(post.attachments)?.media_keys, string),
    /** The post that it answers; absent: none, or it was not said. */
    answers: listOf(post.referenced_posts ?? post.referenced_tweets, record).flatMap((other) =>
      other.type === 'replied_to' ? listOf([other.id], id) : [],
    )[0],
    /** It has what was asked for; without that, nothing can be distinguished from it. */
    complete: text !== undefined && typeof post.created_at === 'string',
  }
}

const parseLink = reader({
  short: need('url', string),
  target: need('expanded_url', string),
  mediaKey: may('media_key', string),
})

/** Milliseconds of 2010-11-04, when ids began to carry the time (https://docs.x.com/fundamentals/x-ids, read 2026-11-21). */
export const SNOWFLAKE_EPOCH = 1_288_834_974_657

/** When something with this id was made. */
const snowflakeTime = (postId: string): Date => new Date(Number(BigInt(postId) >> 22n) + SNOWFLAKE_EPOCH)

/** The account itself. What is read is billed, no matter which fields are asked for beside id, name and username. */
export const readMe = (caller: Caller, fields: string, timeoutMs = 15_000) =>
  call(caller, { method: 'GET', path: '2/users/me', query: { 'user.fields': fields }, timeoutMs, parse: parseMe })

const parseMe = reader({
  id: need('data.id', id),
  name: may('data.name', string),
  username: need('data.username', (value) => /^\w{1,50}$/.exec(string(value) ?? '')?.[0]),
  avatarUrl: may('data.profile_image_url', webAddress),
  /**
   * `subscription_type`: `Basic`, `Premium`, `PremiumPlus` or `None` (OpenAPI 2.167). All but the last bring long posts and
   * videos; null when X does not say.
   */
  premium: may('data.subscription_type', (type) => (string(type) === undefined ? null : !/^none$/i.test(String(type)))),
})
