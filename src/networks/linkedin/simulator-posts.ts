import { randomInt } from 'node:crypto'
import { MINUTE_MS } from '#contract/durations'
import { faultIn, type SimulatedAnswer } from '../kit/faults.ts'
import { record } from '../kit/read-json.ts'
import { readJson } from '../kit/request-body.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { type Call, deletePost, visibly } from '../kit/simulator.ts'
import { limits, VISIBILITIES } from './manifest.ts'
import { type Access, atMost, denied, faults, fieldsOf, mayAct, ok, refuse, refuseField } from './simulator-answers.ts'
import { findAsset, statusOf } from './simulator-assets.ts'

/** A post as it was sent. */
type SimulatedPost = Record<'id' | 'author' | 'commentary' | 'at', string> & { content: unknown; visibility: unknown }

/** The documents name no time; this is the shortest that the connector counts on. */
const DUPLICATE_MS = 10 * MINUTE_MS
/** A fresh post is not listed at once. */
const LISTED_AFTER_MS = 20_000

export const findPost = ({ store }: SimulatorDeps, id = '') => store.get<SimulatedPost>('posts', id)

/** `POST /rest/posts`: the call that the world sees. */
export async function makePost(call: Call<Access>): Promise<null> {
  const body = await readJson(call.request)
  // Underscores of a fault's word would be escaped; its brackets are.
  const text = shownText(String(record(body)?.commentary ?? ''))
  return visibly(call, { key: body, text, answers: faults, accept: () => accept(call, body) })
}

function accept({ deps, by }: Call<Access>, body: unknown): SimulatedAnswer {
  const required = ['author', 'commentary', 'visibility', 'distribution', 'lifecycleState']
  const sent = fieldsOf('', body, required, ['content', 'isReshareDisabledByAuthor'])
  const { author, commentary, visibility, content, distribution, lifecycleState } = sent
  if (!mayAct(by, author)) return denied('posts.CREATE')
  if (typeof commentary !== 'string') return refuse(422, 'ERROR :: /commentary :: is not a string')
  if (lifecycleState !== 'PUBLISHED' || record(distribution)?.feedDistribution !== 'MAIN_FEED') {
    return refuseField('lifecycleState or distribution has a value that is not taken')
  }
  const accountType = author.startsWith('urn:li:organization:') ? 'LINKEDIN_PAGE' : 'LINKEDIN_PERSONAL'
  const isTheirs = Object.hasOwn(VISIBILITIES[accountType], String(visibility))
  if (!isTheirs) return refuseField(`visibility ${visibility} is not for this author`)
  const text = shownText(commentary)
  atMost(limits.captionLength, '/commentary', text)
  const media = mediaIn(deps, author, content)
  if (commentary.trim() === '' && media.length === 0) return refuse(422, 'ERROR :: /commentary :: is empty')
  const at = deps.now().toISOString()
  // The upper bits of an id are the time.
  const number = (BigInt(deps.now().getTime()) << 22n) | BigInt(randomInt(2 ** 22))
  const id = `urn:li:${media.some(({ urn }) => isVideo(urn)) ? 'ugcPost' : 'share'}:${number}`
  const post: SimulatedPost = { id, author, commentary, content, visibility, at }
  const first = duplicateOf(deps, post)
  if (first) return refuseField(`Content is a duplicate of ${first.id}`, 'DUPLICATE_POST', 422)
  const permalink = `${deps.url}/p/${id}`
  const accountId = by.ledger[author] ?? author
  const details = { author, visibility, commentary, content }
  const files = media.map(({ file }) => file)
  deps.store.together(() => {
    deps.store.put('posts', id, post)
    deps.store.addPost({ id, accountId, text, permalink, createdAt: at, media: files, details })
  })
  // An empty body cannot break off, so it is the header that does.
  return ok('', faultIn(text) === 'garbled' ? {} : { 'x-restli-id': id }, 201)
}

const isVideo = (urn: string) => urn.startsWith('urn:li:video:')
const isDocument = (urn: string) => urn.startsWith('urn:li:document:')

/** Its title is what is seen of it in lists; it has no alternative text. @throws SimulatedRefusal */
function checkDocument(title: unknown, altText: unknown): void {
  if (typeof title !== 'string' || title.trim() === '')
    refuse(422, 'ERROR :: /content/media/title :: field is required but not found and has no default value')
  if (altText !== undefined) refuse(422, 'ERROR :: /content/media/altText :: unrecognized field found but not allowed')
}

