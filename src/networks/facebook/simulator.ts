import { createHash } from 'node:crypto'
import { answerVisibleCall, type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { answerRequest, refusable } from '../kit/simulator.ts'
import {
  chosen,
  ok,
  type Params,
  proofRefusal,
  readParams,
  refuse,
  tokenIn,
  tooLarge,
  unknownObject,
  unknownPath,
  withoutToken,
} from '../meta/simulator.ts'
import { type PretendLogin, type PretendPage, refusedRead, withoutPermission } from '../meta/simulator-login.ts'
import { identityFor, pageOfToken, type SimulatedPage, simulatedLogin } from './simulator-accounts.ts'
import { faultAnswers } from './simulator-answers.ts'
import {
  createPhoto,
  createPhotoStory,
  createPost,
  listPosts,
  listStories,
  readPost,
  removePost,
} from './simulator-posts.ts'
import { readVideo, takeVideoBytes, videoCall } from './simulator-videos.ts'

/**
 * The pretend Facebook: photos, posts, videos and stories of Pages below `/graph/v…`, the host that takes videos below
 * `/rupload`, and the sign-in. Where the documents are silent it does the worst that they allow: new posts are listed
 * 20 seconds late, a photo or a video that is published twice makes two posts, and an upload that breaks keeps a part.
 */
export function simulate(deps: SimulatorDeps, world: { requireProof?: boolean } = {}): Simulator {
  const login = simulatedLogin(deps, world)
  return {
    identityFor: (connection) => identityFor(deps, connection),
    async handle(request, response, path) {
      if (await login.handle(request, response, path)) return
      const url = new URL(path, 'http://graph')
      await answerRequest(response, tooLarge, async () => {
        const target = /^\/graph\/v\d+\.\d+\/([\w-]+)(?:\/(\w+))?$/.exec(url.pathname)
        const [, id = '', edge = ''] = target ?? []
        const asked: Asked = { method: request.method ?? 'GET', id, edge, query: url.searchParams, ...world }
        const video = /^\/rupload\/video-upload\/v\d+\.\d+\/(\d+)$/.exec(url.pathname)?.[1]
        if (video !== undefined) {
          const token = tokenIn(request, url.searchParams.get('access_token'))
          const page = authorized(deps, token, login, asked)
          const answer = await takeVideoBytes(deps, page, video, request)
          return response.destroyed ? null : answer
        }
        if (!target) throw new SimulatedRefusal(unknownPath(url.pathname))
        // A token outside of the body is looked at before the body is read; a stranger's body is a small one.
        const early = tokenIn(request, url.searchParams.get('access_token'))
        const known = early === null ? null : authorized(deps, early, login, asked)
        const { access_token: given, ...params } = {
          ...(request.method === 'POST' ? {} : Object.fromEntries(url.searchParams)),
          ...(await readParams(request, { large: known !== null })),
        } as Params
        const call: Call = {
          ...asked,
          params,
          page: known ?? authorized(deps, typeof given === 'string' ? given : null, login, asked),
        }
        const visible = visibleCall(deps, call)
        if (!visible) return answer(deps, call)
        await answerVisibleCall({ store: deps.store, response, ...visible })
        return null
      })
    },
  }
}

interface Call {
  method: string
  id: string
  edge: string
  query: URLSearchParams
  params: Params
  page: SimulatedPage
}

/** The calls that the world sees, with the text that may ask for a fault. */
function visibleCall(deps: SimulatorDeps, call: Call) {
  const { method, id, edge, params, page } = call
  if (method !== 'POST' || id !== page.id) return null
  const finishes = String(params.upload_phase).toLowerCase() === 'finish'
  if (edge !== 'feed' && edge !== 'photo_stories' && !finishes) return null
  const { message, description, attached_media: media, video_id: video, upload_session_id: session } = params
  const what = JSON.stringify([page.id, edge, message, media, video, session, params.photo_id])
  return {
    key: createHash('sha256').update(what).digest('hex'),
    text: String(message ?? description ?? ''),
    answers: faultAnswers,
    accept: refusable(() => answer(deps, call)),
  }
}

function answer(deps: SimulatorDeps, call: Call): SimulatedAnswer | Promise<SimulatedAnswer> {
  const { method, id, edge, query, params, page } = call
  if (method === 'DELETE' && edge === '') return removePost(deps, page, id) ?? unknownObject(id)
  if (id !== page.id) {
    const read = method === 'GET' && edge === ''
    return (read && (readVideo(deps, page, id, query) ?? readPost(deps, page, id, query))) || unknownObject(id)
  }
  switch (`${method} ${edge}`) {
    case 'GET ':
      return ok(chosen({ id, name: page.name, link: deps.url }, query, ['id', 'name', 'username', 'link']))
    case 'GET published_posts':
      return listPosts(deps, page, query)
    case 'GET stories':
      return listStories(deps, page, query)
    case 'POST feed':
      return createPost(deps, page, params, query)
    case 'POST photos':
      return createPhoto(deps, page, params)
    case 'POST photo_stories':
      return createPhotoStory(deps, page, params)
    case 'POST video_reels':
    case 'POST video_stories':
    case 'POST videos':
      return videoCall(deps, page, edge, params)
    default:
      return unknownPath(`/${edge}`)
  }
}

/**
 * What a token must have been granted for a listing, and for everything that is made. Whether less will do for
 * `published_posts` the vendor's pages leave open.
 */
const READS: Readonly<Record<string, string>> = {
  published_posts: 'pages_read_user_content',
  stories: 'pages_read_engagement',
}
const MAKES = 'pages_manage_posts'

interface Asked {
  method: string
  id: string
  edge: string
  query: URLSearchParams
  requireProof?: boolean
}

/**
 * The Page of a token. With a token of the person a GET may ask for any of their Pages and its posts.
 *
 * @throws SimulatedRefusal
 */
function authorized(
  deps: SimulatorDeps,
  token: string | null,
  login: PretendLogin,
  { method, id, edge, query, requireProof }: Asked,
): SimulatedPage {
  if (token === null) return withoutToken()
  const refusal = proofRefusal(deps, token, query, requireProof)
  if (refusal) throw new SimulatedRefusal(refusal)
  const read = method === 'GET' ? { id, edge } : null
  const need = read ? READS[edge] : MAKES
  if (need !== undefined && login.lacks(token, need)) throw new SimulatedRefusal(withoutPermission(need))
  const own = pageOfToken(deps, token)
  if (own) return own
  const readable = login.pagesOf(token)
  if (readable) return pageOfPerson(deps, readable, read)
  const page = login.pageOf(token)
  if (page === 'expired') refuse(190, 463, 'Error validating access token: Session has expired.')
  // The network's own error text repeats a token that it cannot parse.
  if (page === null) refuse(190, null, `Malformed access token ${token}`)
  if (read && page.reads === 'person') throw new SimulatedRefusal(refusedRead(read.edge))
  return simulatedPage(page)
}

/** @throws SimulatedRefusal */
function pageOfPerson(
  deps: SimulatorDeps,
  readable: readonly PretendPage[],
  read: { id: string } | null,
): SimulatedPage {
  if (!read) refuse(200, null, '(#200) A Page access token is required to publish.')
  const owned = (collection: string) => deps.store.get<{ pageId: string }>(collection, read.id)?.pageId
  const pageId = owned('videos') ?? owned('feed') ?? read.id
  const page = readable.find(({ id }) => id === pageId)
  if (!page) throw new SimulatedRefusal(unknownObject(read.id))
  return simulatedPage(page)
}

const simulatedPage = ({ id, name }: PretendPage): SimulatedPage => ({ id, ledgerId: id, name })
