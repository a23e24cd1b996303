import { faultIn, type SimulatedAnswer } from '../kit/faults.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { chosen, newId, ok, type Params, pageOf, refuse, timestamp } from '../meta/simulator.ts'
import {
  addContainer,
  addPost,
  findContainer,
  keepPost,
  listPosts,
  QUOTA_REACHED,
  quotaUsage,
  readContainer,
  readPost,
  type SimulatedContainer,
  type SimulatedPost,
  type StoredFile,
  statusOf,
} from '../meta/simulator-containers.ts'
import type { SimulatedAccount } from './simulator-accounts.ts'
import { takeImage, takeVideo } from './simulator-files.ts'
import { checkParams, type Kind, kindOf } from './simulator-params.ts'

const DAY_MS = 24 * 3_600_000
/** Times that a status is asked for until the network has worked on a container. */
const POLLS: Record<Kind, number> = { IMAGE: 1, REELS: 2, STORIES: 1, CAROUSEL: 1, 'ITEM IMAGE': 1, 'ITEM VIDEO': 2 }

/** A container; `failure` is the subcode of the error that the work on it ends with. */
type Container = SimulatedContainer<Kind, number>

/** Any parameter of a user's media edge makes one: `POST /{ig-user}/media`. */
export async function createContainer(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  params: Params,
): Promise<SimulatedAnswer> {
  const kind = kindOf(params)
  checkParams(kind, params)
  const caption = typeof params.caption === 'string' ? params.caption : ''
  const fault = faultIn(caption)
  if (fault === 'caption-too-long' || caption.length > 2200) {
    refuse(36004, 2207010, 'The caption was too long.', { user: 'The caption must have up to 2200 characters.' })
  }
  const { files, failure } = await takeFiles(deps, account, kind, params)
  return addContainer(deps, '179', {
    owner: account.id,
    kind,
    params,
    files,
    pollsLeft: POLLS[kind],
    failure: fault === 'media-rejected' ? 2207026 : failure,
  })
}

async function takeFiles(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  kind: Kind,
  params: Params,
): Promise<{ files: readonly StoredFile[]; failure: number | null }> {
  const alt = typeof params.alt_text === 'string' ? { alt: params.alt_text } : {}
  if (kind === 'CAROUSEL') {
    const items = (params.children as string[]).map((id) => childOf(deps, account, id))
    return { files: items.flatMap((item) => item.files), failure: null }
  }
  if (params.video_url === undefined) {
    const image = await takeImage(deps, params.image_url, { feed: kind !== 'STORIES' })
    return { files: [{ ...image, ...alt }], failure: null }
  }
  const taken = await takeVideo(deps, params.video_url, kind === 'ITEM VIDEO' ? 'VIDEO' : (kind as 'REELS' | 'STORIES'))
  const offset = Number(params.thumb_offset ?? 0)
  if (taken.failure === null && offset >= taken.seconds * 1000) {
    refuse(1, 2207057, 'Invalid thumbnail offset.', {
      user: `Thumbnail offset must be greater than or equal to 0 and less than video duration, i.e. ${taken.seconds}`,
    })
  }
  return { files: taken.files, failure: taken.failure }
}

const notReady = (): never =>
  refuse(9007, 2207027, 'Media ID is not available.', { user: 'The media is not ready, please wait.' })

function childOf(deps: SimulatorDeps, account: SimulatedAccount, id: string): SimulatedContainer {
  const child = findContainer(deps, account.id, id)
  if (!child?.kind.startsWith('ITEM')) {
    refuse(100, null, `Invalid parameter: children holds ${id}, which is no carousel item of this account.`)
  }
  return statusOf(deps, child) === 'FINISHED' ? child : notReady()
}

const STATUS_TEXTS = {
  IN_PROGRESS: 'In Progress: Media is still being processed.',
  FINISHED: 'Finished: Media has been uploaded and it is ready to be published.',
  ERROR: 'Error: Media upload has failed with error code ',
  EXPIRED: 'Expired: Media was not published within 24 hours.',
  PUBLISHED: 'Published: Media has been published.',
}
/** Fields of a container; the published contracts do not hold them. */
const CONTAINER_FIELDS: readonly string[] = ['id', 'status', 'status_code', 'copyright_check_status']

/** `GET /{ig-container}` */
export const showContainer = (deps: SimulatorDeps, container: Container, query: URLSearchParams): SimulatedAnswer =>
  readContainer(deps, container, query, CONTAINER_FIELDS, ({ failure }, status) => ({
    status_code: status,
    status: STATUS_TEXTS[status] + (status === 'ERROR' ? failure : ''),
    copyright_check_status: { status: 'completed', matches_found: false },
  }))

