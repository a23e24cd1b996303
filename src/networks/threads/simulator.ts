import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerConsent } from '../toolkit/consent.ts'
import { answerVisibleCall, type SimulatedAnswer, sendAnswer } from '../toolkit/faults.ts'
import { readForm, TooLargeError } from '../toolkit/request-body.ts'
import type { Simulator, SimulatorDeps } from '../toolkit/simulation.ts'
import {
  accountOf,
  HOUR_MS,
  readToken,
  type SimulatedAccount,
  type SimulatedToken,
  writeToken,
} from './simulator-accounts.ts'
import {
  faultAnswers,
  graphError,
  missingPermission,
  ok,
  SimulatedRefusal,
  unknownObject,
  unknownPath,
} from './simulator-answers.ts'
import { createContainer, findContainer, readContainer } from './simulator-containers.ts'
import type { Params } from './simulator-params.ts'
import {
  chosen,
  fieldsIn,
  findPost,
  listPosts,
  publishContainer,
  readPost,
  readQuota,
  type World,
} from './simulator-posts.ts'
import { CLIENT_ID, exchange, isLiving, redeem, refreshToken } from './simulator-sign-in.ts'

const SCOPES = ['threads_basic', 'threads_content_publish']
/** Far above the network's 250, so that trying things out with many posts does not end in a wait of a day. */
const QUOTA_TOTAL = 10_000

/**
 * The pretend Threads: containers, publishing and listings under `/graph/v1.0`, tokens under `/graph`, the sign-in under
 * `/web`. It fetches media for real and refuses what the network is known to refuse. Where the documents are silent it
 * does the worst that they allow: publishing a container twice makes two posts, a fresh post is unknown to its first
 * reader and missing in the listing for a while.
 */
export function simulate(deps: SimulatorDeps, world: Partial<World> = {}): Simulator {
  const quirks: World = { quotaTotal: QUOTA_TOTAL, races: 0, ...world }
  return {
    identityFor(connection) {
      const account = accountOf(connection)
      return {
        externalId: account.threadsId,
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
      try {
        if (url.pathname.startsWith('/web/')) return answerWeb(deps, request, response, url)
        const token = await answerToken(deps, request, url)
        if (token) return sendAnswer(response, token)
        const asked = await understood(deps, request, url)
        if (asked.method === 'POST' && asked.id === 'me' && asked.edge === 'threads_publish') {
          return await answerVisibleCall({ store: deps.store, response, ...visibleCall(deps, asked, quirks) })
        }
        sendAnswer(response, await answer(deps, asked, quirks))
      } catch (error) {
        if (error instanceof TooLargeError) return sendAnswer(response, graphError(1, 'Too large.', { status: 413 }))
        if (!(error instanceof SimulatedRefusal)) throw error
        sendAnswer(response, error.answer)
      }
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
async function answerToken(deps: SimulatorDeps, request: IncomingMessage, url: URL): Promise<SimulatedAnswer | null> {
  switch (`${request.method} ${url.pathname}`) {
    case 'POST /graph/oauth/access_token':
      return redeem(deps, request, url.searchParams)
    case 'GET /graph/access_token':
      return exchange(deps, url.searchParams)
    case 'GET /graph/refresh_access_token':
      return refreshToken(deps, url.searchParams)
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

async function understood(deps: SimulatorDeps, request: IncomingMessage, url: URL): Promise<Asked> {
  const { access_token: given, ...params } = { ...Object.fromEntries(url.searchParams), ...(await readForm(request)) }
  const header = /^(?:Bearer|OAuth) (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  const { account, scopes } = authorized(deps, header ?? given)
  const [, version = '', id = '', edge = '', ...rest] = url.pathname.replace(/^\/graph(?=\/)/, '').split('/')
  if (!/^v\d+\.\d+$/.test(version) || rest.length > 0) throw new SimulatedRefusal(unknownPath(url.pathname))
  const method = request.method ?? 'GET'
  const publishes = method === 'POST' || edge === 'threads_publishing_limit'
  if (publishes && !scopes.includes('threads_content_publish')) throw new SimulatedRefusal(missingPermission())
  return { method, query: url.searchParams, params, account, id: id === account.threadsId ? 'me' : id, edge }
}

function authorized(deps: SimulatorDeps, text: string | undefined): SimulatedToken {
  if (text === undefined) {
    throw new SimulatedRefusal(
      graphError(104, 'An access token is required to request this resource.', { status: 401 }),
    )
  }
  const token = readToken(deps.tokens, text)
  // The network's own error text repeats a token that it cannot parse.
  if (!token)
    throw new SimulatedRefusal(graphError(190, `Invalid OAuth access token - Cannot parse access token ${text}`))
  if (!isLiving(deps, token)) throw new SimulatedRefusal(faultAnswers['token-expired'])
  if (!token.scopes.includes('threads_basic')) throw new SimulatedRefusal(missingPermission())
  return token
}

/** The one call that the world sees, with the text that may ask for a fault. */
function visibleCall(deps: SimulatorDeps, { account, params }: Asked, world: World) {
  const creationId = params.creation_id ?? ''
  return {
    key: `publish:${creationId}`,
    text: findContainer(deps, account, creationId)?.params.text ?? '',
    answers: faultAnswers,
    accept() {
      try {
        const foreign = Object.keys(params).find((name) => name !== 'creation_id')
        if (foreign !== undefined) return graphError(100, `Invalid parameter: param ${foreign} is not allowed`)
        return publishContainer(deps, account, creationId, world)
      } catch (error) {
        if (error instanceof SimulatedRefusal) return error.answer
        throw error
      }
    },
  }
}

async function answer(deps: SimulatorDeps, asked: Asked, world: World): Promise<SimulatedAnswer> {
  const { method, query, params, account, id, edge } = asked
  const fields = fieldsIn(query)
  switch (`${method} ${id === 'me' ? 'me' : ':id'}/${edge}`) {
    case 'POST me/threads':
      return createContainer(deps, account, params)
    case 'GET me/threads':
      return listPosts(deps, account, query)
    case 'GET me/threads_publishing_limit':
      return readQuota(deps, account, fields, world)
    case 'GET me/':
      return ok({ id: account.threadsId, ...chosen(profileOf(account), fields) })
    case 'GET :id/': {
      const container = findContainer(deps, account, id)
      if (container) return readContainer(deps, container, fields)
      const post = findPost(deps, account, id)
      return post ? readPost(deps, account, post, fields) : unknownObject(id)
    }
    default:
      return unknownPath(`${id}/${edge}`)
  }
}

const profileOf = (account: SimulatedAccount) => ({
  id: account.threadsId,
  username: account.username,
  name: account.name,
  threads_profile_picture_url: undefined,
  threads_biography: '',
})
