import { createHash } from 'node:crypto'
import { DAY_MS, HOUR_MS } from '#contract/durations'
import { answerConsent } from '../kit/consent.ts'
import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import { addressWith } from '../kit/oauth.ts'
import { readForm } from '../kit/request-body.ts'
import { oauthError, type TokenStore, tokenEndpoint, tokenStore } from '../kit/simulated-tokens.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { type Answering, bearerIn, type Call, showPost, simulatedApi, usernameFor } from '../kit/simulator.ts'
import type { NetworkIdentity } from '../network.ts'
import { manifest } from './manifest.ts'
import { type Access, denied, faults, ok, refusal, refuse, type SimulatedPage } from './simulator-answers.ts'
import { readAsset, takeAction, takeBytes } from './simulator-assets.ts'
import { addComment, listComments } from './simulator-comments.ts'
import { listPosts, makePost, readPost, removePost } from './simulator-posts.ts'

type Tokens = TokenStore<Access>
type Connection = Parameters<Simulator['identityFor']>[0]

const ACCESS_MS = 60 * DAY_MS

/** Only tokens of approved partners can be refreshed. `secret` is the setting that holds it. */
function appWith(prefix: '' | 'PAGE_', scopes: string) {
  const id = manifest.settings[`${prefix}CLIENT_ID`]?.sandbox ?? ''
  return { id, secret: `${prefix}CLIENT_SECRET`, scopes: scopes.split(' '), refreshes: prefix === 'PAGE_' }
}
const MEMBER_APP = appWith('', 'openid profile email w_member_social w_member_social_feed')
const PAGE_APP = appWith(
  'PAGE_',
  'r_basicprofile rw_organization_admin r_organization_social w_organization_social r_organization_social_feed w_organization_social_feed',
)
const appOf = (clientId: string | null | undefined) => [MEMBER_APP, PAGE_APP].find(({ id }) => id === clientId)

function page(id: number, name: string, vanity: string, role = 'ADMINISTRATOR'): SimulatedPage {
  return { urn: `urn:li:organization:${id}`, name, vanity, role }
}
/** The person who signs in here. The page with a mere analyst's role cannot be posted on. */
const VISITOR: Pick<Access, 'person' | 'pages'> = {
  person: { id: 'pReTeNd_01', name: 'Pat Baker' },
  pages: [
    page(7000001, 'Corner Bakery', 'corner-bakery'),
    page(7000002, 'Mill & Sons', 'mill-and-sons', 'CONTENT_ADMINISTRATOR'),
    { ...page(7000004, 'Sourdough', 'corner-bakery-sourdough'), isShowcase: true },
    page(7000003, 'Bakers of the World', 'bakers', 'ANALYST'),
  ],
}

/** The simulated LinkedIn: sign-in, uploads, posts, pages. README.md says what it does where the documents are silent. */
export function simulate(deps: SimulatorDeps): Simulator {
  // A refresh token stays as it is, and so does its end.
  const tokens = tokenStore<Access>(deps, {
    access: { prefix: 'access-', lastsMs: ACCESS_MS },
    refresh: { prefix: 'refresh-', lastsMs: 365 * DAY_MS, rotates: false },
  })
  return simulatedApi<Access, string | null>(deps, {
    identityFor: (connection) => identityFor(deps, tokens, connection),
    authorize(request, scope) {
      const access = authorized(tokens, request)
      if (request.url?.includes('/api/rest/')) checkHeaders(deps, request)
      return scope === null || access.scopes.includes(scope) ? access : denied(String(request.url?.split('?')[0]))
    },
    notFound: refusal(404, 'No virtual resource found'),
    tooLarge: refusal(413, 'The request is too large'),
    open: {
      'GET /web/oauth/v2/authorization': answerSignIn,
      'POST /web/oauth/v2/accessToken': answerToken(deps, tokens),
      'POST /web/oauth/v2/introspectToken': (call) => answerIntrospection(tokens, call),
      'GET /web/feed/update/:id/': (call) => showPost(call, call.at.id),
      'PUT /web/dms-uploads/:urn/:part': takeBytes,
    },
    // With the scope that a token must have; null: it depends on whose post or file it is.
    routes: {
      'GET /api/v2/userinfo': ['openid', ({ by: { person } }) => ok({ sub: person.id, name: person.name })],
      'GET /api/v2/organizations/:id': ['rw_organization_admin', readLogo],
      'GET /api/rest/organizationAcls': ['rw_organization_admin', listRoles],
      'GET /api/rest/organizations/:id': ['rw_organization_admin', readPage],
      'POST /api/rest/images': [null, (call) => takeAction(call, 'images')],
      'POST /api/rest/documents': [null, (call) => takeAction(call, 'documents')],
      'POST /api/rest/videos': [null, (call) => takeAction(call, 'videos')],
      // Apps that may only write for a person may not ask for images and documents.
      'GET /api/rest/images/:id': ['r_organization_social', (call) => readAsset(call, 'images')],
      'GET /api/rest/documents/:id': ['r_organization_social', (call) => readAsset(call, 'documents')],
      'GET /api/rest/videos/:id': [null, (call) => readAsset(call, 'videos')],
      'POST /api/rest/posts': [null, makePost],
      'GET /api/rest/posts': ['r_organization_social', listPosts],
      'GET /api/rest/posts/:id': ['r_organization_social', readPost],
      'DELETE /api/rest/posts/:id': [null, removePost],
      'POST /api/rest/socialActions/:id/comments': [null, (call) => addComment(call, 'rest')],
      'POST /api/v2/socialActions/:id/comments': [null, (call) => addComment(call, 'v2')],
      'GET /api/rest/socialActions/:id/comments': ['r_organization_social_feed', listComments],
    },
  })
}

