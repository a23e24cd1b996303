import type { IncomingMessage } from 'node:http'
import { DAY_MS } from '#contract/durations'
import { faultIn, type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { type Answering, type Call, simulatedApi, visibly } from '../kit/simulator.ts'
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
  readParams,
  refuse,
  timestamp,
  tooLarge,
  unknownObject,
  unknownPath,
} from '../meta/simulator.ts'
import {
  addContainer,
  addPost,
  containersMade,
  findContainer,
  findPost,
  keepPost,
  listPosts,
  QUOTA_REACHED,
  quotaOf,
  quotaUsage,
  readContainer,
  readPost,
  type SimulatedContainer,
  type SimulatedPost,
  statusOf,
} from '../meta/simulator-containers.ts'
import { simulatedLogin } from '../meta/simulator-login.ts'
import { manifest } from './manifest.ts'
import { accountOfPage, accountOfToken, identityFor, PAGES, type SimulatedAccount } from './simulator-accounts.ts'
import { checkParams, type Kind, kindOf, takeImage, takeVideo } from './simulator-media.ts'
import { ownSignIn, showProfile, tokenExpired } from './simulator-own-sign-in.ts'

/** Whose token it is: of the account, or of a person who may read several. `own`: at the host of the own sign-in. */
interface Who {
  own: boolean
  accounts: readonly SimulatedAccount[]
  quotaTotal: number
  containersTotal: number
}

/** A call of the API, and what the id in its path stands for. */
interface Asked extends Call<Who> {
  account: SimulatedAccount
  /** Null for the account itself. */
  container: Container | null
  media: Media | null
  /** Of query and body, without the token and its proof. */
  params: Params
}

/** A container; `failure` is the subcode of the error that the work on it ends with. */
type Container = SimulatedContainer<Kind, number>

/** A post as it is kept. */
interface Media extends SimulatedPost {
  mediaType: 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM'
  productType: 'FEED' | 'REELS' | 'STORY'
  comments: { id: string; text: string; at: string; username: string }[]
}

/** Far above the network's 50 or 100 posts and 400 containers, so that trying things out with many posts does not end in a wait of a day. */
const QUOTA_TOTAL = 10_000

type Scope = 'basic' | 'content_publish' | 'manage_comments'
type Need = { own: boolean; scope: Scope }

/** What an account, a container or a post has, each with what a token must have been granted. */
const EDGES: Readonly<Record<string, readonly [Scope, (asked: Asked) => ReturnType<Answering>]>> = {
  'GET ': ['basic', showObject],
  'GET media': ['basic', (asked) => listMedia(asked, false)],
  'GET stories': ['basic', (asked) => listMedia(asked, true)],
  'GET content_publishing_limit': [
    'content_publish',
    ({ deps, account, by }) => ok({ data: [quotaOf(deps, account.ledgerId, by.quotaTotal)] }),
  ],
  'POST media': ['content_publish', createContainer],
  'POST media_publish': ['content_publish', publishContainer],
  'GET comments': ['manage_comments', listComments],
  'POST comments': ['manage_comments', addComment],
}

/**
 * The simulated Instagram: containers, publishing, listings and comments of the Graph API under `/graph/v…`, and under
 * `/loginGraph/v…` for accounts that came by the network's own sign-in. It fetches
 * media for real and refuses what the network is known to refuse. Where the documents are silent it does the worst
 * that they allow: publishing a container twice makes two posts, and a fresh post is unknown to its first reader.
 */
export function simulate(
  deps: SimulatorDeps,
  options: { quotaTotal?: number; containersTotal?: number; requireProof?: boolean } = {},
): Simulator {
  const clientId = manifest.settings.CLIENT_ID?.sandbox ?? ''
  const login = simulatedLogin(deps, { ...options, title: manifest.title, clientId, pages: PAGES })
  const own = ownSignIn(deps)
  const routes = Object.entries(EDGES).flatMap(([route, [scope, answer]]) => {
    const [method = '', edge = ''] = route.split(' ')
    const path = edge === '' ? ':version/:id' : `:version/:id/${edge}`
    const answering: Answering<Who> = async (call) => answer(await askedBy(call, edge))
    return [
      [`${method} /graph/${path}`, [{ scope, own: false }, answering]],
      [`${method} /loginGraph/${path}`, [{ scope, own: true }, answering]],
    ] as const
  })
  const api = simulatedApi<Who, Need>(deps, {
    identityFor: (connection) => identityFor(deps, connection),
    open: own.open,
    routes: Object.fromEntries(routes),
    authorize: (request, need) => ({
      own: need.own,
      accounts: need.own ? own.authorize(request, need.scope) : accountsAt(request, need),
      quotaTotal: options.quotaTotal ?? QUOTA_TOTAL,
      containersTotal: options.containersTotal ?? QUOTA_TOTAL,
    }),
    notFound: unknownPath('of no edge'),
    tooLarge,
  })
  return {
    ...api,
    async handle(request, response, path) {
      if (!(await login.handle(request, response, path))) await api.handle(request, response, path)
    },
  }

  /** With a token of the person a GET reads any of their accounts. @throws SimulatedRefusal */
  function accountsAt(request: IncomingMessage, { scope }: Need): readonly SimulatedAccount[] {
    const { token, pages } = login.authorize(request, `instagram_${scope}`)
    const account = accountOfToken(deps, token)
    if (account) return [account]
    // The network's own error text repeats a token that it cannot parse.
    if (!pages) return refuse(190, null, `Malformed access token ${token}`)
    return pages.flatMap((page) => accountOfPage(page) ?? [])
  }
}

