import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { type Answering, type Call, showPost, simulatedApi } from '../kit/simulator.ts'
import { manifest } from './manifest.ts'
import {
  type Access,
  answerIntrospection,
  answerSignIn,
  answerToken,
  authorized,
  identityFor,
  listRoles,
  openTokens,
  readLogo,
  readPage,
  readPerson,
} from './simulator-accounts.ts'
import { refusal, refuse } from './simulator-answers.ts'
import { listPosts, makePost, readPost, removePost } from './simulator-posts.ts'
import { readAsset, takeAction, takeBytes } from './simulator-uploads.ts'

const DAY = 24 * 3_600_000

/**
 * The simulated LinkedIn: sign-in, uploads, posts, pages. Where the documents are silent it does the worst that they
 * allow: a repeated post is known again for ten minutes only, and never when it has no words; a fresh post is not
 * listed at once; media that are worked on cannot be posted.
 */
export function simulate(deps: SimulatorDeps): Simulator {
  const tokens = openTokens(deps)
  return simulatedApi<Access, null>(deps, {
    identityFor: (connection) => identityFor(deps, tokens, connection),
    authorize: (request) => authorized(tokens, request),
    notFound: refusal(404, 'No virtual resource found'),
    tooLarge: refusal(413, 'The request is too large'),
    open: {
      'GET /web/oauth/v2/authorization': answerSignIn,
      'POST /web/oauth/v2/accessToken': answerToken(deps, tokens),
      'POST /web/oauth/v2/introspectToken': answerIntrospection(tokens),
      'GET /web/feed/update/:id/': (call) => showPost(call, call.at.id),
      'PUT /web/dms-uploads/:urn/:part': takeBytes,
    },
    routes: {
      'GET /api/v2/userinfo': [null, readPerson],
      'GET /api/v2/organizations/:id': [null, readLogo],
      'POST /api/rest/images': rest((call) => takeAction(call, 'images')),
      'POST /api/rest/videos': rest((call) => takeAction(call, 'videos')),
      'GET /api/rest/images/:id': rest((call) => readAsset(call, 'images')),
      'GET /api/rest/videos/:id': rest((call) => readAsset(call, 'videos')),
      'POST /api/rest/posts': rest(makePost),
      'GET /api/rest/posts': rest(listPosts),
      'GET /api/rest/posts/:id': rest(readPost),
      'DELETE /api/rest/posts/:id': rest(removePost),
      'GET /api/rest/organizationAcls': rest(listRoles),
      'GET /api/rest/organizations/:id': rest(readPage),
    },
  })
}

/** A call of the versioned API. */
const rest = (answer: Answering<Access>): [null, Answering<Access>] => [
  null,
  (call) => {
    checkHeaders(call)
    return answer(call)
  },
]

/** Versions end; one whose end nobody knows is given a year and half a month. */
function checkHeaders({ deps, request }: Call<Access>): void {
  const version = String(request.headers['linkedin-version'] ?? '')
  if (version === '') refuse(400, 'A version must be present. Please specify a version', { code: 'VERSION_MISSING' })
  const isMonth = /^\d{6}$/.test(version)
  const begin = isMonth ? Date.UTC(Number(version.slice(0, 4)), Number(version.slice(4)) - 1) : Number.NaN
  const known = manifest.settings.API_VERSION?.ends?.[version]
  const end = known === undefined ? begin + (366 + 14) * DAY : new Date(known).getTime()
  const now = deps.now().getTime()
  if (!(begin <= now && now < end)) {
    refuse(426, `Requested version ${version} is not active`, { code: 'NONEXISTENT_VERSION' })
  }
  if (request.headers['x-restli-protocol-version'] !== '2.0.0') {
    refuse(400, 'The header X-Restli-Protocol-Version must be 2.0.0')
  }
}
