import type { IncomingMessage } from 'node:http'
import { answerConsent } from '../kit/consent.ts'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { record } from '../kit/read-json.ts'
import { readBytes, readJson } from '../kit/request-body.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { type Answering, type Call, showPost, simulatedApi, visibly } from '../kit/simulator.ts'
import { manifest } from './manifest.ts'
import {
  type Access,
  answerIntrospection,
  answerToken,
  authorized,
  identityFor,
  MEMBER_APP,
  openTokens,
  PAGE_APP,
} from './simulator-accounts.ts'
import { denied, faultAnswers, ok, refusal, refuse } from './simulator-answers.ts'
import { createPost, listPosts, readPost, removePost } from './simulator-posts.ts'
import { shownText } from './simulator-text.ts'
import { handleAction, MAX_PUT_BYTES, openAsset, readAsset, takeBytes } from './simulator-uploads.ts'

const CODE_LASTS_MS = 30 * 60_000
const DAY = 24 * 3_600_000
const noRoute = refusal(404, 'No virtual resource found')

/**
 * The pretend LinkedIn: sign-in, uploads, posts, pages. Where the documents are silent it does the worst that they
 * allow: a repeated post is known again for ten minutes only, and never when it has no words; a fresh post is not
 * listed at once; media that are worked on cannot be posted.
 */
export function simulate(deps: SimulatorDeps): Simulator {
  const tokens = openTokens(deps)
  return simulatedApi<Access, null>(deps, {
    identityFor: (connection) => identityFor(deps, tokens, connection),
    authorize: (request) => authorized(tokens, request),
    notFound: noRoute,
    tooLarge: refusal(413, 'The request is too large'),
    open: {
      'GET /web/oauth/v2/authorization': answerSignIn,
      'POST /web/oauth/v2/accessToken': answerToken(deps, tokens),
      'POST /web/oauth/v2/introspectToken': answerIntrospection(deps, tokens),
      'GET /web/feed/update/:id/': (call) => showPost(call, call.at.id),
      async 'PUT /web/dms-uploads/:urn/:part'({ request, query, at }) {
        const asset = openAsset(deps, at.urn, query.get('sign'))
        return takeBytes(deps, asset, at.part ?? '', await readBytes(request, MAX_PUT_BYTES))
      },
    },
    routes: {
      'GET /api/v2/userinfo': [null, ({ by }) => userinfo(by)],
      'POST /api/rest/images': rest(async (call) => handleAction(call, 'images', await bodyOf(call))),
      'POST /api/rest/videos': rest(async (call) => handleAction(call, 'videos', await bodyOf(call))),
      'GET /api/rest/images/:id': rest((call) => readAsset(call, 'images')),
      'GET /api/rest/videos/:id': rest((call) => readAsset(call, 'videos')),
      'POST /api/rest/posts': rest(post),
      'GET /api/rest/posts': rest((call) =>
        call.request.headers['x-restli-method'] === 'FINDER'
          ? listPosts(call)
          : refuse(400, 'The header X-RestLi-Method is missing'),
      ),
      'GET /api/rest/posts/:id': rest(readPost),
      'DELETE /api/rest/posts/:id': rest(removePost),
      'GET /api/rest/organizationAcls': rest(listRoles),
      'GET /api/rest/organizations/:id': rest(readPage),
      'GET /api/v2/organizations/:id': [null, readLogo],
    },
  })
}

/** A call of the versioned API. */
const rest = (answer: Answering<Access>): [null, Answering<Access>] => [
  null,
  (call) => {
    checkHeaders(call.deps, call.request)
    return answer(call)
  },
]

async function bodyOf({ request }: Call<Access>): Promise<unknown> {
  if (!request.headers['content-type']?.startsWith('application/json')) refuse(415, 'Unsupported media type')
  return readJson(request)
}

/** The call that the world sees. */
async function post(call: Call<Access>): Promise<null> {
  const body = await bodyOf(call)
  return visibly(call, {
    key: body,
    // Underscores of a fault's word would be escaped; its brackets are.
    text: shownText(String(record(body)?.commentary ?? '')),
    answers: faultAnswers,
    accept: () => createPost(call, body),
  })
}

