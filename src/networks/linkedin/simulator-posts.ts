import { randomInt } from 'node:crypto'
import { faultIn, type SimulatedAnswer } from '../kit/faults.ts'
import { record } from '../kit/read-json.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { type Call, deletePost, visibly } from '../kit/simulator.ts'
import { limits, visibilitiesOf } from './manifest.ts'
import { type Access, mayWrite } from './simulator-accounts.ts'
import {
  atMost,
  bodyOf,
  denied,
  faultAnswers,
  fieldsOf,
  inputRefusal,
  invalid,
  ok,
  refuse,
  refuseInput,
} from './simulator-answers.ts'
import { findAsset, statusOf } from './simulator-uploads.ts'

/** A post as it was sent. */
interface SimulatedPost {
  id: string
  author: string
  commentary: string
  content: unknown
  media: readonly string[]
  visibility: unknown
  at: string
}

/** The documents name no time; this is the shortest that the connector counts on. */
const DUPLICATE_MS = 10 * 60_000
/** A fresh post is not listed at once. */
const LISTED_AFTER_MS = 20_000

/** `POST /rest/posts`: the call that the world sees. */
export async function makePost(call: Call<Access>): Promise<null> {
  const body = await bodyOf(call)
  // Underscores of a fault's word would be escaped; its brackets are.
  const text = shownText(String(record(body)?.commentary ?? ''))
  return visibly(call, { key: body, text, answers: faultAnswers, accept: () => accept(call, body) })
}

function accept({ deps, by }: Call<Access>, body: unknown): SimulatedAnswer {
  const required = ['author', 'commentary', 'visibility', 'distribution', 'lifecycleState']
  const { author, commentary, visibility, content, distribution, lifecycleState } = fieldsOf('', body, required, [
    'content',
    'isReshareDisabledByAuthor',
  ])
  if (!mayWrite(by, author)) return denied('posts.CREATE')
  if (typeof commentary !== 'string') return refuse(422, 'ERROR :: /commentary :: is not a string')
  if (lifecycleState !== 'PUBLISHED' || record(distribution)?.feedDistribution !== 'MAIN_FEED') {
    return invalid('lifecycleState or distribution has a value that is not taken')
  }
  const isPage = author.startsWith('urn:li:organization:')
  if (!visibilitiesOf(isPage ? 'LINKEDIN_PAGE' : 'LINKEDIN_PERSONAL').includes(visibility)) {
    return invalid(`visibility ${visibility} is not for this author`)
  }
  const text = shownText(commentary)
  atMost(limits.captionLength, '/commentary', text)
  const media = mediaIn(deps, author, content)
  if (commentary.trim() === '' && media.length === 0) return refuse(422, 'ERROR :: /commentary :: is empty')
  const at = deps.now().toISOString()
  const urns = media.map(({ urn }) => urn)
  const first = duplicateOf(deps, { author, commentary, media: urns, at })
  if (first) return inputRefusal('DUPLICATE_POST', `Content is a duplicate of ${first.id}`, 422)

  // The upper bits of an id are the time.
  const number = (BigInt(deps.now().getTime()) << 22n) | BigInt(randomInt(2 ** 22))
  const id = `urn:li:${urns.some(isVideo) ? 'ugcPost' : 'share'}:${number}`
  deps.store.put('posts', id, { id, author, commentary, content, media: urns, visibility, at } satisfies SimulatedPost)
  deps.store.addPost({
    id,
    accountId: by.ledger[author] ?? author,
    text,
    permalink: `${deps.url}/p/${id}`,
    createdAt: at,
    media: media.map(({ file, alt }) => ({ ...file, ...alt })),
    details: { author, visibility, commentary, content },
  })
  // An empty body cannot break off, so it is the header that does.
  return ok('', faultIn(text) === 'garbled' ? {} : { 'x-restli-id': id }, 201)
}

const isVideo = (urn: string) => urn.startsWith('urn:li:video:')

/** The media of a post, which must be the author's, and ready. @throws SimulatedRefusal */
function mediaIn(deps: SimulatorDeps, author: string, content: unknown) {
  if (content === undefined) return []
  const { media, multiImage } = fieldsOf('/content', content, [], ['media', 'multiImage'])
  const images = record(multiImage)?.images
  const items = media !== undefined ? [media] : Array.isArray(images) ? images : []
  const isOne = media !== undefined && multiImage === undefined
  if (!isOne && (media !== undefined || items.length < 2 || items.length > limits.images.value)) {
    return invalid('content is one media, or multiImage of 2 to 20 images')
  }
  return items.map((item) => {
    const { id, altText, title } = fieldsOf('/content', item, ['id'], ['altText', 'title'])
    const urn = String(id)
    if (!urn.startsWith('urn:li:image:') && !(isOne && isVideo(urn))) {
      return refuseInput('INVALID_URN_TYPE', 'id is no urn of media')
    }
    atMost(limits.altTextLength, 'altText', altText)
    atMost(limits.titleLength, 'title', title)
    const asset = findAsset(deps, urn)
    if (!asset || asset.owner !== author) return invalid(`${urn} is not the author's`)
    const status = statusOf(deps, asset)
    if (status === 'PROCESSING_FAILED') {
      return refuseInput('MEDIA_ASSET_PROCESSING_FAILED', 'The media asset failed to process')
    }
    if (asset.file === null || status !== 'AVAILABLE') {
      return refuseInput('MEDIA_ASSET_WAITING_UPLOAD', 'The media asset is waiting for its upload')
    }
    const { blobId, mimeType } = asset.file
    return { urn, file: { blobId, mimeType }, alt: typeof altText === 'string' ? { alt: altText } : {} }
  })
}

