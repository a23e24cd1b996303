import { randomInt } from 'node:crypto'
import type { SimulatedAnswer } from '../toolkit/faults.ts'
import type { SimulatorDeps } from '../toolkit/simulation.ts'
import type { SimulatedAccount } from './simulator-accounts.ts'
import { ok, refuse, unknownObject } from './simulator-answers.ts'
import { keepContainer, publishable, type SimulatedContainer } from './simulator-containers.ts'

const COLLECTION = 'posts'
const DAY_MS = 24 * 3_600_000
/** The listing shows a post only after this time. The network names none. */
const LISTED_AFTER_MS = 10_000

type MediaType = 'TEXT_POST' | 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM'

/** A post as it is kept. */
export interface SimulatedPost {
  id: string
  threadsId: string
  text: string | null
  mediaType: MediaType
  altText: string | null
  permalink: string
  at: string
  /** A post that was never read is unknown to the first read of it, as the network's own fresh ones sometimes are. */
  read: boolean
}

/** What the world is like; tests make it worse. */
export interface World {
  /** Posts of 24 hours. */
  quotaTotal: number
  /** Calls to publish a finished container that find it unknown. */
  races: number
}

/** `POST /me/threads_publish`: makes the post. A container that is published again makes another one. */
export function publishContainer(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  creationId: string,
  { quotaTotal, races }: World,
): SimulatedAnswer {
  const container = publishable(deps, account, creationId, races)
  if (quotaUsage(deps, account) >= quotaTotal) {
    refuse(9, 'Application request limit reached', {
      subcode: 2207042,
      user: 'You reached maximum number of posts that is allowed to be published by Content Publishing API.',
    })
  }
  const { text, ...details } = container.params
  const id = `180${randomInt(10 ** 13)
    .toString()
    .padStart(14, '0')}`
  const post: SimulatedPost = {
    id,
    threadsId: account.threadsId,
    text: text ?? null,
    mediaType: mediaTypeOf(container),
    altText: container.params.alt_text ?? null,
    permalink: `${deps.url}/p/${id}`,
    at: deps.now().toISOString(),
    read: false,
  }
  deps.store.put(COLLECTION, id, post)
  deps.store.addPost({
    id,
    accountId: account.ledgerId,
    text: post.text ?? '',
    permalink: post.permalink,
    createdAt: post.at,
    media: container.files,
    details: { type: post.mediaType, container: container.id, ...details },
  })
  keepContainer(deps, { ...container, published: true })
  return ok({ id })
}

function mediaTypeOf({ kind }: SimulatedContainer): MediaType {
  if (kind === 'TEXT') return 'TEXT_POST'
  if (kind === 'CAROUSEL') return 'CAROUSEL_ALBUM'
  return kind.endsWith('VIDEO') ? 'VIDEO' : 'IMAGE'
}

/** Posts of the last 24 hours. */
export function quotaUsage(deps: SimulatorDeps, account: SimulatedAccount): number {
  const since = new Date(deps.now().getTime() - DAY_MS).toISOString()
  return deps.store.posts().filter((post) => post.createdAt > since && post.accountId === account.ledgerId).length
}

/** `GET /me/threads_publishing_limit` */
export function readQuota(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  fields: string[],
  { quotaTotal }: World,
): SimulatedAnswer {
  const all = {
    quota_usage: quotaUsage(deps, account),
    config: { quota_total: quotaTotal, quota_duration: 86_400 },
    reply_quota_usage: 0,
    reply_config: { quota_total: 1000, quota_duration: 86_400 },
  }
  return ok({ data: [chosen(all, fields)] })
}

export function findPost(deps: SimulatorDeps, account: SimulatedAccount, id: string): SimulatedPost | null {
  const post = deps.store.get<SimulatedPost>(COLLECTION, id)
  return post?.threadsId === account.threadsId ? post : null
}

/** `GET /{post}` */
export function readPost(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  post: SimulatedPost,
  fields: string[],
): SimulatedAnswer {
  if (!post.read) {
    deps.store.put(COLLECTION, post.id, { ...post, read: true })
    return unknownObject(post.id)
  }
  return ok(shown(post, account, fields))
}

/** `GET /me/threads`. Newest first. */
export function listPosts(deps: SimulatorDeps, account: SimulatedAccount, query: URLSearchParams): SimulatedAnswer {
  const [since, until] = [timeOf(query.get('since')), timeOf(query.get('until'))]
  const now = deps.now().getTime()
  const all = deps.store
    .list<SimulatedPost>(COLLECTION)
    .filter((post) => post.threadsId === account.threadsId)
    .map((post) => ({ post, time: new Date(post.at).getTime() }))
    .filter(({ time }) => now - time >= LISTED_AFTER_MS)
    .filter(({ time }) => (since === null || time >= since) && (until === null || time <= until))
    .map(({ post }) => post)
    .reverse()
  const limit = Math.min(100, Math.max(1, Number(query.get('limit') ?? 25) || 25))
  const after = query.get('after')
  const start = after === null ? 0 : all.findIndex((post) => cursorOf(post) === after) + 1
  const entries = all.slice(start, start + limit)
  const [first, last] = [entries[0], entries.at(-1)]
  if (!first || !last) return ok({ data: [] })
  const cursors = { before: cursorOf(first), after: cursorOf(last) }
  const more = start + limit < all.length ? { next: `https://graph.threads.net/next?after=${cursors.after}` } : {}
  const fields = fieldsIn(query)
  return ok({ data: entries.map((post) => shown(post, account, fields)), paging: { cursors, ...more } })
}

export const fieldsIn = (query: URLSearchParams): string[] =>
  (query.get('fields') ?? 'id').split(',').filter((field) => field !== '')

function shown(post: SimulatedPost, account: SimulatedAccount, fields: string[]): Record<string, unknown> {
  const all = {
    id: post.id,
    media_product_type: 'THREADS',
    media_type: post.mediaType,
    permalink: post.permalink,
    username: account.username,
    text: post.text ?? undefined,
    // Whole seconds, and an offset without a colon.
    timestamp: post.at.replace(/\.\d+Z$/, '+0000'),
    shortcode: post.id,
    is_quote_post: false,
    has_replies: false,
    alt_text: post.altText ?? undefined,
  }
  return { id: post.id, ...chosen(all, fields) }
}

/** The fields that were asked for. What an object does not have is left out; what none has is refused. */
export function chosen(all: Readonly<Record<string, unknown>>, fields: string[]): Record<string, unknown> {
  const unknown = fields.find((field) => !(field in all))
  if (unknown !== undefined) refuse(100, `Tried accessing nonexisting field (${unknown})`)
  return Object.fromEntries(fields.filter((field) => all[field] !== undefined).map((field) => [field, all[field]]))
}

function timeOf(given: string | null): number | null {
  if (given === null) return null
  const time = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given)
  return Number.isNaN(time) ? refuse(100, 'Invalid parameter: since or until') : time
}

const cursorOf = ({ id }: { id: string }) => Buffer.from(id).toString('base64url')
