import type { SimulatedAnswer } from '../kit/faults.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { deletePost } from '../kit/simulator.ts'
import {
  checkedFields,
  chosen,
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
import { fetchImage, takeImage } from './simulator-files.ts'
import { checkParams, isTrue, textIn } from './simulator-params.ts'

const DAY_MS = 24 * 3_600_000
/** A new post appears in listings so much later. The vendor names no time. */
const LISTING_LAG_MS = 20_000
const MESSAGE_LENGTH = 63_206

export const newId = () => newIdOf('12')

interface SimulatedPhoto {
  id: string
  pageId: string
  file: StoredFile
  at: string
}

/** `POST /{page}/photos`. The pretend network takes unpublished ones only. */
export async function createPhoto(deps: SimulatorDeps, page: SimulatedPage, params: Params): Promise<SimulatedAnswer> {
  checkParams('photos', params)
  if (params.published === undefined || isTrue(params.published)) invalid('published photos are not taken here')
  const { source, url } = params
  const alt = textIn(params, 'alt_text_custom')
  if ((source === undefined) === (url === undefined)) refuse(324, null, '(#324) Requires upload file')
  const file =
    source instanceof File
      ? await takeImage(deps, Buffer.from(await source.arrayBuffer()))
      : await fetchImage(deps, url)
  const photo: SimulatedPhoto = {
    id: newId(),
    pageId: page.id,
    file: { ...file, ...(alt === undefined ? {} : { alt }) },
    at: deps.now().toISOString(),
  }
  deps.store.put('photos', photo.id, photo)
  return ok({ id: photo.id })
}

/** A photo that may still be published: unpublished ones vanish after a day. */
function photoOf(deps: SimulatorDeps, page: SimulatedPage, id: unknown): SimulatedPhoto {
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
export async function createPost(
  deps: SimulatorDeps,
  page: SimulatedPage,
  params: Params,
  query: URLSearchParams,
): Promise<SimulatedAnswer> {
  checkParams('feed', params)
  checkedFields(query, POST_FIELDS)
  const message = shown(textIn(params, 'message') ?? '')
  const link = textIn(params, 'link') ?? null
  if (message.length > MESSAGE_LENGTH) refuse(100, null, '(#100) Param message is too long.')
  if (params.published !== undefined && !isTrue(params.published)) invalid('unpublished posts are not taken here')
  checkLink(link)
  const photos = idsIn(params.attached_media).map((id) => photoOf(deps, page, id))
  const cards = await cardsIn(deps, params)
  if (message === '' && link === null && photos.length === 0) invalid('one of message, link and attached_media')
  if (photos.length > 0 && link !== null) invalid('attached_media and link')
  refuseDuplicate(deps, page, { message, link, photos: photos.length })
  const id = `${page.id}_${newId()}`
  const post: SimulatedPost = {
    id,
    pageId: page.id,
    message,
    link,
    photos: photos.map((photo) => photo.id),
    cards: cards.map((card) => card.link),
    at: deps.now().toISOString(),
    permalink: `${deps.url}/p/${id}`,
  }
  deps.store.put('feed', id, post)
  const { message: _, attached_media: __, ...details } = params
  deps.store.addPost({
    id,
    accountId: page.ledgerId,
    text: message,
    permalink: post.permalink,
    createdAt: post.at,
    media: [...photos, ...cards].map(({ file }) => file),
    details: { type: typeOf(post) ?? 'status', photos: post.photos, ...details },
  })
  return ok(chosen(read(post), query, POST_FIELDS))
}

/** A mention is shown as the name of its Page. */
const shown = (message: string) => message.replace(/@\[(\d+)\]/g, (_, id) => `Page ${id}`).trim()

function idsIn(attached: unknown): unknown[] {
  if (attached === undefined) return []
  if (!Array.isArray(attached)) return invalid('attached_media must be a list')
  return attached.map((entry: Params) => entry?.media_fbid ?? invalid('attached_media: media_fbid'))
}

async function cardsIn(deps: SimulatorDeps, params: Params): Promise<{ link: string; file: StoredFile }[]> {
  const { child_attachments: cards, multi_share_optimized: optimized } = params
  if (cards === undefined) return []
  const most = isTrue(optimized) ? 10 : 5
  if (!Array.isArray(cards) || cards.length < 2 || cards.length > most)
    invalid(`child_attachments: 2 to ${most} objects`)
  if (params.link === undefined) invalid('child_attachments needs link')
  const taken: { link: string; file: StoredFile }[] = []
  for (const card of cards as Params[]) {
    const foreign = Object.keys(card).find((name) => !['link', 'picture', 'name', 'description'].includes(name))
    if (foreign !== undefined || typeof card.link !== 'string') invalid(`child_attachments: ${foreign ?? 'link'}`)
    checkLink(card.link as string)
    taken.push({ link: card.link as string, file: await fetchImage(deps, card.picture) })
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

function refuseDuplicate(
  deps: SimulatorDeps,
  page: SimulatedPage,
  { message, link, photos }: { message: string; link: string | null; photos: number },
): void {
  const last = postsOf(deps, page)[0]
  if (last?.message !== message || last.link !== link || photos > 0 || last.photos.length > 0) return
  refuse(506, null, '(#506) Duplicate status message')
}

/** Newest first. */
const postsOf = (deps: SimulatorDeps, page: SimulatedPage) =>
  deps.store
    .list<SimulatedPost>('feed')
    .filter(({ pageId }) => pageId === page.id)
    .reverse()

/** `GET /{page}/published_posts` */
export function listPosts(deps: SimulatorDeps, page: SimulatedPage, query: URLSearchParams): SimulatedAnswer {
  checkedFields(query, POST_FIELDS)
  const listed = postsOf(deps, page).filter(({ at }) => deps.now().getTime() - new Date(at).getTime() >= LISTING_LAG_MS)
  return ok(pageOf(listed, query, (post) => chosen(read(post), query, POST_FIELDS)))
}

/** `GET /{post}` */
export function readPost(deps: SimulatorDeps, page: SimulatedPage, id: string, query: URLSearchParams) {
  const post = deps.store.get<SimulatedPost>('feed', id)
  return post?.pageId === page.id ? ok(chosen(read(post), query, POST_FIELDS)) : null
}

/** `DELETE /{post}`. Null for one that is not of this Page. */
export function removePost(deps: SimulatorDeps, page: SimulatedPage, id: string): SimulatedAnswer | null {
  if (deps.store.get<SimulatedPost>('feed', id)?.pageId !== page.id) return null
  deletePost(deps, 'feed', id)
  return ok({ success: true })
}

const typeOf = ({ photos, cards, link }: SimulatedPost) =>
  photos.length > 1
    ? 'album'
    : photos.length === 1
      ? 'photo'
      : cards.length > 0
        ? 'multi_share_no_end_card'
        : link && 'share'

function read(post: SimulatedPost): Params {
  const type = typeOf(post)
  const targets = post.photos.map((id) => ({ target: { id } }))
  const attachment = {
    type,
    media_type: type,
    ...(targets.length === 1 ? targets[0] : {}),
    ...(targets.length > 1 ? { subattachments: { data: targets } } : {}),
  }
  return {
    id: post.id,
    // What a post does not have is left out.
    message: post.message === '' ? undefined : post.message,
    created_time: timestamp(post.at),
    permalink_url: post.permalink,
    attachments: type ? { data: [attachment] } : undefined,
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
export function createPhotoStory(deps: SimulatorDeps, page: SimulatedPage, params: Params): SimulatedAnswer {
  checkParams('photo_stories', params)
  const photo = photoOf(deps, page, params.photo_id)
  if (postsOf(deps, page).some(({ photos }) => photos.includes(photo.id))) {
    invalid('photo_id: the photo was used in a post')
  }
  return addStory(deps, page, { mediaId: photo.id, mediaType: 'photo', file: photo.file })
}

export function addStory(
  deps: SimulatorDeps,
  page: SimulatedPage,
  { mediaId, mediaType, file }: Pick<SimulatedStory, 'mediaId' | 'mediaType'> & { file: StoredFile },
): SimulatedAnswer {
  const id = newId()
  const url = `${deps.url}/p/${id}`
  const story: SimulatedStory = { id, pageId: page.id, mediaId, mediaType, at: deps.now().toISOString(), url }
  deps.store.put('stories', id, story)
  deps.store.addPost({
    id,
    accountId: page.ledgerId,
    text: '',
    permalink: url,
    createdAt: story.at,
    media: [file],
    details: { type: `${mediaType} story`, media: mediaId },
  })
  return ok({ success: true, post_id: id })
}

/** `GET /{page}/stories`. Newest first. */
export function listStories(deps: SimulatorDeps, page: SimulatedPage, query: URLSearchParams): SimulatedAnswer {
  const all = deps.store.list<SimulatedStory>('stories').filter(({ pageId }) => pageId === page.id)
  return ok(
    pageOf(within(all, query).reverse(), query, ({ id, mediaId, mediaType, at, url }) => ({
      post_id: id,
      status: deps.now().getTime() - new Date(at).getTime() > DAY_MS ? 'ARCHIVED' : 'PUBLISHED',
      creation_time: String(Math.floor(new Date(at).getTime() / 1000)),
      media_type: mediaType,
      media_id: mediaId,
      url,
    })),
  )
}