/** The container of `media_publish`, when it may be published. Nothing keeps one from being published twice. */
function publishable(deps: SimulatorDeps, account: SimulatedAccount, id: unknown): Container {
  const container = findContainer<Container>(deps, account.id, String(id))
  if (!container) {
    refuse(24, 2207006, 'The requested resource does not exist.', { user: 'The media could not be found.' })
  }
  if (container.kind.startsWith('ITEM')) refuse(100, null, 'A carousel item cannot be published.')
  const status = statusOf(deps, container)
  if (status === 'IN_PROGRESS' || status === 'ERROR') notReady()
  if (status === 'EXPIRED') {
    refuse(24, 2207008, 'The media builder was not found.', { user: 'The media builder has expired.' })
  }
  return container
}

/** A post as it is kept. */
export interface SimulatedMedia extends SimulatedPost {
  mediaType: 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM'
  productType: 'FEED' | 'REELS' | 'STORY'
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

/** `POST /{ig-user}/media_publish` */
export function publishContainer(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  creationId: unknown,
  quotaTotal: number,
): SimulatedAnswer {
  const container = publishable(deps, account, creationId)
  if (quotaUsage(deps, account.ledgerId) >= quotaTotal) refuse(...QUOTA_REACHED)
  const { caption: text, alt_text: altText, ...details } = container.params
  const { mediaType, productType } = typesOf(container)
  const type = `${productType} ${mediaType}`
  return addPost(deps, account.ledgerId, container, {
    text,
    altText,
    mediaType,
    type,
    details,
    kept: { productType, comments: [] },
  })
}

function typesOf({ kind, params }: Container): Pick<SimulatedMedia, 'mediaType' | 'productType'> {
  if (kind === 'CAROUSEL') return { mediaType: 'CAROUSEL_ALBUM', productType: 'FEED' }
  const mediaType = params.video_url === undefined ? 'IMAGE' : 'VIDEO'
  return { mediaType, productType: kind === 'STORIES' ? 'STORY' : kind === 'REELS' ? 'REELS' : 'FEED' }
}

/** `GET /{ig-media}` */
export const showMedia = (
  deps: SimulatorDeps,
  account: SimulatedAccount,
  media: SimulatedMedia,
  query: URLSearchParams,
): SimulatedAnswer => readPost(deps, media, (each) => shown(each, account, query))

/** `GET /{ig-user}/media` without stories, `GET /{ig-user}/stories` with the stories of a day. Newest first. */
export const listMedia = (
  deps: SimulatorDeps,
  account: SimulatedAccount,
  edge: 'media' | 'stories',
  query: URLSearchParams,
): SimulatedAnswer =>
  listPosts<SimulatedMedia>(deps, account.id, query, {
    shows: ({ productType }, age) =>
      edge === 'stories' ? productType === 'STORY' && age < DAY_MS : productType !== 'STORY',
    show: (media) => shown(media, account, query),
  })

/** `GET /{ig-media}/comments`. Newest first. */
export const listComments = (media: SimulatedMedia, query: URLSearchParams): SimulatedAnswer =>
  ok(
    pageOf(media.comments.toReversed(), query, (comment) =>
      chosen({ ...comment, at: undefined, timestamp: timestamp(comment.at) }, query, COMMENT_FIELDS),
    ),
  )

/** `POST /{ig-media}/comments` */
export function addComment(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  media: SimulatedMedia,
  message: unknown,
): SimulatedAnswer {
  if (typeof message !== 'string' || message === '') refuse(100, null, '(#100) message is required')
  if (media.productType === 'STORY') refuse(100, null, 'Stories take no comments.')
  const comment = { id: newId('180'), text: message, at: deps.now().toISOString(), username: account.username }
  const comments = [...media.comments, comment]
  keepPost(deps, { ...media, comments } as SimulatedMedia)
  deps.store.amendPost(media.id, { comments: comments.map(({ id, text }) => ({ id, text })) })
  return ok({ id: comment.id })
}

const shown = (media: SimulatedMedia, account: SimulatedAccount, query: URLSearchParams): Params =>
  chosen(
    {
      id: media.id,
      // What a post does not have is left out.
      caption: media.text ?? undefined,
      alt_text: media.altText ?? undefined,
      comments_count: media.comments.length,
      media_product_type: media.productType,
      media_type: media.mediaType,
      permalink: media.permalink,
      shortcode: media.id,
      timestamp: timestamp(media.at),
      username: account.username,
    },
    query,
    MEDIA_FIELDS,
  )