function checkHeaders({ now }: SimulatorDeps, { headers }: Call['request']): void {
  const version = String(headers['linkedin-version'] ?? '')
  if (version === '') refuse(400, 'A version must be present. Please specify a version', 'VERSION_MISSING')
  const isActive = now() < new Date(manifest.settings.API_VERSION?.ends?.[version] ?? 0)
  if (!isActive) refuse(426, `Requested version ${version} is not active`, 'NONEXISTENT_VERSION')
  if (headers['x-restli-protocol-version'] !== '2.0.0') refuse(400, 'X-Restli-Protocol-Version must be 2.0.0')
}

/** The same connection has the same identity, and the same tokens for as long as they work. */
function identityFor({ url }: SimulatorDeps, tokens: Tokens, connection: Connection): NetworkIdentity {
  const { id, accountType, name } = connection
  const hash = createHash('sha256').update(id).digest()
  const isPage = accountType === 'LINKEDIN_PAGE'
  const person = { id: hash.toString('base64url').slice(0, 10), name }
  const own = page(hash.readUInt32BE(), name, usernameFor(name).replaceAll('_', '-'))
  const externalId = isPage ? own.urn : `urn:li:person:${person.id}`
  const { id: clientId, scopes } = isPage ? PAGE_APP : MEMBER_APP
  const access = { person, pages: isPage ? [own] : [], scopes, ledger: { [externalId]: id }, clientId }
  // The token of a person cannot be refreshed, so it has no end here.
  const { accessToken, refreshToken, expiresAt } = tokens.session(externalId, access, isPage ? {} : { accessMs: null })
  const credentials = isPage ? { accessToken, refreshToken } : { accessToken }
  const username = isPage ? own.vanity : null
  return { externalId, name, username, profileUrl: url, avatarUrl: null, credentials, expiresAt }
}

/** Whose token the request has. @throws SimulatedRefusal */
function authorized(tokens: Tokens, request: Call['request']): Access {
  const token = bearerIn(request)
  if (token !== undefined && tokens.isOver(token)) throw new SimulatedRefusal(faults['token-expired'])
  return tokens.access(token) ?? refuse(401, 'Invalid access token', 'INVALID_ACCESS_TOKEN')
}

/** The sign-in. An app that asks for what its products do not hold is sent back before anyone is asked. */
function answerSignIn({ deps, request, response, query }: Call): null {
  const app = appOf(query.get('client_id')) ?? MEMBER_APP
  const scopes = query.get('scope')?.split(' ') ?? []
  const wrong = scopes.find((scope) => !app.scopes.includes(scope))
  if (wrong === undefined || query.get('redirect_uri') !== deps.callback) {
    return answerConsent(deps, request, response, { title: manifest.title, clientId: app.id, codeLastsMs: HOUR_MS / 2 })
  }
  const words = `Scope "${wrong}" is not authorized for your application`
  const asked = { error: 'unauthorized_scope_error', error_description: words, state: query.get('state') }
  response.writeHead(302, { location: addressWith(deps.callback, asked) }).end()
  return null
}

