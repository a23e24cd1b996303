import { randomInt } from 'node:crypto'
import type { SimulatedAnswer } from '../toolkit/faults.ts'
import type { SimulatorDeps } from '../toolkit/simulation.ts'
import type { SimulatedAccount } from './simulator-accounts.ts'
import { ok, refuse, unknownObject } from './simulator-answers.ts'
import { keepContainer, publishable, type SimulatedContainer } from './simulator-containers.ts'

const COLLECTION = 'media'
const DAY_MS = 24 * 3_600_000

/** A post as it is kept. */
export interface SimulatedMedia {
  id: string
  igId: string
  caption: string | null
  mediaType: 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM'
  productType: 'FEED' | 'REELS' | 'STORY'
  altText: string | null
  permalink: string
  at: string
  /** A post that was never read is unknown to the first read of it, as the network's own fresh ones sometimes are. */
  read: boolean
  comments: { id: string; text: string; at: string; username: string }[]
}

/** Fields that a post can be asked for. */
export const MEDIA_FIELDS: readonly string[] = [
  'id',
  'alt_text',
  'caption',
  'comments_count',
  'media_product_type',
  'media_type',
  'permalink',
  'shortcode',
  'timestamp',
  'username',
]
export const COMMENT_FIELDS: readonly string[] = ['id', 'text', 'timestamp', 'username']

const newId = () =>
  `180${randomInt(10 ** 13)
    .toString()
    .padStart(14, '0')}`

/** `POST /{ig-user}/media_publish`: makes the post. A container that is published again makes another one. */
export function publishContainer(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  creationId: unknown,
  quotaTotal: number,
): SimulatedAnswer {
  const container = publishable(deps, account, creationId)
  if (quotaUsage(deps, account) >= quotaTotal) {
    refuse(9, 2207042, {
      message: 'Application request limit reached',
      user: 'You reached maximum number of posts that is allowed to be published by Content Publishing API.',
    })
  }
  const { caption, alt_text: altText, ...details } = container.params
  const id = newId()
  const media: SimulatedMedia = {
    id,
    igId: account.igId,
    caption: typeof caption === 'string' ? caption : null,
    altText: typeof altText === 'string' ? altText : null,
    ...kindOf(container),
    permalink: `${deps.url}/p/${id}`,
    at: deps.now().toISOString(),
    read: false,
    comments: [],
  }
  deps.store.put(COLLECTION, id, media)
  deps.store.addPost({
    id,
    accountId: account.connectionId,
    text: media.caption ?? '',
    permalink: media.permalink,
    createdAt: media.at,
    media: container.files,
    details: { type: `${media.productType} ${media.mediaType}`, container: container.id, ...details },
  })
  keepContainer(deps, { ...container, published: true })
  return ok({ id })
}

function kindOf({ kind, params }: SimulatedContainer): Pick<SimulatedMedia, 'mediaType' | 'productType'> {
  if (kind === 'CAROUSEL') return { mediaType: 'CAROUSEL_ALBUM', productType: 'FEED' }
  const mediaType = params.video_url === undefined ? 'IMAGE' : 'VIDEO'
  return { mediaType, productType: kind === 'STORIES' ? 'STORY' : kind === 'REELS' ? 'REELS' : 'FEED' }
}

/** Posts of the last 24 hours. */
export function quotaUsage(deps: SimulatorDeps, account: SimulatedAccount): number {
  const since = new Date(deps.now().getTime() - DAY_MS).toISOString()
  return deps.store.posts().filter((post) => post.createdAt > since && post.accountId === account.connectionId).length
}

export function findMedia(deps: SimulatorDeps, account: SimulatedAccount, id: string): SimulatedMedia | null {
  const media = deps.store.get<SimulatedMedia>(COLLECTION, id)
  return media?.igId === account.igId ? media : null
}

/** `GET /{ig-media}` */
export function readMedia(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  media: SimulatedMedia,
  fields: string[],
): SimulatedAnswer {
  if (!media.read) {
    deps.store.put(COLLECTION, media.id, { ...media, read: true })
    return unknownObject(media.id)
  }
  return ok(shown(media, account, fields))
}

