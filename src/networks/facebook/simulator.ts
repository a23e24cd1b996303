import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { type Answering, type Call, idFor, simulatedApi, visibly } from '../kit/simulator.ts'
import {
  businessUsage,
  checkParams,
  chosen,
  graphFault,
  faultAnswers as graphFaultAnswers,
  ok,
  readParams,
  refuse,
  tooLarge,
  unknownObject,
  unknownPath,
} from '../meta/simulator.ts'
import type { SimulatedContainer } from '../meta/simulator-containers.ts'
import { type SandboxPage, simulatedLogin } from '../meta/simulator-login.ts'
import type { NetworkIdentity } from '../network.ts'
import { manifest } from './manifest.ts'
import { addComment, listComments } from './simulator-comments.ts'
import {
  createPhoto,
  createPhotoStory,
  createPost,
  listPosts,
  listStories,
  type Making,
  readPost,
  readVideo,
  removePost,
  type SimulatedPage,
  takeVideoBytes,
  videoCall,
} from './simulator-posts.ts'

/** What the fault words say in this network's tongue. Each of them means that nothing was made. */
const faultAnswers = {
  ...graphFaultAnswers,
  'rate-limited': graphFault(80001, null, 'There have been too many calls to this Page account.', {
    headers: businessUsage('pages', 100, 1),
  }),
  'media-rejected': graphFault(100, 1366046, 'Your photos could not be uploaded.'),
  'caption-too-long': graphFault(100, null, '(#100) Param message is too long.'),
  'account-restricted': graphFault(368, 4854002, 'The account has to be confirmed before it can publish.'),
  'account-suspended': graphFault(368, null, 'Your Page has been suspended.'),
}

/** What a token must have been granted for everything that is made. */
const MAKES = 'pages_manage_posts'

/**
 * The simulated Facebook: photos, posts, videos and stories of Pages below `/graph/v…`, the host that takes videos below
 * `/rupload`, and the sign-in. Where the documents are silent it does the worst that they allow: new posts are listed
 * 20 seconds late, and a photo or a video that is published twice makes two posts.
 */
export function simulate(deps: SimulatorDeps, world: { requireProof?: boolean } = {}): Simulator {
  const clientId = manifest.settings.CLIENT_ID?.sandbox ?? ''
  const login = simulatedLogin(deps, { ...world, title: manifest.title, clientId, pages: PAGES })
  const api = simulatedApi<SimulatedPage, string | null>(deps, {
    identityFor: (connection) => identityFor(deps, connection),
    authorize(request, need) {
      const { token, pages } = login.authorize(request, need)
      if (pages) return pageAt(deps, pages, request.url)
      // The network's own error text repeats a token that it cannot parse.
      return pageOfToken(deps, token) ?? refuse(190, null, `Malformed access token ${token}`)
    },
    notFound: unknownPath('/'),
    tooLarge,
    open: {},
    routes: {
      'GET /graph/:version/:id': [null, readObject],
      'DELETE /graph/:version/:id': [MAKES, removePost],
      // Whether less will do for this listing the vendor's pages leave open.
      'GET /graph/:version/:page/published_posts': ['pages_read_user_content', ofPage(listPosts)],
      'GET /graph/:version/:page/stories': ['pages_read_engagement', ofPage(listStories)],
      'GET /graph/:version/:id/comments': ['pages_read_engagement', listComments],
      'POST /graph/:version/:id/comments': ['pages_manage_engagement', (call) => addComment(call, faultAnswers)],
      'POST /graph/:version/:page/:edge': [MAKES, ofPage(make)],
      'POST /rupload/video-upload/:version/:id': [MAKES, takeVideoBytes],
    },
  })
  return {
    ...api,
    async handle(request, response, path) {
      if (!(await login.handle(request, response, path))) await api.handle(request, response, path)
    },
  }
}

type Made = SimulatedAnswer | Promise<SimulatedAnswer>

/** A Page is asked with its own token. */
const ofPage =
  (answer: Answering<SimulatedPage>): Answering<SimulatedPage> =>
  (call) =>
    call.at.page === call.by.id ? answer(call) : unknownObject(call.at.page ?? '')

function readObject(call: Call<SimulatedPage>): SimulatedAnswer {
  const { deps, at, by, query } = call
  if (at.id !== by.id) return readVideo(call) ?? readPost(call) ?? unknownObject(at.id ?? '')
  return ok(chosen({ id: by.id, name: by.name, link: deps.url }, query, ['id', 'name', 'username', 'link']))
}