const noClient = oauthError(401, 'invalid_client', 'Client authentication failed')
const NO_CODE =
  'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization code expired.'
const noCode = oauthError(400, 'invalid_request', NO_CODE)

function appIn({ tokens }: SimulatorDeps, form: Readonly<Record<string, string>>) {
  const app = appOf(form.client_id)
  return app && tokens.isSecret(app.secret, form.client_secret) ? app : undefined
}

/** `POST /oauth/v2/accessToken`. */
const answerToken = (deps: SimulatorDeps, tokens: Tokens): Answering =>
  tokenEndpoint(tokens, {
    isClient: (form) => appIn(deps, form) !== undefined,
    refusals: {
      client: noClient,
      grantType: oauthError(400, 'unsupported_grant_type', 'The grant type is not supported'),
      code: noCode,
      redirectUri: noCode,
      refreshToken: oauthError(400, 'invalid_grant', 'The provided refresh token is invalid, expired or revoked'),
    },
    signIn: ({ clientId, scope }, form) =>
      clientId === form.client_id ? { ...VISITOR, scopes: scope.split(' '), ledger: {}, clientId } : null,
    mayRefresh: ({ clientId }, form) => clientId === form.client_id,
    body({ accessToken, refreshToken }, { scopes, clientId }) {
      const refresh = appOf(clientId)?.refreshes ? { refresh_token: refreshToken } : {}
      // Scopes are parted by commas, however they were asked for.
      return { access_token: accessToken, expires_in: ACCESS_MS / 1000, ...refresh, scope: scopes.join(',') }
    },
  })

/** `POST /oauth/v2/introspectToken`: https://learn.microsoft.com/en-us/linkedin/shared/authentication/token-introspection (read 2026-11-21) */
async function answerIntrospection(tokens: Tokens, { deps, request }: Call): Promise<SimulatedAnswer> {
  const form = await readForm(request)
  const app = appIn(deps, form)
  if (!app) return noClient
  const access = tokens.access(form.token)
  if (access?.clientId !== app.id) return ok({ active: false })
  const { expiresAt, scopes } = access
  const end = expiresAt === null ? {} : { expires_at: Math.floor(new Date(expiresAt).getTime() / 1000) }
  return ok({ active: true, client_id: app.id, scope: scopes.join(','), status: 'active', auth_type: '3L', ...end })
}

/** `GET /rest/organizationAcls?q=roleAssignee` */
function listRoles({ by, query }: Call<Access>): SimulatedAnswer {
  if (query.get('q') !== 'roleAssignee') return refuse(404, 'No virtual resource found')
  const [start, count] = [Number(query.get('start') ?? 0), Number(query.get('count') ?? 10)]
  const elements = by.pages.slice(start, start + count).map(({ urn, role, isShowcase }) => {
    const organization = isShowcase ? urn.replace(':organization:', ':organizationBrand:') : urn
    return { organization, role, roleAssignee: `urn:li:person:${by.person.id}`, state: 'APPROVED' }
  })
  return ok({ paging: { start, count, links: [] }, elements })
}

/** A page of which something may be read. @throws SimulatedRefusal */
const pageAt = ({ by, at }: Call<Access>): SimulatedPage =>
  by.pages.find(({ urn }) => urn === `urn:li:organization:${at.id}`) ?? refuse(404, 'No virtual resource found')

/** `GET /rest/organizations/{id}` */
function readPage(call: Call<Access>): SimulatedAnswer {
  const { name, vanity } = pageAt(call)
  return ok({ id: Number(call.at.id), localizedName: name, vanityName: vanity })
}

/** `GET /v2/organizations/{id}`, which is asked for logos alone. A showcase page has none. */
function readLogo(call: Call<Access>): SimulatedAnswer {
  const { vanity, isShowcase } = pageAt(call)
  if (call.query.get('projection') !== '(logoV2(original~:playableStreams))') refuse(400, 'No such projection')
  if (isShowcase) return ok({})
  const elements = [200, 400].map((width) => ({
    identifiers: [{ identifier: `${call.deps.url}/web/logos/${vanity}-${width}.png`, mediaType: 'image/png' }],
  }))
  return ok({ logoV2: { original: `urn:li:digitalmediaAsset:C4D${call.at.id}`, 'original~': { elements } } })
}
