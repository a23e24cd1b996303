import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import { measureImage } from '../kit/measure-image.ts'
import { string } from '../kit/read-json.ts'
import type { LedgerPost, SimulatorDeps } from '../kit/simulation.ts'
import { type Call, deletePost } from '../kit/simulator.ts'
import {
  checkedFields,
  chosen,
  fetched,
  invalid,
  newId as newGraphId,
  ok,
  type Params,
  pageOf,
  refuse,
  timestamp,
  unknownObject,
  within,
} from '../meta/simulator.ts'
import type { StoredFile } from '../meta/simulator-containers.ts'

const DAY_MS = 24 * 3_600_000
/** A new post appears in listings so much later. The vendor names no time. */
const LISTING_LAG_MS = 20_000
const MESSAGE_LENGTH = 63_206
/** As the page on photos has it. */
const IMAGE_BYTES = 10 * 1024 * 1024
const IMAGE_FORMATS = ['jpeg', 'png', 'gif', 'tiff']

export const newId = () => newGraphId('12')
export const addressOf = ({ url }: SimulatorDeps, id: string) => `${url}/p/${id}`
const ageOf = ({ now }: SimulatorDeps, at: string) => now().getTime() - new Date(at).getTime()

/** A simulated Page. It belongs to one connection, or to the person of the simulated sign-in, and is known by its token. */
export interface SimulatedPage {
  id: string
  /** Under which its posts stand in the ledger. */
  ledgerId: string
  name: string
}

/** A call of a Page that makes something. */
export interface Making extends Call<SimulatedPage> {
  params: Params
}

/** What the world can see stands in the ledger alone. `details`: its kind, and what it holds. */
interface PagePost extends LedgerPost {
  details: { type: string; photos?: string[]; link?: string; media?: string; deletedAt?: string }
}

export function publish({ deps, by }: Making, post: Pick<PagePost, 'id' | 'text' | 'media' | 'details'>): PagePost {
  const place = { permalink: addressOf(deps, post.id), createdAt: deps.now().toISOString() }
  const made = { ...post, ...place, accountId: by.ledgerId }
  deps.store.addPost(made)
  return made
}

/** Newest first. `isOf`: of which kind. */
function publishedBy({ deps, by }: Call<SimulatedPage>, isOf: (post: PagePost) => boolean): PagePost[] {
  const all = deps.store.posts() as readonly PagePost[]
  return all.filter((post) => post.accountId === by.ledgerId && !post.details.deletedAt && isOf(post)).reverse()
}

/** Ids of posts begin with that of their Page; those of videos and stories do not. */
const postsOf = (call: Call<SimulatedPage>) => publishedBy(call, ({ id }) => id.startsWith(`${call.by.id}_`))

type SimulatedPhoto = Record<'id' | 'pageId' | 'at', string> & { file: StoredFile }

/** `POST /{page}/photos`. The simulator takes unpublished ones only. */
export async function createPhoto({ deps, by, params }: Making): Promise<SimulatedAnswer> {
  const { source, published, alt_text_custom: alt } = params
  if (published !== 'false') invalid('published photos are not taken here')
  const file = await takeImage(deps, source instanceof File ? Buffer.from(await source.arrayBuffer()) : undefined)
  const described = alt === undefined ? file : { ...file, alt: String(alt) }
  const photo: SimulatedPhoto = { id: newId(), pageId: by.id, file: described, at: deps.now().toISOString() }
  deps.store.put('photos', photo.id, photo)
  return ok({ id: photo.id })
}

/** Keeps an image, or refuses it by its bytes. */
async function takeImage(deps: SimulatorDeps, bytes: Buffer | undefined): Promise<StoredFile> {
  const format = (await measureImage(bytes))?.format ?? ''
  if (!bytes || !IMAGE_FORMATS.includes(format)) return refuse(324, null, '(#324) Missing or invalid image file')
  if (bytes.length > IMAGE_BYTES) refuse(100, 1366046, 'Your photos could not be uploaded. They are too large.')
  return { blobId: await deps.store.putBlob(bytes), mimeType: `image/${format}` }
}

/** Fetches a picture as the network does. */
async function fetchImage(deps: SimulatorDeps, url: unknown): Promise<StoredFile> {
  const file = await fetched(deps, url, IMAGE_BYTES)
  if (!file || file === 'too large') return refuse(389, null, '(#389) Unable to fetch file from URL.')
  return takeImage(deps, await deps.store.getBlob(file.blobId))
}

/** A photo that may still be published: unpublished ones vanish after a day. */
function photoOf({ deps, by }: Making, id: unknown): SimulatedPhoto {
  const photo = deps.store.get<SimulatedPhoto>('photos', String(id))
  if (photo?.pageId === by.id && ageOf(deps, photo.at) < DAY_MS) return photo
  throw new SimulatedRefusal(unknownObject(String(id)))
}

export const POST_FIELDS: readonly string[] = ['id', 'message', 'created_time', 'permalink_url', 'attachments']

