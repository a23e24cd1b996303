import type { SimulatedAnswer } from '../kit/faults.ts'
import { record } from '../kit/read-json.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { type Call, deletePost } from '../kit/simulator.ts'
import { cashtagsIn, hasInvalidCharacters, weightedLength } from './count-text.ts'
import { limits } from './manifest.ts'
import type { SimulatedAccount } from './simulator-accounts.ts'
import { forbidden, invalidRequest, notFound, ok, refuse } from './simulator-answers.ts'
import { findUpload, progressOf, refuseUnknown, type SimulatedUpload } from './simulator-media.ts'
import { shownText, snowflakeId } from './simulator-text.ts'

const COLLECTION = 'posts'
/** A post is listed so long after it was made. */
export const LISTING_DELAY_MS = 20_000
/** A text that was published within this time is refused. The network names no time. */
const DUPLICATE_MS = 5 * 60_000

interface SimulatedPost {
  id: string
  userId: string
  username: string
  text: string
  media: { key: string; type: string }[]
  at: string
}

/** Names of the body of a post: the vendor's OpenAPI 2.167. */
const BODY = [
  'card_uri',
  'community_id',
  'direct_message_deep_link',
  'edit_options',
  'for_super_followers_only',
  'geo',
  'made_with_ai',
  'media',
  'nullcast',
  'paid_partnership',
  'poll',
  'quote_tweet_id',
  'reply',
  'reply_settings',
  'share_with_followers',
  'text',
]
const MEDIA = [
  'call_to_actions',
  'description',
  'embeddable',
  'media_ids',
  'preview_media_id',
  'tagged_user_ids',
  'title',
]

/** How often the account has published this text: tries of one post see the same number. */
export function timesPublished(deps: SimulatorDeps, { userId }: SimulatedAccount, text: string): number {
  return deps.store.list<SimulatedPost>(COLLECTION).filter((post) => post.userId === userId && post.text === text)
    .length
}

/** `POST /2/tweets` */
export function createPost(deps: SimulatorDeps, account: SimulatedAccount, input: unknown): SimulatedAnswer {
  const body = record(input) ?? refuse(invalidRequest('The body is not a JSON object.'))
  refuseUnknown(Object.keys(body), BODY)
  const { text = '', media, ...details } = body
  if (typeof text !== 'string') refuse(invalidRequest('$.text: must be a string'))
  const uploads = media === undefined ? [] : uploadsOf(deps, account, media)
  if (text.trim() === '' && uploads.length === 0) {
    refuse(invalidRequest('You must provide text, or media, for a post.'))
  }
  refuseText(deps, account, text)
  const now = deps.now()
  const post: SimulatedPost = {
    id: snowflakeId(now, deps.store.posts().at(-1)?.id),
    userId: account.userId,
    username: account.username,
    text,
    media: uploads.map(({ key, category }) => ({ key, type: TYPES[category] ?? 'photo' })),
    at: now.toISOString(),
  }
  deps.store.put(COLLECTION, post.id, post)
  deps.store.addPost({
    id: post.id,
    accountId: account.ledgerId,
    text,
    permalink: `${deps.url}/p/${post.id}`,
    createdAt: post.at,
    media: uploads.map(({ blobId, mimeType, altText }) => ({
      blobId: blobId ?? '',
      mimeType,
      ...(altText === null ? {} : { alt: altText }),
    })),
    details: { ...details, ...(uploads.length > 0 ? { media_ids: uploads.map(({ id }) => id) } : {}) },
  })
  const { short } = shownText(written(post))
  return ok({ data: { id: post.id, text: short.text, edit_history_post_ids: [post.id] } }, 201)
}

const TYPES: Record<string, string> = {
  tweet_image: 'photo',
  tweet_gif: 'animated_gif',
  tweet_video: 'video',
  amplify_video: 'video',
}

function uploadsOf(deps: SimulatorDeps, account: SimulatedAccount, input: unknown): SimulatedUpload[] {
  const media = record(input) ?? refuse(invalidRequest('$.media: must be an object'))
  refuseUnknown(Object.keys(media), MEDIA)
  const ids = media.media_ids
  if (
    !Array.isArray(ids) ||
    ids.length < 1 ||
    ids.length > limits.images.value ||
    ids.some((id) => !/^\d{1,19}$/.test(id))
  ) {
    refuse(invalidRequest('$.media.media_ids: must be 1 to 4 ids'))
  }
  const uploads = ids.map((id: string) => {
    const upload = findUpload(deps, account, id)
    const ready = upload && progressOf(upload, deps.now()) === 'succeeded'
    return ready ? upload : refuse(invalidRequest('Your media IDs are invalid.'))
  })
  if (uploads.length > 1 && uploads.some(({ category }) => category !== 'tweet_image')) {
    refuse(invalidRequest('A post holds up to four images, or one GIF, or one video.'))
  }
  return uploads
}

