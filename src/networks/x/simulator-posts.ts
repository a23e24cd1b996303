import { createHash } from 'node:crypto'
import { MINUTE_MS } from '#contract/durations'
import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import { record } from '../kit/read-json.ts'
import { readJson } from '../kit/request-body.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { type Call, deletePost, visibly } from '../kit/simulator.ts'
import { cashtagsIn, hasInvalidCharacters, replaceLinks, weightedLength } from './count-text.ts'
import { limits } from './manifest.ts'
import {
  type Account,
  faults,
  forbid,
  invalid,
  notFound,
  ok,
  PARENT_HIDDEN,
  picked,
  refuse,
  refuseUnknown,
} from './simulator-answers.ts'
import { findUpload, progressOf, type SimulatedUpload } from './simulator-media.ts'
import { SNOWFLAKE_EPOCH } from './wire.ts'

const COLLECTION = 'posts'
/** A post is listed so long after it was made. */
const LISTING_DELAY_MS = 20_000
/** A post that is younger cannot be answered yet. */
const REPLY_DELAY_MS = 3_000
/** A text that was published within this time is refused. The network names no time. */
const DUPLICATE_MS = 5 * MINUTE_MS

interface SimulatedPost {
  id: string
  userId: string
  username: string
  text: string
  media: { key: string }[]
  at: string
  /** The post that it answers. */
  answers?: string
}

const ownPosts = (deps: SimulatorDeps, { userId }: Account) =>
  deps.store.list<SimulatedPost>(COLLECTION).filter((post) => post.userId === userId)

/** `POST /2/tweets`: the one call that the world sees. Quotes and polls are not played. */
export async function createPost(call: Call<Account>): Promise<null> {
  const { deps, request, by } = call
  const body = await readJson(request)
  const text = String(record(body)?.text ?? '')
  const key = [by.userId, text]
  return visibly(call, { key, text, answers: faults(deps.now()), accept: () => makePost(deps, by, body) })
}

function makePost(deps: SimulatorDeps, account: Account, input: unknown): SimulatedAnswer {
  const body = record(input) ?? invalid('The body is not a JSON object.')
  refuseUnknown(Object.keys(body), ['text', 'media', 'reply'])
  const { text = '', media, reply } = body
  if (typeof text !== 'string') return invalid('$.text: must be a string')
  const uploads = media === undefined ? [] : uploadsOf(deps, account, media)
  if (text.trim() === '' && uploads.length === 0) invalid('You must provide text, or media, for a post.')
  refuseText(deps, account, text)
  const answers = reply === undefined ? undefined : answeredPost(deps, account, reply)
  const id = snowflakeId(deps.now(), deps.store.posts().at(-1)?.id)
  const at = deps.now().toISOString()
  const { userId, username, ledgerId } = account
  const post: SimulatedPost = {
    id,
    userId,
    username,
    text,
    media: uploads.map(({ key }) => ({ key })),
    at,
    ...(answers ? { answers } : {}),
  }
  deps.store.together(() => {
    deps.store.put(COLLECTION, id, post)
    deps.store.addPost({
      id,
      accountId: ledgerId,
      text,
      permalink: `${deps.url}/p/${id}`,
      createdAt: at,
      media: uploads.map(({ blobId = '', mimeType, altText: alt }) => ({ blobId, mimeType, ...(alt ? { alt } : {}) })),
      details: {
        ...(uploads.length > 0 ? { media_ids: uploads.map(({ id }) => id) } : {}),
        ...(answers ? { replyTo: answers } : {}),
      },
    })
  })
  return ok({ id, text: shortened(post, text).text }, 201)
}