/** The sign-in. An app that asks for what its products do not hold is sent back before anyone is asked. */
function answerSignIn({ deps, request, response, query }: Call): null {
  const app = query.get('client_id') === PAGE_APP.id ? PAGE_APP : MEMBER_APP
  const wrong = (query.get('scope') ?? '').split(' ').find((scope) => !app.scopes.includes(scope))
  if (query.get('client_id') === app.id && wrong !== undefined && query.get('redirect_uri') === deps.callback) {
    const url = new URL(deps.callback)
    url.searchParams.set('error', 'unauthorized_scope_error')
    url.searchParams.set('error_description', `Scope "${wrong}" is not authorized for your application`)
    url.searchParams.set('state', query.get('state') ?? '')
    response.writeHead(302, { location: url.href }).end()
    return null
  }
  return answerConsent(deps, request, response, {
    title: manifest.title,
    clientId: app.id,
    codeLastsMs: CODE_LASTS_MS,
  })
}

/** `GET /rest/organizationAcls?q=roleAssignee` */
function listRoles({ by, query }: Call<Access>): SimulatedAnswer {
  if (!by.scopes.includes('rw_organization_admin')) return denied('organizationAcls.GET')
  if (query.get('q') !== 'roleAssignee') return noRoute
  const [start, count] = [Number(query.get('start') ?? 0), Number(query.get('count') ?? 10)]
  const elements = by.pages.slice(start, start + count).map(({ urn, role, isShowcase }) => ({
    organization: isShowcase ? urn.replace(':organization:', ':organizationBrand:') : urn,
    role,
    roleAssignee: `urn:li:person:${by.person.id}`,
    state: 'APPROVED',
  }))
  return ok({ paging: { start, count, links: [] }, elements })
}

/** `GET /rest/organizations/{id}` */
function readPage({ by, at }: Call<Access>): SimulatedAnswer {
  if (!by.scopes.includes('rw_organization_admin')) return denied('organizations.GET')
  const page = by.pages.find(({ urn }) => urn === `urn:li:organization:${at.id}`)
  return page ? ok({ id: Number(at.id), localizedName: page.name, vanityName: page.vanity }) : noRoute
}

/** `GET /v2/organizations/{id}`, which is asked for logos alone. A showcase page has none. */
function readLogo({ deps, by, at, query }: Call<Access>): SimulatedAnswer {
  if (!by.scopes.includes('rw_organization_admin')) return denied('organizations.GET')
  const page = by.pages.find(({ urn }) => urn === `urn:li:organization:${at.id}`)
  if (!page) return noRoute
  if (query.get('projection') !== '(logoV2(original~:playableStreams))') {
    return refuse(400, 'Projection parameters cannot be read')
  }
  if (page.isShowcase) return ok({})
  const sizes = [200, 400].map((width) => ({
    identifiers: [{ identifier: `${deps.url}/web/logos/${page.vanity}-${width}.png`, mediaType: 'image/png' }],
  }))
  return ok({ logoV2: { original: `urn:li:digitalmediaAsset:C4D${at.id}`, 'original~': { elements: sizes } } })
}

function userinfo({ person, scopes }: Access): SimulatedAnswer {
  if (!scopes.includes('openid')) return denied('me.GET')
  const [given, ...family] = person.name.split(' ')
  return ok({ sub: person.id, name: person.name, given_name: given, family_name: family.join(' ') })
}

/** Versions end; one whose end nobody knows is given a year and half a month. */
function checkHeaders(deps: SimulatorDeps, request: IncomingMessage): void {
  const version = String(request.headers['linkedin-version'] ?? '')
  if (version === '') refuse(400, 'A version must be present. Please specify a version', { code: 'VERSION_MISSING' })
  const begin = /^\d{6}$/.test(version)
    ? Date.UTC(Number(version.slice(0, 4)), Number(version.slice(4)) - 1)
    : Number.NaN
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
