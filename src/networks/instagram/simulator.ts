import type { IncomingMessage } from 'node:http'
import { SimulatedRefusal } from '../kit/faults.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { type Answering, type Call, simulatedApi } from '../kit/simulator.ts'
import {
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
import { findContainer, findPost } from '../meta/simulator-containers.ts'
import { refusedRead, withoutPermission } from '../meta/simulator-login.ts'
import {
  accountOfPage,
  accountOfToken,
  identityFor,
  type SimulatedAccount,
  simulatedLogin,
} from './simulator-accounts.ts'
import { ownSignIn } from './simulator-own-sign-in.ts'
import {
  type Asked,
  addComment,
  type Container,
  createContainer,
  listComments,
  listMedia,
  type Media,
  publishContainer,
  showObject,
  showQuota,
  type Who,
} from './simulator-posts.ts'

/** Far above the network's 50 or 100, so that trying things out with many posts does not end in a wait of a day. */
const QUOTA_TOTAL = 10_000

type Scope = 'basic' | 'content_publish' | 'manage_comments'
type Need = { own: boolean; scope: Scope; reads: boolean; edge: string }

/** What an account, a container or a post has, each with what a token must have been granted. */
const edgesOf = (quota: number): Readonly<Record<string, [Scope, (asked: Asked) => ReturnType<Answering>]>> => ({
  'GET ': ['basic', showObject],
  'GET media': ['basic', (asked) => listMedia(asked, false)],
  'GET stories': ['basic', (asked) => listMedia(asked, true)],
  'GET content_publishing_limit': ['content_publish', (asked) => showQuota(asked, quota)],
  'POST media': ['content_publish', createContainer],
  'POST media_publish': ['content_publish', (asked) => publishContainer(asked, quota)],
  'GET comments': ['manage_comments', listComments],
  'POST comments': ['manage_comments', addComment],
})

/**
 * The pretend Instagram: containers, publishing, listings and comments of the Graph API under `/graph/v…`, and under
 * `/loginGraph/v…` for accounts that came by the network's own sign-in. It fetches
 * media for real and refuses what the network is known to refuse. Where the documents are silent it does the worst
 * that they allow: publishing a container twice makes two posts, and a fresh post is unknown to its first reader.
 */
export function simulate(
  deps: SimulatorDeps,
  options: { quotaTotal?: number; requireProof?: boolean } = {},
): Simulator {
  const login = simulatedLogin(deps, options)
  const own = ownSignIn(deps)
  const routes = Object.entries(edgesOf(options.quotaTotal ?? QUOTA_TOTAL)).flatMap(([route, [scope, answer]]) => {
    const [method = '', edge = ''] = route.split(' ')
    const path = edge === '' ? ':version/:id' : `:version/:id/${edge}`
    const answering: Answering<Who> = async (call) => answer(await askedBy(call, edge))
    const need = { scope, reads: method === 'GET', edge }
    return [
      [`${method} /graph/${path}`, [{ ...need, own: false }, answering]],
      [`${method} /loginGraph/${path}`, [{ ...need, own: true }, answering]],
    ] as const
  })
  const api = simulatedApi<Who, Need>(deps, {
    identityFor: (connection) => identityFor(deps, connection),
    open: own.open,
    routes: Object.fromEntries(routes),
    authorize: (request, need) => ({
      own: need.own,
      accounts: need.own ? own.authorize(request, need.scope) : accountsAt(request, need),
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
  function accountsAt(request: IncomingMessage, { scope, reads, edge }: Need): readonly SimulatedAccount[] {
    const query = new URL(request.url ?? '', 'http://graph').searchParams
    const token = tokenIn(request, query.get('access_token'))
    const refusal = proofRefusal(deps, token ?? '', query, options.requireProof)
    if (refusal) throw new SimulatedRefusal(refusal)
    if (token === null) return withoutToken()
    const need = `instagram_${scope}`
    if (login.lacks(token, need)) throw new SimulatedRefusal(withoutPermission(need))
    const readable = reads ? login.pagesOf(token) : null
    if (readable) return readable.flatMap((each) => accountOfPage(each) ?? [])
    const page = login.pageOf(token)
    const living = page === 'expired' ? null : page
    if (reads && living?.reads === 'person') throw new SimulatedRefusal(refusedRead(edge))
    const account = accountOfToken(deps, token) ?? (living && accountOfPage(living))
    // The network's own error text repeats a token that it cannot parse.
    return account ? [account] : refuse(190, null, `Malformed access token ${token}`)
  }
}

/** @throws SimulatedRefusal when the token may see nothing of this id that has this edge */
async function askedBy(call: Call<Who>, edge: string): Promise<Asked> {
  const { deps, request, query, by } = call
  const { version = '', id = '' } = call.at
  if (!/^v\d+\.\d+$/.test(version)) throw new SimulatedRefusal(unknownPath(version))
  const given: Params = { ...Object.fromEntries(query), ...(await readParams(request)) }
  const { access_token: _, appsecret_proof: __, ...params } = given
  for (const account of by.accounts) {
    if (id === account.id || (by.own && id === 'me')) return { ...call, account, container: null, media: null, params }
    const container = findContainer<Container>(deps, account.id, id)
    const media = findPost<Media>(deps, account.id, id)
    if ((container || media) && (edge === '' || edge === 'comments')) {
      return { ...call, account, container, media, params }
    }
  }
  throw new SimulatedRefusal(unknownObject(id))
}