/** `POST /{page}/feed`. What equals the newest post of the Page is refused. */
export async function createPost(making: Making): Promise<SimulatedAnswer> {
  const { deps, by, params, query } = making
  checkedFields(query, POST_FIELDS)
  const { message, attached_media: attached = [], ...sent } = params
  // A mention is shown as the name of its Page.
  const text = (string(message) ?? '').replace(/@\[(\d+)\]/g, (_, id) => `Page ${id}`).trim()
  const link = string(params.link)
  if (text.length > MESSAGE_LENGTH) refuse(100, null, '(#100) Param message is too long.')
  if (link !== undefined) checkLink(link)
  if (!Array.isArray(attached)) return invalid('attached_media must be a list')
  const photos = attached.map((entry: Params) => photoOf(making, entry?.media_fbid))
  const cards = await cardsIn(deps, params)
  if (text === '' && link === undefined && photos.length === 0) invalid('one of message, link and attached_media')
  const [last] = postsOf(making)
  if (last?.text === text && last.details.link === link && photos.length + (last.details.photos?.length ?? 0) === 0) {
    refuse(506, null, '(#506) Duplicate status message')
  }
  const ofPhotos = photos.length > 1 ? 'album' : photos[0] && 'photo'
  const type = ofPhotos ?? (cards.length > 0 ? 'multi_share_no_end_card' : link === undefined ? 'status' : 'share')
  const post = publish(making, {
    id: `${by.id}_${newId()}`,
    text,
    media: [...photos.map(({ file }) => file), ...cards],
    details: { type, photos: photos.map(({ id }) => id), ...sent },
  })
  return ok(shown(post, query))
}

async function cardsIn(deps: SimulatorDeps, params: Params): Promise<StoredFile[]> {
  const { link, child_attachments: cards = null, multi_share_optimized: optimized } = params
  if (cards === null) return []
  const most = optimized === true ? 10 : 5
  if (!Array.isArray(cards) || cards.length < 2 || cards.length > most || link === undefined) {
    return invalid(`child_attachments: 2 to ${most} objects, with a link`)
  }
  const pictures: StoredFile[] = []
  for (const card of cards as Params[]) {
    checkLink(String(card.link))
    pictures.push(await fetchImage(deps, card.picture))
  }
  return pictures
}

function checkLink(link: string): void {
  const url = URL.parse(link) ?? refuse(1500, null, '(#1500) The url you supplied is invalid')
  if (/\bfacebook\.com$/.test(url.hostname)) refuse(100, 1609008, 'You cannot attach this link.')
  // A host that does not exist, as one that was cut wrongly out of a text.
  if (/\.invalid$/.test(url.hostname)) refuse(100, 1609005, 'There was a problem scraping data from the provided link.')
}

/** `GET /{page}/published_posts` */
export function listPosts(call: Call<SimulatedPage>): SimulatedAnswer {
  checkedFields(call.query, POST_FIELDS)
  const listed = postsOf(call).filter(({ createdAt }) => ageOf(call.deps, createdAt) >= LISTING_LAG_MS)
  return ok(pageOf(listed, call.query, (post) => shown(post, call.query)))
}

const findPost = (call: Call<SimulatedPage>) => postsOf(call).find(({ id }) => id === call.at.id)

/** `GET /{post}`. Null for one that is not of this Page. */
export function readPost(call: Call<SimulatedPage>): SimulatedAnswer | null {
  const post = findPost(call)
  return post ? ok(shown(post, call.query)) : null
}

/** `DELETE /{post}` */
export function removePost(call: Call<SimulatedPage>): SimulatedAnswer {
  const { id = '' } = call.at
  if (!findPost(call)) return unknownObject(id)
  deletePost(call.deps, 'feed', id)
  return ok({ success: true })
}

function shown({ id, text, createdAt, permalink, details }: PagePost, query: URLSearchParams): Params {
  const { type, photos = [] } = details
  const targets = photos.map((photo) => ({ target: { id: photo } }))
  const attached = targets.length > 1 ? { subattachments: { data: targets } } : targets[0]
  const post = {
    id,
    // What a post does not have is left out.
    message: text === '' ? undefined : text,
    created_time: timestamp(createdAt),
    permalink_url: permalink,
    attachments: type === 'status' ? undefined : { data: [{ type, ...attached }] },
  }
  return chosen(post, query, POST_FIELDS)
}

/** `POST /{page}/photo_stories` */
export function createPhotoStory(making: Making): SimulatedAnswer {
  const { id, file } = photoOf(making, making.params.photo_id)
  return addStory(making, 'photo story', id, file)
}

export function addStory(making: Making, type: 'photo story' | 'video story', media: string, file: StoredFile) {
  const { id } = publish(making, { id: newId(), text: '', media: [file], details: { type, media } })
  return ok({ success: true, post_id: id })
}

/** `GET /{page}/stories`. Newest first. */
export function listStories(call: Call<SimulatedPage>): SimulatedAnswer {
  const all = publishedBy(call, ({ details }) => details.type.endsWith(' story'))
  const stories = all.map((story) => ({ ...story, at: story.createdAt }))
  const show = ({ id, permalink, details }: PagePost) => ({ post_id: id, media_id: details.media, url: permalink })
  return ok(pageOf(within(stories, call.query), call.query, show))
}
