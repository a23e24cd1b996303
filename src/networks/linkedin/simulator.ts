import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerConsent } from '../toolkit/consent.ts'
import { answerVisibleCall, type SimulatedAnswer, sendAnswer } from '../toolkit/faults.ts'
import { readBytes, readForm, readJson, TooLargeError } from '../toolkit/request-body.ts'
import type { Simulator, SimulatorDeps } from '../toolkit/simulation.ts'
import { manifest } from './manifest.ts'
import { type Access, authorized, giveToken, identityFor, MEMBER_APP, PAGE_APP } from './simulator-accounts.ts'
import { denied, faultAnswers, ok, refusal, refuse, SimulatedRefusal } from './simulator-answers.ts'
import { createPost, keyOf, listPosts, readPost } from './simulator-posts.ts'
import { shownText } from './simulator-text.ts'
import { handleAction, MAX_PUT_BYTES, openAsset, readAsset, takeBytes } from './simulator-uploads.ts'

const CODE_LASTS_MS = 30 * 60_000
const DAY = 24 * 3_600_000

/**
 * The pretend LinkedIn: sign-in, uploads, posts, pages. Where the documents are silent it does the worst that they
 * allow: a repeated post is known again for ten minutes only, and never when it has no words; a fresh post is not
 * listed at once; media that are worked on cannot be posted.
 */
export function simulate(deps: SimulatorDeps): Simulator {
  return {
    identityFor: (connection) => identityFor(deps, connection),
    async handle(request, response, path) {
      const url = new URL(path, 'http://linkedin')
      try {
        const [, endpoint, ...parts] = url.pathname.split('/').map(decoded)
        const call: Call = { request, response, query: url.searchParams, parts }
        if (endpoint === 'web') await answerWeb(deps, call)
        else if (endpoint === 'api') await answerApi(deps, call)
        else sendAnswer(response, noRoute)
      } catch (error) {
        if (error instanceof SimulatedRefusal) sendAnswer(response, error.answer)
        else if (error instanceof TooLargeError) sendAnswer(response, refusal(413, 'The request is too large'))
        else throw error
      }
    },
  }
}

interface Call {
  request: IncomingMessage
  response: ServerResponse
  query: URLSearchParams
  /** Of the path below the endpoint. */
  parts: string[]
}

const noRoute = refusal(404, 'No virtual resource found')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The site: sign-in, addresses for bytes, and permalinks. */
async function answerWeb(deps: SimulatorDeps, { request, response, query, parts }: Call): Promise<void> {
  const route = `${request.method} ${parts.slice(0, 3).join('/')}`
  if (route === 'GET oauth/v2/authorization') return answerSignIn(deps, request, response, query)
  if (route === 'POST oauth/v2/accessToken') return sendAnswer(response, giveToken(deps, await readForm(request)))
  if (request.method === 'PUT' && parts[0] === 'dms-uploads') {
    const asset = openAsset(deps, parts[1], query.get('sign'))
    const bytes = await readBytes(request, MAX_PUT_BYTES)
    return sendAnswer(response, await takeBytes(deps, asset, parts[2] ?? '', bytes))
  }
  if (parts[0] === 'feed' && parts[1] === 'update') {
    response.writeHead(302, { location: `${new URL(deps.url).pathname}/p/${parts[2] ?? ''}` }).end()
    return
  }
  sendAnswer(response, noRoute)
}

/** An app that asks for what its products do not hold is sent back before anybody is asked. */
function answerSignIn(
  deps: SimulatorDeps,
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
): void {
  const app = query.get('client_id') === PAGE_APP.id ? PAGE_APP : MEMBER_APP
  const wrong = (query.get('scope') ?? '').split(' ').find((scope) => !app.scopes.includes(scope))
  if (query.get('client_id') === app.id && wrong !== undefined && query.get('redirect_uri') === deps.callback) {
    const url = new URL(deps.callback)
    url.searchParams.set('error', 'unauthorized_scope_error')
    url.searchParams.set('error_description', `Scope "${wrong}" is not authorized for your application`)
    url.searchParams.set('state', query.get('state') ?? '')
    response.writeHead(302, { location: url.href }).end()
    return
  }
  answerConsent(deps, request, response, { title: manifest.title, clientId: app.id, codeLastsMs: CODE_LASTS_MS })
}

async function answerApi(deps: SimulatorDeps, call: Call): Promise<void> {
  const { request, response, parts } = call
  const access = authorized(deps, request)
  if (parts[0] === 'v2' && parts[1] === 'userinfo') return sendAnswer(response, userinfo(access))
  if (parts[0] !== 'rest') return sendAnswer(response, noRoute)
  checkHeaders(deps, request)
  const [, resource = '', id] = parts
  if (request.method === 'POST') {
    if (!request.headers['content-type']?.startsWith('application/json')) {
      return sendAnswer(response, refusal(415, 'Unsupported media type'))
    }
    const body = await readJson(request)
    if (resource === 'images' || resource === 'videos') {
      return sendAnswer(response, await handleAction(deps, access, resource, call.query.get('action'), body))
    }
    if (resource !== 'posts' || id !== undefined) return sendAnswer(response, noRoute)
    const { commentary } = (body ?? {}) as { commentary?: unknown }
    return answerVisibleCall({
      store: deps.store,
      response,
      key: keyOf(body),
      // Underscores of a fault's word would be escaped; its brackets are.
      text: shownText(String(commentary ?? '')),
      accept: () => createPost(deps, access, body),
      answers: faultAnswers,
    })
  }
  sendAnswer(response, request.method === 'GET' ? answerGet(deps, access, resource, id, call) : noRoute)
}

function answerGet(
  deps: SimulatorDeps,
  access: Access,
  resource: string,
  id: string | undefined,
  { request, query }: Call,
): SimulatedAnswer {
  if ((resource === 'images' || resource === 'videos') && id) return readAsset(deps, access, resource, id)
  if (resource === 'posts' && id) return readPost(deps, access, id)
  if (resource === 'posts') {
    if (request.headers['x-restli-method'] !== 'FINDER') return refuse(400, 'The header X-RestLi-Method is missing')
    return listPosts(deps, access, query)
  }
  if (!access.scopes.includes('rw_organization_admin')) return denied(`${resource}.GET`)
  if (resource === 'organizationAcls' && query.get('q') === 'roleAssignee') {
    const [start, count] = [Number(query.get('start') ?? 0), Number(query.get('count') ?? 10)]
    const elements = access.pages.slice(start, start + count).map(({ urn, role }) => ({
      organization: urn,
      role,
      roleAssignee: `urn:li:person:${access.person.id}`,
      state: 'APPROVED',
    }))
    return ok({ paging: { start, count, links: [] }, elements })
  }
  const page = access.pages.find(({ urn }) => urn === `urn:li:organization:${id}`)
  if (resource !== 'organizations' || !page) return noRoute
  return ok({ id: Number(id), localizedName: page.name, vanityName: page.vanity })
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
