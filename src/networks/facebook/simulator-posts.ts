import type { SimulatedAnswer } from '../kit/faults.ts'
import { measureImage } from '../kit/measure-image.ts'
import type { LedgerPost, SimulatorDeps } from '../kit/simulation.ts'
import { type Call, deletePost } from '../kit/simulator.ts'
import {
  checkedFields,
  chosen,
  fetched,
  invalid,
  newId as newIdOf,
  ok,
  type Params,
  pageOf,
  refuse,
  timestamp,
  within,
} from '../meta/simulator.ts'
import type { StoredFile } from '../meta/simulator-containers.ts'
import type { SimulatedPage } from './simulator-accounts.ts'
import { isTrue, textIn } from './simulator-params.ts'

const DAY_MS = 24 * 3_600_000
/** A new post appears in listings so much later. The vendor names no time. */
const LISTING_LAG_MS = 20_000
const MESSAGE_LENGTH = 63_206
/** As the page on photos has it. */
const IMAGE_BYTES = 10 * 1024 * 1024
const IMAGE_FORMATS = ['jpeg', 'png', 'gif', 'tiff']

export const newId = () => newIdOf('12')
export const addressOf = ({ url }: SimulatorDeps, id: string) => `${url}/p/${id}`

/** A call of a Page that makes something. */
export interface Making {
  deps: SimulatorDeps
  page: SimulatedPage
  params: Params
  query: URLSearchParams
}

/** Puts what the world can see into the ledger. */
export function showOnPage({ deps, page }: Making, post: Pick<LedgerPost, 'id' | 'text' | 'media' | 'details'>): void {
  const permalink = addressOf(deps, post.id)
  deps.store.addPost({ ...post, accountId: page.ledgerId, permalink, createdAt: deps.now().toISOString() })
}

interface SimulatedPhoto {
  id: string
  pageId: string
  file: StoredFile
  at: string
}

/** `POST /{page}/photos`. The pretend network takes unpublished ones only. */
export async function createPhoto({ deps, page, params }: Making): Promise<SimulatedAnswer> {
  if (params.published !== 'false') invalid('published photos are not taken here')
  const { source } = params
  const alt = textIn(params, 'alt_text_custom')
  const file = await takeImage(deps, source instanceof File ? Buffer.from(await source.arrayBuffer()) : Buffer.alloc(0))
  const id = newId()
  const photo = { id, pageId: page.id, file: alt === undefined ? file : { ...file, alt }, at: deps.now().toISOString() }
  deps.store.put('photos', id, photo satisfies SimulatedPhoto)
  return ok({ id })
}

/** Keeps an image, or refuses it by its bytes. */
async function takeImage(deps: SimulatorDeps, bytes: Buffer): Promise<StoredFile> {
  if (bytes.length === 0) refuse(324, null, '(#324) Requires upload file')
  const format = (await measureImage(bytes))?.format
  if (format === undefined || !IMAGE_FORMATS.includes(format)) {
    refuse(324, null, '(#324) Missing or invalid image file', { user: 'Upload a JPEG or a PNG.' })
  }
  if (bytes.length > IMAGE_BYTES) tooLargeImage()
  return { blobId: await deps.store.putBlob(bytes), mimeType: `image/${format}` }
}

/** Fetches a picture as the network does. */
async function fetchImage(deps: SimulatorDeps, url: unknown): Promise<StoredFile> {
  const file = await fetched(deps, url, IMAGE_BYTES)
  if (file === 'too large') return tooLargeImage()
  const bytes = file && (await deps.store.getBlob(file.blobId))
  return bytes ? takeImage(deps, bytes) : refuse(389, null, '(#389) Unable to fetch file from URL.')
}

const tooLargeImage = () => refuse(100, 1366046, 'Your photos could not be uploaded. They are too large.')

