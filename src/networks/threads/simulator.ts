import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerConsent } from '../kit/consent.ts'
import { answerVisibleCall, type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import { readForm } from '../kit/request-body.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { answerRequest, refusable } from '../kit/simulator.ts'
import {
  chosen,
  ok,
  proofRefusal,
  tokenIn,
  tooLarge,
  unknownObject,
  unknownPath,
  withoutToken,
} from '../meta/simulator.ts'
import { findContainer, findPost, readPost } from '../meta/simulator-containers.ts'
import {
  accountOf,
  HOUR_MS,
  readToken,
  type SimulatedAccount,
  type SimulatedToken,
  writeToken,
} from './simulator-accounts.ts'
import { faultAnswers, missingPermission, refuse } from './simulator-answers.ts'
import type { Params } from './simulator-params.ts'
import {
  type Container,
  createContainer,
  listThreads,
  publishContainer,
  readQuota,
  showContainer,
  shown,
  type World,
} from './simulator-posts.ts'
import { appToken, CLIENT_ID, exchange, inspectToken, isLiving, redeem, refreshToken } from './simulator-sign-in.ts'

const SCOPES = ['threads_basic', 'threads_content_publish']
/** Far above the network's 250, so that trying things out with many posts does not end in a wait of a day. */
const QUOTA_TOTAL = 10_000
/** Servers refuse longer addresses before they look at them. Which length the network's do is not told. */
const LONGEST_ADDRESS = 8_192

/**
 * The pretend Threads: containers, publishing and listings under `/graph/v1.0`, tokens under `/graph`, the sign-in under
 * `/web`. It fetches media for real and refuses what the network is known to refuse. Where the documents are silent it
 * does the worst that they allow: publishing a container twice makes two posts, a fresh post is unknown to its first
 * reader and missing in the listing for a while.
 */
export function simulate(deps: SimulatorDeps, world: Partial<World> = {}): Simulator {
  const quirks: World = { quotaTotal: QUOTA_TOTAL, races: 0, requireProof: false, ...world }
  return {
    identityFor(connection) {
      const account = accountOf(connection)
      return {
        externalId: account.id,
        name: account.name,
        username: account.username,
        profileUrl: deps.url,
        avatarUrl: null,
        credentials: {
          accessToken: writeToken(deps.tokens, {
            account,
            long: true,
            scopes: SCOPES,
            issuedAt: 0,
            expiresAt: null,
            nonce: '',
          }),
        },
        expiresAt: null,
      }
    },
    async handle(request, response, path) {
      const url = new URL(path, 'http://threads')
      if (url.pathname.startsWith('/web/')) return answerWeb(deps, request, response, url)
      await answerRequest(response, tooLarge, async () => {
        if (path.length > LONGEST_ADDRESS) return { status: 414, body: 'URI Too Long' }
        const token = await answerToken(deps, request, url, quirks)
        if (token) return token
        const asked = await understood(deps, request, url, quirks)
        const publishes = asked.method === 'POST' && asked.id === 'me' && asked.edge === 'threads_publish'
        if (!publishes) return answer(deps, asked, quirks)
        await answerVisibleCall({ store: deps.store, response, ...visibleCall(deps, asked, quirks) })
        return null
      })
    },
  }
}

/** The sign-in page and the pages of profiles. */
function answerWeb(deps: SimulatorDeps, request: IncomingMessage, response: ServerResponse, url: URL): void {
  if (url.pathname === '/web/oauth/authorize') {
    answerConsent(deps, request, response, {
      title: 'Threads',
      clientId: CLIENT_ID,
      codeLastsMs: HOUR_MS,
      suffix: '#_',
    })
    return
  }
  if (url.pathname.startsWith('/web/@')) response.writeHead(302, { location: deps.url }).end()
  else response.writeHead(404).end()
}

/** Endpoints of tokens have no version. */
async function answerToken(
  deps: SimulatorDeps,
  request: IncomingMessage,
  url: URL,
  { requireProof }: World,
): Promise<SimulatedAnswer | null> {
  switch (`${request.method} ${url.pathname}`) {
    case 'POST /graph/oauth/access_token':
      return redeem(deps, request, url.searchParams)
    case 'GET /graph/oauth/access_token':
      return appToken(deps, url.searchParams)
    case 'GET /graph/access_token':
      return exchange(deps, url.searchParams)
    case 'GET /graph/refresh_access_token': {
      const token = url.searchParams.get('access_token') ?? ''
      const refusal = proofRefusal(deps, token, url.searchParams, requireProof)
      return refusal ?? refreshToken(deps, url.searchParams)
    }
    case 'GET /graph/debug_token':
      return inspectToken(deps, tokenIn(request, url.searchParams.get('access_token')), url.searchParams)
    default:
      return null
  }
}

interface Asked {
  method: string
  query: URLSearchParams
  /** Of query and form. */
  params: Params
  account: SimulatedAccount
  /** `me` also when the id of the account itself was given. */
  id: string
  edge: string
}

async function understood(
  deps: SimulatorDeps,
  request: IncomingMessage,
  url: URL,
  { requireProof }: World,
): Promise<Asked> {
  const all: Params = { ...Object.fromEntries(url.searchParams), ...(await readForm(request)) }
  const { access_token: given, appsecret_proof: _, ...params } = all
  const token = tokenIn(request, given) ?? withoutToken()
  const refusal = proofRefusal(deps, token, url.searchParams, requireProof)
  if (refusal) throw new SimulatedRefusal(refusal)
  const { account, scopes } = authorized(deps, token)
  const [, version = '', id = '', edge = '', ...rest] = url.pathname.replace(/^\/graph(?=\/)/, '').split('/')
  if (!/^v\d+\.\d+$/.test(version) || rest.length > 0) throw new SimulatedRefusal(unknownPath(url.pathname))
  const method = request.method ?? 'GET'
  const publishes = method === 'POST' || edge === 'threads_publishing_limit'
  if (publishes && !scopes.includes('threads_content_publish')) missingPermission()
  return { method, query: url.searchParams, params, account, id: id === account.id ? 'me' : id, edge }
}

function authorized(deps: SimulatorDeps, text: string): SimulatedToken {
  // The network's own error text repeats a token that it cannot parse.
  const token =
    readToken(deps.tokens, text) ?? refuse(190, null, `Invalid OAuth access token - Cannot parse access token ${text}`)
  if (!isLiving(deps, token)) throw new SimulatedRefusal(faultAnswers['token-expired'])
  return token.scopes.includes('threads_basic') ? token : missingPermission()
}

/** The one call that the world sees, with the text that may ask for a fault. */
function visibleCall(deps: SimulatorDeps, { account, params }: Asked, world: World) {
  const { creation_id: creationId = '', ...more } = params
  return {
    key: `publish:${creationId}`,
    text: findContainer<Container>(deps, account.id, creationId)?.params.text ?? '',
    answers: faultAnswers,
    accept: refusable(() => {
      const [foreign] = Object.keys(more)
      if (foreign !== undefined) refuse(100, null, `Invalid parameter: param ${foreign} is not allowed`)
      return publishContainer(deps, account, creationId, world)
    }),
  }
}

async function answer(deps: SimulatorDeps, asked: Asked, world: World): Promise<SimulatedAnswer> {
  const { method, query, params, account, id, edge } = asked
  switch (`${method} ${id === 'me' ? 'me' : ':id'}/${edge}`) {
    case 'POST me/threads':
      return createContainer(deps, account, params)
    case 'GET me/threads':
      return listThreads(deps, account, query)
    case 'GET me/threads_publishing_limit':
      return readQuota(deps, account, query, world)
    case 'GET me/':
      return ok(chosen(profileOf(account), query, Object.keys(profileOf(account))))
    case 'GET :id/': {
      const container = findContainer<Container>(deps, account.id, id)
      if (container) return showContainer(deps, container, query)
      const post = findPost(deps, account.id, id)
      return post ? readPost(deps, post, (each) => shown(each, account, query)) : unknownObject(id)
    }
    default:
      return unknownPath(`${id}/${edge}`)
  }
}

const profileOf = (account: SimulatedAccount) => ({
  id: account.id,
  username: account.username,
  name: account.name,
  threads_profile_picture_url: undefined,
  threads_biography: '',
})