/** @throws SimulatedRefusal when the token may see nothing of this id that has this edge */
async function askedBy(call: Call<Who>, edge: string): Promise<Asked> {
  const { deps, request, query, by } = call
  const { version = '', id = '' } = call.at
  if (!/^v\d+\.\d+$/.test(version)) throw new SimulatedRefusal(unknownPath(version))
  const given: Params = { ...Object.fromEntries(query), ...(await readParams(request)) }
  const { access_token: _, appsecret_proof: __, ...params } = given
  const ofObjects = edge === '' || edge === 'comments'
  for (const account of by.accounts) {
    const asked = { ...call, account, container: null, media: null, params }
    if (id === account.id || (by.own && id === 'me')) return asked
    const container = findContainer<Container>(deps, account.id, id)
    const media = findPost<Media>(deps, account.id, id)
    if (ofObjects && (container || media)) return { ...asked, container, media }
  }
  throw new SimulatedRefusal(unknownObject(id))
}

/** `POST /{ig-user}/media` */
async function createContainer(asked: Asked): Promise<SimulatedAnswer> {
  const { deps, account, params, by } = asked
  if (by.own && params.audio_configuration !== undefined) invalid('param audio_configuration is not allowed')
  const kind = kindOf(params)
  checkParams(kind, params)
  // By which error the network says so is not documented: it is taken for that of posts.
  if (containersMade(deps, account.id) >= by.containersTotal) refuse(...QUOTA_REACHED)
  const caption = String(params.caption ?? '')
  const fault = faultIn(caption)
  if (fault === 'caption-too-long' || caption.length > 2200) refuse(36004, 2207010, 'The caption was too long.')
  const { files, failure } = await takeFiles(asked, kind)
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

/** What a container holds, and the subcode with which the work on it will fail. */
async function takeFiles({ deps, account, params }: Asked, kind: Kind): Promise<Pick<Container, 'files' | 'failure'>> {
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
function publishContainer(asked: Asked): Promise<null> {
  const { deps, account, params, by } = asked
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
      if (quotaUsage(deps, account.ledgerId) >= by.quotaTotal) refuse(...QUOTA_REACHED)
      return postOf(asked, container)
    },
  })
}

function postOf({ deps, account }: Asked, container: Container): SimulatedAnswer {
  const { kind, params } = container
  const { caption: text, alt_text: altText, ...details } = params
  const ofOne = params.video_url === undefined ? 'IMAGE' : 'VIDEO'
  const mediaType = kind === 'CAROUSEL' ? 'CAROUSEL_ALBUM' : ofOne
  const productType = kind === 'STORIES' ? 'STORY' : kind === 'REELS' ? 'REELS' : 'FEED'
  const type = `${productType} ${mediaType}`
  const kept = { productType, comments: [] }
  return addPost(deps, account.ledgerId, container, { text, altText, mediaType, type, details, kept })
}

/** Fields that a post and a comment can be asked for. */
export const MEDIA_FIELDS = 'id caption media_product_type media_type permalink timestamp'.split(' ')
export const COMMENT_FIELDS = 'id text timestamp username'.split(' ')

function shown(media: Media, query: URLSearchParams): Params {
  const { id, productType: media_product_type, mediaType: media_type, permalink } = media
  // What a post does not have is left out.
  const all = { id, caption: media.text ?? undefined, media_product_type, media_type, permalink }
  return chosen({ ...all, timestamp: timestamp(media.at) }, query, MEDIA_FIELDS)
}

/** `GET /{ig-container}`, whose fields the published contracts do not hold, `GET /{ig-media}` and `GET /{ig-user}`. */
function showObject({ deps, query, by, at, account, container, media }: Asked): SimulatedAnswer {
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

/** `GET /{ig-user}/media` without stories, `GET /{ig-user}/stories` with the stories of a day. Newest first. */
function listMedia({ deps, account, query }: Asked, stories: boolean): SimulatedAnswer {
  return listPosts<Media>(deps, account.id, query, {
    shows: ({ productType }, age) => (stories ? productType === 'STORY' && age < DAY_MS : productType !== 'STORY'),
    show: (media) => shown(media, query),
  })
}

/** `GET /{ig-media}/comments`. Newest first. */
function listComments({ media, query }: Asked): SimulatedAnswer {
  if (!media) return unknownPath('comments')
  const show = ({ at, ...comment }: Media['comments'][number]) =>
    chosen({ ...comment, timestamp: timestamp(at) }, query, COMMENT_FIELDS)
  return ok(pageOf(media.comments.toReversed(), query, show))
}

/** `POST /{ig-media}/comments` */
function addComment(asked: Asked): SimulatedAnswer | Promise<null> {
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
      deps.store.together(() => {
        keepPost(deps, kept)
        deps.store.amendPost(media.id, { comments: kept.comments.map((each) => ({ id: each.id, text: each.text })) })
      })
      return ok({ id: comment.id })
    },
  })
}