/**
 * What makes something by an edge, and the parameters that it takes:
 * https://developers.facebook.com/docs/graph-api/reference/page/feed/ and its neighbours (read 2026-11-21). The real
 * network lets unknown ones pass; this one refuses them, so that a misspelt name shows.
 */
export const EDGES: Readonly<Record<string, readonly [make: (making: Making) => Made, params: string]>> = {
  feed: [
    createPost,
    'message link published attached_media child_attachments multi_share_end_card multi_share_optimized',
  ],
  photos: [createPhoto, 'source published alt_text_custom'],
  photo_stories: [createPhotoStory, 'photo_id'],
  video_reels: [videoCall('reel'), 'upload_phase video_id video_state description title'],
  video_stories: [videoCall('story'), 'upload_phase video_id'],
  videos: [
    videoCall('video'),
    'upload_phase file_size upload_session_id start_offset video_file_chunk title description published',
  ],
}

/** Makes something for a Page. What the world sees of it is made with the fault that its text asks for. */
async function make(call: Call<SimulatedPage>): Promise<SimulatedAnswer | null> {
  const { edge = '' } = call.at
  const [maker, known = ''] = (Object.hasOwn(EDGES, edge) && EDGES[edge]) || []
  if (!maker) return unknownPath(`/${edge}`)
  const params = await readParams(call.request, { large: true })
  checkParams(params, known.split(' '))
  const accept = () => maker({ ...call, params })
  if (edge !== 'feed' && edge !== 'photo_stories' && params.upload_phase !== 'finish') return accept()
  const { message, description, attached_media: media, video_id: video, upload_session_id: session } = params
  const key = [call.by.id, edge, message, media, video, session, params.photo_id]
  return visibly(call, { key, text: message ?? description, answers: faultAnswers, accept })
}

/** The Pages of the person who signs in. Those of the new experience have other names for tasks. */
const PAGES: readonly SandboxPage[] = (
  [
    ['Demo Bakery', ['CREATE_CONTENT'], { username: 'demobakery' }],
    ['Demo Kiosk', ['MANAGE', 'MODERATE'], {}],
    ['Page to look at', ['ANALYZE', 'ADVERTISE'], {}],
    ['Demo Mill', [], { through: 'owned_pages' }],
    ['Page of a client', [], { through: 'client_pages', token: false }],
    ['Demo Tea Room', ['PROFILE_PLUS_CREATE_CONTENT', 'PROFILE_PLUS_ANALYZE'], { reads: 'person' }],
    ['Demo Market', ['PROFILE_PLUS_FULL_CONTROL'], {}],
    ['Demo Cellar', ['PROFILE_PLUS_CREATE_CONTENT'], { token: 'asked' }],
  ] as const
).map(([name, tasks, more], index) => ({ id: `10000000000020${index + 1}`, name, tasks, through: 'me', ...more }))

/** The Page that a call is about, of those that its token opens. */
function pageAt({ store }: SimulatorDeps, pages: readonly SandboxPage[], url = ''): SimulatedPage {
  const id = /\/v[\d.]+\/([\w-]+)/.exec(url)?.[1] ?? ''
  // Ids of posts begin with that of their Page.
  const pageId = store.get<SimulatedContainer>('containers', id)?.owner ?? id.replace(/_.*/, '')
  const page = pages.length === 1 ? pages[0] : pages.find((each) => each.id === pageId)
  if (page) return { id: page.id, ledgerId: page.id, name: page.name }
  throw new SimulatedRefusal(unknownObject(id))
}

const PREFIX = 'EAAPAGESANDBOX'
type Connection = { id: string; name: string }
const pageOf = ({ id, name }: Connection): SimulatedPage => ({ id: idFor(id, '1009', 11), ledgerId: id, name })

/** The same connection has the same Page and the same token, in every process and after every restart. */
function identityFor({ tokens, url }: SimulatorDeps, { id, name }: Connection): NetworkIdentity {
  const credentials = { accessToken: PREFIX + tokens.write('access', { id, name }) }
  const { id: externalId } = pageOf({ id, name })
  return { externalId, name, username: null, profileUrl: url, avatarUrl: null, credentials, expiresAt: null }
}

/** The Page of the token of a connection; null when it is none of ours. */
function pageOfToken({ tokens }: SimulatorDeps, token: string): SimulatedPage | null {
  const connection = token.startsWith(PREFIX) && tokens.read('access', token.slice(PREFIX.length))
  return connection ? pageOf(connection as Connection) : null
}
