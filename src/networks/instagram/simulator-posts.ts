import { faultIn, type SimulatedAnswer } from '../kit/faults.ts'
import { type Call, visibly } from '../kit/simulator.ts'
import {
  businessUsage,
  chosen,
  faultAnswers,
  graphFault,
  invalid,
  newId,
  ok,
  type Params,
  pageOf,
  refuse,
  timestamp,
  unknownPath,
} from '../meta/simulator.ts'
import {
  addContainer,
  addPost,
  findContainer,
  keepPost,
  listPosts,
  QUOTA_REACHED,
  quotaOf,
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
import { showProfile, tokenExpired } from './simulator-own-sign-in.ts'
import { checkParams, type Kind, kindOf } from './simulator-params.ts'

/** Whose token it is: of the account, or of a person who may read several. `own`: at the host of the own sign-in. */
export interface Who {
  own: boolean
  accounts: readonly SimulatedAccount[]
}

/** A call of the API, and what the id in its path stands for. */
export interface Asked extends Call<Who> {
  account: SimulatedAccount
  /** Null for the account itself. */
  container: Container | null
  media: Media | null
  /** Of query and body, without the token and its proof. */
  params: Params
}

/** A container; `failure` is the subcode of the error that the work on it ends with. */
export type Container = SimulatedContainer<Kind, number>

/** A post as it is kept. */
export interface Media extends SimulatedPost {
  mediaType: 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM'
  productType: 'FEED' | 'REELS' | 'STORY'
  comments: { id: string; text: string; at: string; username: string }[]
}

/** `POST /{ig-user}/media` */
export async function createContainer({ deps, account, params, by }: Asked): Promise<SimulatedAnswer> {
  if (by.own && params.audio_configuration !== undefined) invalid('param audio_configuration is not allowed')
  const kind = kindOf(params)
  checkParams(kind, params)
  const caption = String(params.caption ?? '')
  const fault = faultIn(caption)
  if (fault === 'caption-too-long' || caption.length > 2200) refuse(36004, 2207010, 'The caption was too long.')
  const { files, failure } = await takeFiles({ deps, account, params }, kind)
  return addContainer(deps, '179', {
    owner: account.id,
    kind,
    params,
    files,
    // Times that a status is asked for until the network has worked on it.
    pollsLeft: params.video_url === undefined ? 1 : 2,
    failure: fault === 'media-rejected' ? 2207026 : failure,
  })
}

type Files = { files: readonly StoredFile[]; failure: number | null }
type Making = Pick<Asked, 'deps' | 'account' | 'params'>

async function takeFiles({ deps, account, params }: Making, kind: Kind): Promise<Files> {
  const story = kind === 'STORIES'
  if (kind === 'CAROUSEL') {
    const items = (params.children as string[]).map((id) => {
      const child = findContainer(deps, account.id, id)
      if (!child?.kind.startsWith('ITEM')) return refuse(100, null, `children holds ${id}, which is no carousel item.`)
      return statusOf(deps, child) === 'FINISHED' ? child : notReady()
    })
    return { files: items.flatMap(({ files }) => files), failure: null }
  }
  if (params.video_url === undefined) {
    const image = await takeImage(deps, params.image_url, { feed: !story })
    return { files: [{ ...image, ...(params.alt_text ? { alt: String(params.alt_text) } : {}) }], failure: null }
  }
  const { seconds, ...taken } = await takeVideo(deps, params.video_url, { story })
  if (taken.failure === null && Number(params.thumb_offset ?? 0) >= seconds * 1000) {
    refuse(1, 2207057, `Thumbnail offset must be less than video duration, i.e. ${seconds}`)
  }
  return taken
}

const notReady = (): never => refuse(9007, 2207027, 'The media is not ready, please wait.')

const answersTo = ({ by }: Asked) => ({
  ...faultAnswers,
  ...(by.own ? { 'token-expired': tokenExpired } : {}),
  'rate-limited': graphFault(80002, null, 'There have been too many calls to this Instagram account. Wait a bit.', {
    headers: businessUsage('instagram', 100, 1),
  }),
  'account-restricted': graphFault(25, 2207050, 'The Instagram account is restricted.'),
  'account-suspended': graphFault(25, 2207050, 'The Instagram account is suspended.'),
})

/** `POST /{ig-user}/media_publish`. Nothing keeps a container from being published twice. */
export function publishContainer(asked: Asked, quotaTotal: number): Promise<null> {
  const { deps, account, params } = asked
  const id = String(params.creation_id)
  const container = findContainer<Container>(deps, account.id, id)
  return visibly(asked, {
    key: `publish:${id}`,
    text: container?.params.caption,
    answers: answersTo(asked),
    accept() {
      if (!container) return refuse(24, 2207006, 'The requested resource does not exist.')
      if (container.kind.startsWith('ITEM')) refuse(100, null, 'A carousel item cannot be published.')
      const status = statusOf(deps, container)
      if (status === 'IN_PROGRESS' || status === 'ERROR') notReady()
      if (status === 'EXPIRED') refuse(24, 2207008, 'The media builder was not found.')
      if (quotaUsage(deps, account.ledgerId) >= quotaTotal) refuse(...QUOTA_REACHED)
      return postOf(deps, account, container)
    },
  })
}

function postOf(deps: Asked['deps'], account: SimulatedAccount, container: Container): SimulatedAnswer {
  const { kind, params } = container
  const { caption: text, alt_text: altText, ...details } = params
  const ofOne = params.video_url === undefined ? 'IMAGE' : 'VIDEO'
  const mediaType = kind === 'CAROUSEL' ? 'CAROUSEL_ALBUM' : ofOne
  const productType = kind === 'STORIES' ? 'STORY' : kind === 'REELS' ? 'REELS' : 'FEED'
  const type = `${productType} ${mediaType}`
  const kept = { productType, comments: [] }
  return addPost(deps, account.ledgerId, container, { text, altText, mediaType, type, details, kept })
}

/** `GET /{ig-user}/content_publishing_limit` */
export const showQuota = ({ deps, account }: Asked, quotaTotal: number): SimulatedAnswer =>
  ok({ data: [quotaOf(deps, account.ledgerId, quotaTotal)] })

/** Fields that a post and a comment can be asked for. */
export const MEDIA_FIELDS = 'id caption media_product_type media_type permalink timestamp'.split(' ')
export const COMMENT_FIELDS = 'id text timestamp username'.split(' ')

const shown = (media: Media, query: URLSearchParams): Params =>
  chosen(
    {
      id: media.id,
      // What a post does not have is left out.
      caption: media.text ?? undefined,
      media_product_type: media.productType,
      media_type: media.mediaType,
      permalink: media.permalink,
      timestamp: timestamp(media.at),
    },
    query,
    MEDIA_FIELDS,
  )

/** `GET /{ig-container}`, whose fields the published contracts do not hold, `GET /{ig-media}` and `GET /{ig-user}`. */
export function showObject({ deps, query, by, at, account, container, media }: Asked): SimulatedAnswer {
  if (media) return readPost(deps, media, (each) => shown(each, query))
  if (container) {
    return readContainer(deps, container, query, ['id', 'status', 'status_code'], ({ failure }, status) => ({
      status_code: status,
      status: status === 'ERROR' ? `Error: Media upload has failed with error code ${failure}` : status,
    }))
  }
  if (by.own && at.id === 'me') return showProfile(query)
  const { id, name, username } = account
  return ok(chosen({ id, name, username }, query, ['id', 'name', 'username']))
}

const DAY_MS = 24 * 3_600_000

/** `GET /{ig-user}/media` without stories, `GET /{ig-user}/stories` with the stories of a day. Newest first. */
export const listMedia = ({ deps, account, query }: Asked, stories: boolean): SimulatedAnswer =>
  listPosts<Media>(deps, account.id, query, {
    shows: ({ productType }, age) => (stories ? productType === 'STORY' && age < DAY_MS : productType !== 'STORY'),
    show: (media) => shown(media, query),
  })

/** `GET /{ig-media}/comments`. Newest first. */
export function listComments({ media, query }: Asked): SimulatedAnswer {
  if (!media) return unknownPath('comments')
  const newest = media.comments.toReversed()
  const page = pageOf(newest, query, ({ at, ...comment }) =>
    chosen({ ...comment, timestamp: timestamp(at) }, query, COMMENT_FIELDS),
  )
  return ok(page)
}

/** `POST /{ig-media}/comments` */
export function addComment(asked: Asked): SimulatedAnswer | Promise<null> {
  const { deps, account, media, params } = asked
  if (!media) return unknownPath('comments')
  const { message: text } = params
  return visibly(asked, {
    key: `comment:${media.id}`,
    text,
    answers: answersTo(asked),
    accept() {
      if (typeof text !== 'string' || text === '') return refuse(100, null, '(#100) message is required')
      if (media.productType === 'STORY') refuse(100, null, 'Stories take no comments.')
      const comment = { id: newId('180'), text, at: deps.now().toISOString(), username: account.username }
      const kept: Media = { ...media, comments: [...media.comments, comment] }
      keepPost(deps, kept)
      deps.store.amendPost(media.id, { comments: kept.comments.map((each) => ({ id: each.id, text: each.text })) })
      return ok({ id: comment.id })
    },
  })
}
