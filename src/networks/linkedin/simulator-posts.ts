import { randomInt } from 'node:crypto'
import { faultIn, type SimulatedAnswer } from '../kit/faults.ts'
import { record } from '../kit/read-json.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { type Call, deletePost } from '../kit/simulator.ts'
import { limits, VISIBILITIES } from './manifest.ts'
import type { Access } from './simulator-accounts.ts'
import { denied, inputRefusal, ok, refuse, refuseInput } from './simulator-answers.ts'
import { shownText } from './simulator-text.ts'
import { findAsset, mayWrite, statusOf } from './simulator-uploads.ts'

/** A post as it was sent. */
interface SimulatedPost {
  id: string
  author: string
  commentary: string
  content: unknown
  media: readonly string[]
  visibility: string
  at: string
}

/** The documents name no time; this is the shortest that the connector counts on. */
const DUPLICATE_MS = 10 * 60_000
/** A fresh post is not listed at once. */
const LISTED_AFTER_MS = 20_000

const FIELDS = [
  'author',
  'commentary',
  'visibility',
  'distribution',
  'content',
  'lifecycleState',
  'isReshareDisabledByAuthor',
]

/** `POST /rest/posts` */
export function createPost({ deps, by: access }: Call<Access>, body: unknown): SimulatedAnswer {
  const post = checked(deps, access, record(body) ?? {})
  const first = duplicateOf(deps, post)
  if (first) return inputRefusal(422, 'DUPLICATE_POST', `Content is a duplicate of ${first.id}`)
  keep(deps, access, post)
  // An empty body cannot break off, so it is the header that does.
  const broken = faultIn(shownText(post.commentary)) === 'garbled'
  return ok('', broken ? {} : { 'x-restli-id': post.id }, 201)
}

function checked(deps: SimulatorDeps, access: Access, body: Readonly<Record<string, unknown>>): SimulatedPost {
  const unknown = Object.keys(body).find((name) => !FIELDS.includes(name))
  if (unknown) return refuse(422, `ERROR :: /${unknown} :: unrecognized field found but not allowed`)
  const { author, commentary, visibility, content, distribution, lifecycleState } = body
  for (const name of ['author', 'commentary', 'visibility', 'distribution', 'lifecycleState']) {
    if (body[name] === undefined) {
      return refuse(422, `ERROR :: /${name} :: field is required but not found and has no default value`)
    }
  }
  if (!mayWrite(access, author)) return denied('posts.CREATE')
  if (typeof commentary !== 'string') return refuse(422, 'ERROR :: /commentary :: is not a string')
  if (lifecycleState !== 'PUBLISHED' || record(distribution)?.feedDistribution !== 'MAIN_FEED') {
    return refuseInput(400, 'INVALID_VALUE_FOR_FIELD', 'lifecycleState or distribution has a value that is not taken')
  }
  const isPage = author.startsWith('urn:li:organization:')
  const allowed: readonly unknown[] = isPage ? VISIBILITIES.LINKEDIN_PAGE : VISIBILITIES.LINKEDIN_PERSONAL
  if (!allowed.includes(visibility)) {
    return refuseInput(400, 'INVALID_VALUE_FOR_FIELD', `visibility ${visibility} is not for this author`)
  }
  if (shownText(commentary).length > limits.captionLength.value) {
    return refuseInput(400, 'FIELD_LENGTH_TOO_LONG', 'The length of /commentary exceeds the maximum')
  }
  const media = mediaIn(content)
  if (commentary.trim() === '' && media.length === 0) return refuse(422, 'ERROR :: /commentary :: is empty')
  for (const urn of media) checkAsset(deps, author, urn)
  const video = media.some((urn) => urn.startsWith('urn:li:video:'))
  const id = `urn:li:${video ? 'ugcPost' : 'share'}:${idAt(deps.now())}`
  return { id, author, commentary, content, media, visibility: String(visibility), at: deps.now().toISOString() }
}