/** `GET /{ig-user}/media` without stories, `GET /{ig-user}/stories` with the stories of a day. Newest first. */
export function listMedia(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  edge: 'media' | 'stories',
  query: URLSearchParams,
): SimulatedAnswer {
  const dayAgo = deps.now().getTime() - DAY_MS
  const [since, until] = [timeOf(query.get('since')), timeOf(query.get('until'))]
  const all = deps.store
    .list<SimulatedMedia>(COLLECTION)
    .filter((media) => media.igId === account.igId && (media.productType === 'STORY') === (edge === 'stories'))
    .filter(({ at }) => edge === 'media' || new Date(at).getTime() > dayAgo)
    .filter(({ at }) => since === null || new Date(at).getTime() >= since)
    .filter(({ at }) => until === null || new Date(at).getTime() <= until)
    .reverse()
  return ok(pageOf(all, query, (media) => shown(media, account, fieldsIn(query))))
}

/** `GET /{ig-media}/comments`. Newest first. */
export function listComments(media: SimulatedMedia, query: URLSearchParams): SimulatedAnswer {
  const fields = fieldsIn(query)
  const all = media.comments.toReversed()
  return ok(
    pageOf(all, query, (comment) => chosen({ ...comment, timestamp: timestamp(comment.at) }, COMMENT_FIELDS, fields)),
  )
}

/** `POST /{ig-media}/comments` */
export function addComment(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  media: SimulatedMedia,
  message: unknown,
): SimulatedAnswer {
  if (typeof message !== 'string' || message === '') refuse(100, null, { message: '(#100) message is required' })
  if (media.productType === 'STORY') refuse(100, null, { message: 'Stories take no comments.' })
  const comment = { id: newId(), text: message, at: deps.now().toISOString(), username: account.username }
  const comments = [...media.comments, comment]
  deps.store.put(COLLECTION, media.id, { ...media, comments })
  deps.store.amendPost(media.id, { comments: comments.map(({ id, text }) => ({ id, text })) })
  return ok({ id: comment.id })
}

export const fieldsIn = (query: URLSearchParams): string[] =>
  (query.get('fields') ?? 'id').split(',').filter((field) => field !== '')

function shown(media: SimulatedMedia, account: SimulatedAccount, fields: string[]): Record<string, unknown> {
  const all: Record<string, unknown> = {
    id: media.id,
    // What a post does not have is left out.
    ...(media.caption === null ? {} : { caption: media.caption }),
    ...(media.altText === null ? {} : { alt_text: media.altText }),
    comments_count: media.comments.length,
    media_product_type: media.productType,
    media_type: media.mediaType,
    permalink: media.permalink,
    shortcode: media.id,
    timestamp: timestamp(media.at),
    username: account.username,
  }
  return chosen(all, MEDIA_FIELDS, fields)
}

function chosen(all: Record<string, unknown>, known: readonly string[], fields: string[]): Record<string, unknown> {
  const unknown = fields.find((field) => !known.includes(field))
  if (unknown !== undefined) refuse(100, null, { message: `Tried accessing nonexisting field (${unknown})` })
  const wanted = Object.entries(all).filter(([name]) => name === 'id' || fields.includes(name))
  return Object.fromEntries(wanted)
}

/** Whole seconds, and an offset without a colon. */
const timestamp = (at: string) => at.replace(/\.\d+Z$/, '+0000')

function timeOf(given: string | null): number | null {
  if (given === null) return null
  const time = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given)
  return Number.isNaN(time) ? refuse(100, null, { message: 'Invalid parameter: since or until' }) : time
}

function pageOf<T extends { id: string }>(all: T[], query: URLSearchParams, show: (entry: T) => unknown) {
  const limit = Math.min(100, Math.max(1, Number(query.get('limit') ?? 25) || 25))
  const after = query.get('after')
  const start = after === null ? 0 : all.findIndex((entry) => cursorOf(entry) === after) + 1
  const entries = all.slice(start, start + limit)
  const [first, last] = [entries[0], entries.at(-1)]
  if (!first || !last) return { data: [] }
  const cursors = { before: cursorOf(first), after: cursorOf(last) }
  const more = start + limit < all.length ? { next: `https://graph.facebook.com/next?after=${cursors.after}` } : {}
  return { data: entries.map(show), paging: { cursors, ...more } }
}

const cursorOf = ({ id }: { id: string }) => Buffer.from(id).toString('base64url')