/** A photo that may still be published: unpublished ones vanish after a day. */
function photoOf({ deps, page }: Making, id: unknown): SimulatedPhoto {
  const photo = deps.store.get<SimulatedPhoto>('photos', String(id))
  const kept = photo && photo.pageId === page.id && deps.now().getTime() - new Date(photo.at).getTime() < DAY_MS
  return kept ? photo : refuse(100, 33, `Object with ID '${id}' does not exist.`)
}

interface SimulatedPost {
  id: string
  pageId: string
  message: string
  link: string | null
  photos: string[]
  /** Links of cards. */
  cards: string[]
  at: string
  permalink: string
}

export const POST_FIELDS: readonly string[] = ['id', 'message', 'created_time', 'permalink_url', 'attachments']

/** `POST /{page}/feed`. What equals the newest post of the Page is refused. */
export async function createPost(making: Making): Promise<SimulatedAnswer> {
  const { deps, page, params, query } = making
  checkedFields(query, POST_FIELDS)
  const message = shown(textIn(params, 'message') ?? '')
  const link = textIn(params, 'link') ?? null
  if (message.length > MESSAGE_LENGTH) refuse(100, null, '(#100) Param message is too long.')
  if (params.published !== undefined && !isTrue(params.published)) invalid('unpublished posts are not taken here')
  checkLink(link)
  const photos = idsIn(params.attached_media).map((photo) => photoOf(making, photo))
  const cards = await cardsIn(deps, params)
  if (message === '' && link === null && photos.length === 0) invalid('one of message, link and attached_media')
  if (photos.length > 0 && link !== null) invalid('attached_media and link')
  const [last] = postsOf(deps, page)
  if (last?.message === message && last.link === link && photos.length === 0 && last.photos.length === 0) {
    refuse(506, null, '(#506) Duplicate status message')
  }
  const id = `${page.id}_${newId()}`
  const post: SimulatedPost = {
    id,
    pageId: page.id,
    message,
    link,
    photos: photos.map((photo) => photo.id),
    cards: cards.map((card) => card.link),
    at: deps.now().toISOString(),
    permalink: addressOf(deps, id),
  }
  deps.store.put('feed', id, post)
  const { message: _, attached_media: __, ...sent } = params
  const media = [...photos, ...cards].map(({ file }) => file)
  showOnPage(making, {
    id,
    text: message,
    media,
    details: { type: typeOf(post) ?? 'status', photos: post.photos, ...sent },
  })
  return ok(chosen(read(post), query, POST_FIELDS))
}

/** A mention is shown as the name of its Page. */
const shown = (message: string) => message.replace(/@\[(\d+)\]/g, (_, id) => `Page ${id}`).trim()

function idsIn(attached: unknown = []): unknown[] {
  if (!Array.isArray(attached)) return invalid('attached_media must be a list')
  return attached.map((entry: Params) => entry?.media_fbid ?? invalid('attached_media: media_fbid'))
}

async function cardsIn(deps: SimulatorDeps, params: Params): Promise<{ link: string; file: StoredFile }[]> {
  const { child_attachments: cards, multi_share_optimized: optimized } = params
  if (cards === undefined) return []
  const most = isTrue(optimized) ? 10 : 5
  if (!Array.isArray(cards) || cards.length < 2 || cards.length > most) {
    return invalid(`child_attachments: 2 to ${most} objects`)
  }
  if (params.link === undefined) invalid('child_attachments needs link')
  const taken: { link: string; file: StoredFile }[] = []
  for (const { link, picture, name: _, description: __, ...foreign } of cards as Params[]) {
    if (Object.keys(foreign).length > 0 || typeof link !== 'string') return invalid('child_attachments')
    checkLink(link)
    taken.push({ link, file: await fetchImage(deps, picture) })
  }
  return taken
}

function checkLink(link: string | null): void {
  if (link === null) return
  if (!URL.canParse(link)) refuse(1500, null, '(#1500) The url you supplied is invalid')
  const { hostname } = new URL(link)
  if (/\bfacebook\.com$/.test(hostname)) refuse(100, 1609008, 'You cannot attach this link.')
  // A host that does not exist, as one that was cut wrongly out of a text.
  if (/\.invalid$/.test(hostname)) refuse(100, 1609005, 'There was a problem scraping data from the provided link.')
}