/** Urns of the media of a post. @throws SimulatedRefusal */
function mediaIn(content: unknown): string[] {
  if (content === undefined) return []
  const { media, multiImage, ...others } = record(content) ?? {}
  const images = record(multiImage)?.images
  const one = media !== undefined && multiImage === undefined
  const items = one ? [media] : Array.isArray(images) ? images : []
  const { images: most } = limits
  if (
    Object.keys(others).length > 0 ||
    items.length === 0 ||
    (!one && (items.length < 2 || items.length > most.value))
  ) {
    return refuseInput(400, 'INVALID_VALUE_FOR_FIELD', 'content is one media, or multiImage of 2 to 20 images')
  }
  return items.map((item) => {
    const { id, altText, title, ...more } = record(item) ?? {}
    const kinds = one ? /^urn:li:(image|video):/ : /^urn:li:image:/
    if (typeof id !== 'string' || !kinds.test(id)) return refuseInput(400, 'INVALID_URN_TYPE', 'id is no urn of media')
    const unknown = Object.keys(more)[0]
    if (unknown) return refuse(422, `ERROR :: /content/${unknown} :: unrecognized field found but not allowed`)
    if (String(altText ?? '').length > limits.altTextLength.value) {
      return refuseInput(400, 'FIELD_LENGTH_TOO_LONG', 'The length of altText exceeds the maximum')
    }
    if (String(title ?? '').length > limits.titleLength.value) {
      return refuseInput(400, 'FIELD_LENGTH_TOO_LONG', 'The length of title exceeds the maximum')
    }
    return id
  })
}

function checkAsset(deps: SimulatorDeps, author: string, urn: string): void {
  const asset = findAsset(deps, urn)
  if (!asset || asset.owner !== author) refuseInput(400, 'INVALID_VALUE_FOR_FIELD', `${urn} is not the author's`)
  const status = statusOf(deps, asset)
  if (status === 'PROCESSING_FAILED') {
    refuseInput(400, 'MEDIA_ASSET_PROCESSING_FAILED', 'The media asset failed to process')
  }
  if (status !== 'AVAILABLE') {
    refuseInput(400, 'MEDIA_ASSET_WAITING_UPLOAD', 'The media asset is waiting for its upload')
  }
}

/** The same words with the same media, by the same author, a short while ago. Posts without words are not compared. */
function duplicateOf(deps: SimulatorDeps, post: SimulatedPost): SimulatedPost | undefined {
  if (post.commentary.trim() === '') return undefined
  const since = deps.now().getTime() - DUPLICATE_MS
  return deps.store
    .list<SimulatedPost>('posts')
    .find(
      (each) =>
        each.author === post.author &&
        each.commentary === post.commentary &&
        each.media.join() === post.media.join() &&
        new Date(each.at).getTime() > since,
    )
}

function keep(deps: SimulatorDeps, access: Access, post: SimulatedPost): void {
  deps.store.put('posts', post.id, post)
  deps.store.addPost({
    id: post.id,
    accountId: access.ledger[post.author] ?? post.author,
    text: shownText(post.commentary),
    permalink: `${deps.url}/p/${post.id}`,
    createdAt: post.at,
    media: post.media.flatMap((urn, index) => {
      const file = findAsset(deps, urn)?.file
      if (!file) return []
      const alt = altTextOf(post.content, index)
      return [{ blobId: file.blobId, mimeType: file.mimeType, ...(alt === undefined ? {} : { alt }) }]
    }),
    details: { author: post.author, visibility: post.visibility, commentary: post.commentary, content: post.content },
  })
}

function altTextOf(content: unknown, index: number): string | undefined {
  const { media, multiImage } = record(content) ?? {}
  const images = record(multiImage)?.images
  const alt = record(Array.isArray(images) ? images[index] : media)?.altText
  return typeof alt === 'string' ? alt : undefined
}

/** `GET /rest/posts?q=author`: for organizations alone. */
export function listPosts({ deps, by: access, query }: Call<Access>): SimulatedAnswer {
  const author = query.get('author')
  const count = Number(query.get('count') ?? 10)
  if (query.get('q') !== 'author' || !(count >= 1 && count <= 100)) return refuse(400, 'The finder is not known')
  const page = access.pages.find(({ urn }) => urn === author)
  if (!page || !access.scopes.includes('r_organization_social')) return denied('partnerApiPostsExternal.FINDER-author')
  const now = deps.now().getTime()
  const elements = deps.store
    .list<SimulatedPost>('posts')
    .filter((post) => post.author === author && now - new Date(post.at).getTime() >= LISTED_AFTER_MS)
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
  return {
    id,
    author,
    commentary,
    ...(content === undefined ? {} : { content }),
    visibility,
    lifecycleState: 'PUBLISHED',
    createdAt: ms,
    publishedAt: ms,
    lastModifiedAt: ms,
  }
}

/** An id whose upper bits are the time. */
function idAt(now: Date): string {
  return String((BigInt(now.getTime()) << 22n) | BigInt(randomInt(2 ** 22)))
}