/** The media of a post, which must be the author's, and ready. @throws SimulatedRefusal */
function mediaIn(deps: SimulatorDeps, author: string, content: unknown) {
  if (content === undefined) return []
  const { article, media, multiImage } = fieldsOf('/content', content, [], ['article', 'media', 'multiImage'])
  if (article !== undefined) {
    if (media !== undefined || multiImage !== undefined) return refuseField('content has an article beside media')
    checkArticle(deps, author, article)
    return []
  }
  const isOne = media !== undefined && multiImage === undefined
  const items = isOne ? [media] : record(multiImage)?.images
  if (!Array.isArray(items) || (!isOne && (media || items.length < 2 || items.length > limits.images.value)))
    return refuseField('content is one media, or multiImage of 2 to 20 images')
  return items.map((item) => {
    const { id, altText, title } = fieldsOf('/content', item, ['id'], ['altText', 'title'])
    const urn = String(id)
    const isMedia = urn.startsWith('urn:li:image:') || (isOne && (isVideo(urn) || isDocument(urn)))
    if (!isMedia) return refuseField('id is no urn of media', 'INVALID_URN_TYPE')
    if (isDocument(urn)) checkDocument(title, altText)
    atMost(limits.altTextLength, 'altText', altText)
    atMost(limits.titleLength, 'title', title)
    const { blobId, mimeType } = fileOf(deps, author, urn)
    return { urn, file: { blobId, mimeType, ...(typeof altText === 'string' ? { alt: altText } : {}) } }
  })
}

/** The file of media that are the author's, and ready. @throws SimulatedRefusal */
function fileOf(deps: SimulatorDeps, author: string, urn: string) {
  const asset = findAsset(deps, urn)
  if (!asset || asset.owner !== author) return refuseField(`${urn} is not the author's`)
  const status = statusOf(deps, asset)
  if (status === 'PROCESSING_FAILED') refuseField('The media asset failed to process', 'MEDIA_ASSET_PROCESSING_FAILED')
  if (status === 'PROCESSING' && asset.kind === 'documents') return refuse(400, 'The document is still being processed')
  if (asset.file === null || status !== 'AVAILABLE') {
    return refuseField('The media asset is waiting for its upload', 'MEDIA_ASSET_WAITING_UPLOAD')
  }
  return asset.file
}

/** A card, whose picture must be the author's, and ready. @throws SimulatedRefusal */
function checkArticle(deps: SimulatorDeps, author: string, article: unknown) {
  const { source, title, description, thumbnail } = fieldsOf(
    '/content/article',
    article,
    ['source', 'title'],
    ['description', 'thumbnail'],
  )
  if (!URL.canParse(String(source)) || String(title).trim() === '') return refuseField('article is not a page')
  atMost(limits.cardSourceLength, 'article/source', source)
  atMost(limits.cardTitleLength, 'article/title', title)
  atMost(limits.cardDescriptionLength, 'article/description', description)
  if (thumbnail === undefined) return
  if (!String(thumbnail).startsWith('urn:li:image:'))
    return refuseField('thumbnail is no urn of an image', 'INVALID_URN_TYPE')
  fileOf(deps, author, String(thumbnail))
}

/** The same words with the same media, by the same author, a short while ago. Posts without words are not compared. */
function duplicateOf({ store }: SimulatorDeps, post: SimulatedPost) {
  const what = ({ author, commentary, content }: SimulatedPost) => JSON.stringify([author, commentary, content])
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
  if (!by.pages.some(({ urn }) => urn === author)) return denied('partnerApiPostsExternal.FINDER-author')
  const until = deps.now().getTime() - LISTED_AFTER_MS
  const isListed = (post: SimulatedPost) => post.author === author && new Date(post.at).getTime() <= until
  const listed = deps.store.list<SimulatedPost>('posts').filter(isListed).reverse()
  return ok({ paging: { start: 0, count, links: [] }, elements: listed.slice(0, count).map(shape) })
}

/** `GET /rest/posts/{urn}` */
export function readPost({ deps, at }: Call<Access>): SimulatedAnswer {
  const post = findPost(deps, at.id)
  return post ? ok(shape(post)) : refuse(404, 'The post is not there')
}

/** `DELETE /rest/posts/{urn}`: 204, and again for one that was deleted before. */
export function removePost({ deps, by, at }: Call<Access>): SimulatedAnswer {
  const post = findPost(deps, at.id)
  if (post && !mayAct(by, post.author)) return denied('partnerApiPostsExternal.DELETE')
  if (post) deletePost(deps, 'posts', post.id)
  return ok('', {}, 204)
}

function shape({ at, ...post }: SimulatedPost) {
  const ms = new Date(at).getTime()
  return { ...post, lifecycleState: 'PUBLISHED', createdAt: ms, publishedAt: ms, lastModifiedAt: ms }
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