/** Own posts alone may be answered, and no sooner than they are known everywhere. */
function answeredPost(deps: SimulatorDeps, account: Account, input: unknown): string {
  const reply = record(input) ?? invalid('$.reply: must be an object')
  refuseUnknown(Object.keys(reply), ['in_reply_to_tweet_id', 'exclude_reply_user_ids', 'auto_populate_reply_metadata'])
  const id = String(reply.in_reply_to_tweet_id ?? '')
  if (!/^\d{1,19}$/.test(id)) return invalid('$.reply.in_reply_to_tweet_id: does not match the pattern')
  const post = deps.store.get<SimulatedPost>(COLLECTION, id)
  if (!post || deps.now().getTime() - Date.parse(post.at) < REPLY_DELAY_MS) return refuse(PARENT_HIDDEN)
  if (post.userId !== account.userId || account.isSilent) {
    return forbid('You can only reply to or quote posts where you are mentioned or are the author.')
  }
  return id
}

function uploadsOf(deps: SimulatorDeps, account: Account, input: unknown): SimulatedUpload[] {
  const media = record(input) ?? invalid('$.media: must be an object')
  refuseUnknown(Object.keys(media), ['media_ids'])
  const ids: unknown[] = Array.isArray(media.media_ids) ? media.media_ids : []
  if (ids.length < 1 || ids.length > limits.images.value) invalid('$.media.media_ids: must be 1 to 4 ids')
  const uploads = ids.map((id) => {
    const upload = findUpload(deps, account, String(id))
    const ready = upload && progressOf(upload, deps.now()) === 'succeeded'
    if (ready && upload.category === 'amplify_video' && account.promotes)
      throw new SimulatedRefusal(faults(deps.now())['media-rejected'])
    return ready ? upload : invalid('Your media IDs are invalid.')
  })
  if (uploads.length > 1 && uploads.some(({ category }) => category !== 'tweet_image')) {
    invalid('A post holds up to four images, or one GIF, or one video.')
  }
  return uploads
}

function refuseText(deps: SimulatorDeps, account: Account, text: string): void {
  const length = weightedLength(text)
  if (hasInvalidCharacters(text)) invalid('Your Tweet text contains invalid characters.')
  if (length > limits.longTextLength.value) invalid('Your Tweet text is too long.', { text: [text] })
  if (length > limits.textLength.value && !account.premium) forbid('You are not permitted to perform this action.')
  if (cashtagsIn(text).length > limits.cashtags.value) forbid('Posts may contain at most one cashtag.')
  const since = new Date(deps.now().getTime() - DUPLICATE_MS).toISOString()
  const isAgain = ownPosts(deps, account).some((post) => text !== '' && post.text === text && post.at > since)
  if (isAgain) forbid('You are not allowed to create a Tweet with duplicate content.')
}

/** `DELETE /2/tweets/{id}`: the vendor's OpenAPI 2.167, `deletePosts`. */
export function removePost({ deps, by, at: { id = '' } }: Call<Account>): SimulatedAnswer {
  if (deps.store.get<SimulatedPost>(COLLECTION, id)?.userId !== by.userId) return notFound('tweet', id)
  deletePost(deps, COLLECTION, id)
  return ok({ deleted: true })
}

/** `GET /2/tweets/{id}`: of one that is gone X answers 200 and says so in `errors`. */
export function readPost({ deps, at: { id = '' }, query }: Call<Account>): SimulatedAnswer {
  refuseUnknown(query.keys(), ['post.fields', 'expansions'])
  const post = deps.store.get<SimulatedPost>(COLLECTION, id)
  if (post) return ok({ id, text: shortened(post, post.text).text })
  const type = 'https://api.x.com/2/problems/resource-not-found'
  const detail = `Could not find tweet with id: [${id}].`
  const about = { resource_type: 'tweet', resource_id: id, parameter: 'id', value: id }
  return { status: 200, body: { errors: [{ title: 'Not Found Error', type, detail, ...about }] } }
}