function refuseText(deps: SimulatorDeps, account: SimulatedAccount, text: string): void {
  const length = weightedLength(text)
  if (hasInvalidCharacters(text)) refuse(invalidRequest('Your Tweet text contains invalid characters.'))
  if (length > limits.longTextLength.value) refuse(invalidRequest('Your Tweet text is too long.', { text: [text] }))
  if (length > limits.textLength.value && !account.premium) {
    refuse(forbidden('You are not permitted to perform this action.'))
  }
  if (cashtagsIn(text).length > limits.cashtags.value) refuse(forbidden('Posts may contain at most one cashtag.'))
  const since = new Date(deps.now().getTime() - DUPLICATE_MS).toISOString()
  const again = deps.store
    .list<SimulatedPost>(COLLECTION)
    .some((post) => post.userId === account.userId && text !== '' && post.text === text && post.at > since)
  if (again) refuse(forbidden('You are not allowed to create a Tweet with duplicate content.'))
}

/** `DELETE /2/tweets/{id}`: the vendor's OpenAPI 2.167, `deletePosts`. */
export function removePost({ deps, by, at }: Call<SimulatedAccount>): SimulatedAnswer {
  const id = at.id ?? ''
  if (deps.store.get<SimulatedPost>(COLLECTION, id)?.userId !== by.userId) return notFound('tweet', id)
  deletePost(deps, COLLECTION, id)
  return ok({ data: { deleted: true } })
}

const FIELDS = ['attachments', 'author_id', 'created_at', 'entities', 'id', 'text']
const COMMON = [
  'max_results',
  'pagination_token',
  'start_time',
  'end_time',
  'since_id',
  'until_id',
  'exclude',
  'expansions',
  'user.fields',
  'media.fields',
  'poll.fields',
  'place.fields',
]

/** How a pretend network names the fields of posts: as the contract does, or as the older pages do. */
export type Spelling = 'post' | 'tweet'

/** `GET /2/users/{id}/tweets`, newest first. */
export function listPosts(
  { deps, by: account, at, query }: Call<SimulatedAccount>,
  spelling: Spelling,
): SimulatedAnswer {
  const userId = at.id ?? ''
  refuseUnknown([...query.keys()], [...COMMON, `${spelling}.fields`])
  if (userId !== account.userId) refuse(notFound('user', userId))
  const list = (name: string) => (query.get(name) ?? '').split(',').filter((each) => each !== '')
  const fields = list(`${spelling}.fields`)
  refuseUnknown(fields, [...FIELDS, `note_${spelling}`])
  refuseUnknown(list('expansions'), ['attachments.media_keys'])
  const size = Number(query.get('max_results') ?? 10)
  if (!Number.isInteger(size) || size < 5 || size > 100) refuse(invalidRequest('max_results must be 5 to 100.'))
  const [start, end] = [timeOf(query, 'start_time'), timeOf(query, 'end_time')]
  const now = deps.now().getTime()
  if (start !== null && start > now) refuse(invalidRequest('start_time must be in the past.'))
  const [after, before] = [BigInt(query.get('since_id') ?? 0), query.get('until_id')]
  const token = query.get('pagination_token')
  const all = deps.store
    .list<SimulatedPost>(COLLECTION)
    .filter((post) => post.userId === userId && new Date(post.at).getTime() + LISTING_DELAY_MS <= now)
    .filter(({ at }) => start === null || new Date(at).getTime() >= start)
    .filter(({ at }) => end === null || new Date(at).getTime() < end)
    .filter(({ id }) => BigInt(id) > after && (before === null || BigInt(id) < BigInt(before)))
    .filter(({ id }) => token === null || BigInt(id) < BigInt(token))
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))
  const page = all.slice(0, size)
  const [first, last] = [page[0], page.at(-1)]
  if (!first || !last) return ok({ meta: { result_count: 0 } })
  const media = list('expansions').length > 0 ? page.flatMap((post) => post.media) : []
  return ok({
    data: page.map((post) => shown(post, fields, spelling, list('expansions'))),
    ...(media.length > 0 ? { includes: { media: media.map(({ key, type }) => ({ media_key: key, type })) } } : {}),
    meta: {
      result_count: page.length,
      newest_id: first.id,
      oldest_id: last.id,
      ...(all.length > size ? { next_token: last.id } : {}),
    },
  })
}

function shown(post: SimulatedPost, fields: string[], spelling: Spelling, expansions: string[]): object {
  const { short, long } = shownText(written(post))
  const asked = (name: string) => fields.includes(name)
  const keys = post.media.map(({ key }) => key)
  return {
    id: post.id,
    text: short.text,
    [`edit_history_${spelling}_ids`]: [post.id],
    ...(asked('created_at') ? { created_at: post.at } : {}),
    ...(asked('author_id') ? { author_id: post.userId } : {}),
    ...(keys.length > 0 && (asked('attachments') || expansions.length > 0)
      ? { attachments: { media_keys: keys } }
      : {}),
    // What a post does not have is left out.
    ...(asked('entities') && short.urls.length > 0 ? { entities: { urls: short.urls } } : {}),
    ...(asked(`note_${spelling}`) && long
      ? {
          [`note_${spelling}`]: { text: long.text, ...(long.urls.length > 0 ? { entities: { urls: long.urls } } : {}) },
        }
      : {}),
  }
}

const written = ({ id, username, text, media }: SimulatedPost) => ({
  id,
  username,
  text,
  mediaKeys: media.map(({ key }) => key),
})

function timeOf(query: URLSearchParams, name: string): number | null {
  const given = query.get(name)
  if (given === null) return null
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(given) ? Date.parse(given) : Number.NaN
  return Number.isNaN(time) ? refuse(invalidRequest(`${name} must be a time of RFC 3339.`)) : time
}