/** Newest first. */
const postsOf = (deps: SimulatorDeps, page: SimulatedPage) =>
  deps.store
    .list<SimulatedPost>('feed')
    .filter(({ pageId }) => pageId === page.id)
    .reverse()

/** `GET /{page}/published_posts` */
export function listPosts({ deps, by, query }: Call<SimulatedPage>): SimulatedAnswer {
  checkedFields(query, POST_FIELDS)
  const listed = postsOf(deps, by).filter(({ at }) => deps.now().getTime() - new Date(at).getTime() >= LISTING_LAG_MS)
  return ok(pageOf(listed, query, (post) => chosen(read(post), query, POST_FIELDS)))
}

/** `GET /{post}`. Null for one that is not of this Page. */
export function readPost({ deps, by, at, query }: Call<SimulatedPage>): SimulatedAnswer | null {
  const post = deps.store.get<SimulatedPost>('feed', at.id ?? '')
  return post?.pageId === by.id ? ok(chosen(read(post), query, POST_FIELDS)) : null
}

/** `DELETE /{post}`. Null for one that is not of this Page. */
export function removePost({ deps, by, at: { id = '' } }: Call<SimulatedPage>): SimulatedAnswer | null {
  if (deps.store.get<SimulatedPost>('feed', id)?.pageId !== by.id) return null
  deletePost(deps, 'feed', id)
  return ok({ success: true })
}

function typeOf({ photos, cards, link }: SimulatedPost): string | null {
  if (photos.length > 0) return photos.length > 1 ? 'album' : 'photo'
  return cards.length > 0 ? 'multi_share_no_end_card' : link && 'share'
}

function read(post: SimulatedPost): Params {
  const type = typeOf(post)
  const targets = post.photos.map((id) => ({ target: { id } }))
  const attached = targets.length > 1 ? { subattachments: { data: targets } } : targets[0]
  return {
    id: post.id,
    // What a post does not have is left out.
    message: post.message === '' ? undefined : post.message,
    created_time: timestamp(post.at),
    permalink_url: post.permalink,
    attachments: type ? { data: [{ type, ...attached }] } : undefined,
  }
}

interface SimulatedStory {
  id: string
  pageId: string
  mediaId: string
  mediaType: 'photo' | 'video'
  at: string
  url: string
}

/** `POST /{page}/photo_stories`. A photo that stands in a post cannot become a story. */
export function createPhotoStory(making: Making): SimulatedAnswer {
  const { id, file } = photoOf(making, making.params.photo_id)
  if (postsOf(making.deps, making.page).some(({ photos }) => photos.includes(id))) {
    invalid('photo_id: the photo was used in a post')
  }
  return addStory(making, id, 'photo', file)
}

export function addStory(
  making: Making,
  mediaId: string,
  mediaType: SimulatedStory['mediaType'],
  file: StoredFile,
): SimulatedAnswer {
  const { deps, page } = making
  const id = newId()
  const story = { id, pageId: page.id, mediaId, mediaType, at: deps.now().toISOString(), url: addressOf(deps, id) }
  deps.store.put('stories', id, story satisfies SimulatedStory)
  showOnPage(making, { id, text: '', media: [file], details: { type: `${mediaType} story`, media: mediaId } })
  return ok({ success: true, post_id: id })
}

/** `GET /{page}/stories`. Newest first. */
export function listStories({ deps, by, query }: Call<SimulatedPage>): SimulatedAnswer {
  const all = deps.store.list<SimulatedStory>('stories').filter(({ pageId }) => pageId === by.id)
  return ok(
    pageOf(within(all, query).reverse(), query, ({ id, mediaId, mediaType, at, url }) => ({
      post_id: id,
      status: 'PUBLISHED',
      creation_time: String(Math.floor(new Date(at).getTime() / 1000)),
      media_type: mediaType,
      media_id: mediaId,
      url,
    })),
  )
}