/** `GET /2/users/{id}/tweets`, newest first. It names fields as the contract does, and knows no older names. */
export function listPosts({ deps, by, at, query }: Call<Account>): SimulatedAnswer {
  const parameters = [
    'max_results',
    'pagination_token',
    'start_time',
    'since_id',
    'post.fields',
    'expansions',
    'exclude',
  ]
  refuseUnknown(query.keys(), parameters)
  const expanded = (query.get('expansions') ?? '').split(',').filter((each) => each !== '')
  refuseUnknown(expanded, ['referenced_posts'])
  const isWithout = (query.get('exclude') ?? '').split(',').includes('replies')
  const sinceId = BigInt(query.get('since_id') ?? 0)
  if (at.id !== by.userId) return notFound('user', at.id ?? '')
  const known = ['attachments', 'created_at', 'entities', 'text', 'note_post']
  const pick = picked(query, 'post.fields', known, ['id', 'text'])
  const size = Number(query.get('max_results') ?? 10)
  if (!Number.isInteger(size) || size < 5 || size > 100) invalid('max_results must be 5 to 100.')
  const given = query.get('start_time') ?? '1970-01-01T00:00:00Z'
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(given)) invalid('start_time must be a time of RFC 3339.')
  const [start, now] = [Date.parse(given), deps.now().getTime()]
  if (!(start <= now)) invalid('start_time must be in the past.')
  const token = query.get('pagination_token')
  const all = ownPosts(deps, by)
    .filter(({ at }) => Date.parse(at) >= start && Date.parse(at) + LISTING_DELAY_MS <= now)
    .filter(({ id, answers }) => BigInt(id) > sinceId && !(isWithout && answers))
    .filter(({ id }) => token === null || BigInt(id) < BigInt(token))
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))
  const page = all.slice(0, size)
  const meta = { result_count: page.length, ...(all.length > size ? { next_token: page.at(-1)?.id } : {}) }
  return {
    status: 200,
    body:
      page.length > 0
        ? { data: page.map((post) => ({ ...pick(shown(post)), ...referenced(post, expanded) })), meta }
        : { meta },
  }
}

const referenced = ({ answers: id }: SimulatedPost, expanded: readonly string[]) =>
  id !== undefined && expanded.length > 0 ? { referenced_posts: [{ type: 'replied_to', id }] } : {}

/** What a post does not have is undefined, which JSON leaves out. */
function shown(post: SimulatedPost): object {
  const { id, text, at, media } = post
  const whole = shortened(post, text)
  const attachments = media.length > 0 ? { media_keys: media.map(({ key }) => key) } : undefined
  const created = { id, created_at: at, attachments }
  if (weightedLength(text) <= limits.textLength.value) return { ...created, ...whole }
  const beginning = [...text].slice(0, 100).join('')
  return { ...created, ...shortened(post, `${beginning}… https://x.com/i/web/status/${id}`), note_post: whole }
}

/** A text as the network shows it: links shortened, characters escaped, with its media's link at the end. */
function shortened({ id, username, media }: SimulatedPost, written: string) {
  const urls: { url: string; expanded_url: string; media_key?: string }[] = []
  let text = replaceLinks(written.normalize('NFC').trim(), (link) => {
    const url = shortLink(`${id} ${urls.length} ${link}`)
    urls.push({ url, expanded_url: /^https?:\/\//i.test(link) ? link : `http://${link}` })
    return url
  })
  if (media.length > 0) {
    const url = shortLink(`${id} media`)
    text = `${text} ${url}`.trim()
    const kind = media[0]?.key.startsWith('3_') ? 'photo' : 'video'
    const expanded_url = `https://x.com/${username}/status/${id}/${kind}/1`
    urls.push(...media.map(({ key }) => ({ url, expanded_url, media_key: key })))
  }
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const withPlaces = urls.map((link) => {
    const start = [...text.slice(0, text.indexOf(link.url))].length
    return { start, end: start + link.url.length, ...link }
  })
  return { text: escaped, entities: urls.length > 0 ? { urls: withPlaces } : undefined }
}

const shortLink = (seed: string) =>
  `https://t.co/${createHash('sha256').update(seed).digest('base64').replace(/[+/=]/g, '').slice(0, 10)}`

/** An id that carries the time and is larger than the one before it. */
function snowflakeId(at: Date, before: string | undefined): string {
  const wanted = BigInt(at.getTime() - SNOWFLAKE_EPOCH) << 22n
  const last = BigInt(before ?? 0)
  return String(wanted > last ? wanted : last + 1n)
}