/** The same words with the same media, by the same author, a short while ago. Posts without words are not compared. */
function duplicateOf({ store }: SimulatorDeps, post: Pick<SimulatedPost, 'author' | 'commentary' | 'media' | 'at'>) {
  const what = ({ author, commentary, media }: typeof post) => JSON.stringify([author, commentary, media])
  const since = new Date(post.at).getTime() - DUPLICATE_MS
  const isRepeated = (each: SimulatedPost) => what(each) === what(post) && new Date(each.at).getTime() > since
  return post.commentary.trim() === '' ? undefined : store.list<SimulatedPost>('posts').find(isRepeated)
}

/** `GET /rest/posts?q=author`: for organizations alone. */
export function listPosts({ deps, by, request, query }: Call<Access>): SimulatedAnswer {
  if (request.headers['x-restli-method'] !== 'FINDER') return refuse(400, 'The header X-RestLi-Method is missing')
  const author = query.get('author')
  const count = Number(query.get('count') ?? 10)
  if (query.get('q') !== 'author' || !(count >= 1 && count <= 100)) return refuse(400, 'The finder is not known')
  const isTheirs = by.pages.some(({ urn }) => urn === author) && by.scopes.includes('r_organization_social')
  if (!isTheirs) return denied('partnerApiPostsExternal.FINDER-author')
  const until = deps.now().getTime() - LISTED_AFTER_MS
  const elements = deps.store
    .list<SimulatedPost>('posts')
    .filter((post) => post.author === author && new Date(post.at).getTime() <= until)
    // Of one millisecond, the one that came last is the newer one.
    .reverse()
    .sort((one, other) => other.at.localeCompare(one.at))
    .slice(0, count)
    .map(shape)
  return ok({ paging: { start: 0, count, links: [] }, elements })
}

/** `GET /rest/posts/{urn}` */
export function readPost({ deps, by, at }: Call<Access>): SimulatedAnswer {
  if (!by.scopes.includes('r_organization_social')) return denied('partnerApiPostsExternal.GET')
  const post = deps.store.get<SimulatedPost>('posts', at.id ?? '')
  return post ? ok(shape(post)) : refuse(404, 'The post is not there')
}

/** `DELETE /rest/posts/{urn}`: 204, and again for one that was deleted before. */
export function removePost({ deps, by, at }: Call<Access>): SimulatedAnswer {
  const post = deps.store.get<SimulatedPost>('posts', at.id ?? '')
  if (post && !mayWrite(by, post.author)) return denied('partnerApiPostsExternal.DELETE')
  if (post) deletePost(deps, 'posts', post.id)
  return ok('', {}, 204)
}

function shape({ id, author, commentary, content, visibility, at }: SimulatedPost) {
  const ms = new Date(at).getTime()
  const times = { createdAt: ms, publishedAt: ms, lastModifiedAt: ms }
  return { id, author, commentary, content, visibility, lifecycleState: 'PUBLISHED', ...times }
}

const PIECE =
  /\\(?<sign>[\\|{}@[\]()<>#*_~])|\{hashtag\|\\#\|(?<tag>(?:\\.|[^}\\])+)\}|#(?<word>(?:\\_|[\p{L}\p{M}\p{N}])+)|@\[(?<name>(?:\\.|[^\]\\])+)\]\(urn:li:(?:organization|person):[\w-]+\)|(?<plain>[^\\|{}@[\]()<>#*_~]+)/guy

/**
 * What people see of a commentary: escapes are taken away, hashtags and mentions become words, and a character that
 * should have been escaped cuts the text off there, without an error, as it does on the real network.
 */
export function shownText(commentary: string): string {
  const pieces = Array.from(commentary.matchAll(PIECE), ({ groups = {} }) => {
    const { sign, plain, name, tag = groups.word } = groups
    return sign ?? plain ?? (tag === undefined ? '' : '#') + (tag ?? name ?? '').replace(/\\(.)/gu, '$1')
  })
  return pieces.join('')
}
