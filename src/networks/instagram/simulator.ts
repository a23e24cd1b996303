import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AnsweredFault, answerVisibleCall, type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
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
import { findContainer, findPost, quotaOf } from '../meta/simulator-containers.ts'
import { type PretendLogin, refusedRead, withoutPermission } from '../meta/simulator-login.ts'
import {
  accountOfPage,
  accountOfToken,
  accountsOfPerson,
  identityFor,
  type SimulatedAccount,
  simulatedLogin,
} from './simulator-accounts.ts'
import { faultAnswers } from './simulator-answers.ts'
import { ownSignInHosts, tokenExpired } from './simulator-own-sign-in.ts'
import {
  addComment,
  createContainer,
  listComments,
  listMedia,
  publishContainer,
  type SimulatedMedia,
  showContainer,
  showMedia,
} from './simulator-posts.ts'

/** Far above the network's 50 or 100, so that trying things out with many posts does not end in a wait of a day. */
const QUOTA_TOTAL = 10_000

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
  const quotaTotal = options.quotaTotal ?? QUOTA_TOTAL
  const login = simulatedLogin(deps, options)
  const ownAnswers = { ...faultAnswers, 'token-expired': tokenExpired }
  const ownHosts = ownSignInHosts(deps, (response, call) => serve(deps, response, { ...call, quotaTotal }, ownAnswers))
  return {
    identityFor: (connection) => identityFor(deps, connection),
    async handle(request, response, path) {
      if (await ownHosts(request, response, path)) return
      if (await login.handle(request, response, path)) return
      const url = new URL(path, 'http://graph')
      await answerRequest(response, tooLarge, async () => {
        const params = { ...Object.fromEntries(url.searchParams), ...(await readParams(request)) }
        const [, version = '', id = '', edge = '', ...rest] = url.pathname.replace(/^\/graph(?=\/)/, '').split('/')
        const asked = { method: request.method ?? 'GET', query: url.searchParams, params, id, edge, quotaTotal }
        const refusal = proofRefusal(
          deps,
          tokenIn(request, params.access_token) ?? '',
          asked.query,
          options.requireProof,
        )
        if (refusal) throw new SimulatedRefusal(refusal)
        const account = authorized(deps, request, asked, login)
        if (!/^v\d+\.\d+$/.test(version) || rest.length > 0) throw new SimulatedRefusal(unknownPath(url.pathname))
        // The token and its proof may stand among the parameters, and are none of the call's own.
        const { access_token: _, appsecret_proof: __, ...own } = asked.params
        const call: Call = { ...asked, params: own, account }
        return serve(deps, response, call, faultAnswers)
      })
    },
  }
}

interface Asked {
  method: string
  query: URLSearchParams
  /** Of query and body. */
  params: Params
  id: string
  edge: string
  quotaTotal: number
}
type Call = Asked & { account: SimulatedAccount }

async function serve(
  deps: SimulatorDeps,
  response: ServerResponse,
  call: Call,
  answers: Partial<Record<AnsweredFault, SimulatedAnswer>> & { '500-before': SimulatedAnswer },
): Promise<SimulatedAnswer | null> {
  const visible = visibleCall(deps, call)
  if (!visible) return answer(deps, call)
  await answerVisibleCall({ store: deps.store, response, answers, ...visible })
  return null
}

const findMedia = (deps: SimulatorDeps, account: SimulatedAccount, id: string) =>
  findPost<SimulatedMedia>(deps, account.id, id)

/** The two calls that the world sees, with the text that may ask for a fault. */
function visibleCall(deps: SimulatorDeps, { method, params, id, edge, account, quotaTotal }: Call) {
  if (method !== 'POST') return null
  if (id === account.id && edge === 'media_publish') {
    const { creation_id: creationId } = params
    return {
      key: `publish:${creationId}`,
      text: String(findContainer(deps, account.id, String(creationId))?.params.caption ?? ''),
      accept: refusable(() => publishContainer(deps, account, creationId, quotaTotal)),
    }
  }
  const media = edge === 'comments' ? findMedia(deps, account, id) : null
  if (!media) return null
  const { message } = params
  return {
    key: `comment:${id}`,
    text: String(message),
    accept: refusable(() => addComment(deps, account, media, message)),
  }
}

async function answer(deps: SimulatorDeps, call: Call): Promise<SimulatedAnswer> {
  const { method, query, params, id, edge, account, quotaTotal } = call
  const get = method === 'GET'
  if (id === account.id) {
    const { name, username } = account
    if (get && edge === '') return ok(chosen({ id, name, username }, query, ['id', 'name', 'username']))
    if (get && (edge === 'media' || edge === 'stories')) return listMedia(deps, account, edge, query)
    if (get && edge === 'content_publishing_limit') return ok({ data: [quotaOf(deps, account.ledgerId, quotaTotal)] })
    if (method === 'POST' && edge === 'media') return createContainer(deps, account, params)
    return unknownPath(edge)
  }
  const container = findContainer<Parameters<typeof showContainer>[1]>(deps, account.id, id)
  if (container && get && edge === '') return showContainer(deps, container, query)
  const media = findMedia(deps, account, id)
  if (media && get && edge === '') return showMedia(deps, account, media, query)
  if (media && get && edge === 'comments') return listComments(media, query)
  return container || media ? unknownPath(edge) : unknownObject(id)
}

/** What a token must have been granted, by the end of the path; `instagram_basic` for all else that is read. */
const NEEDS: Readonly<Record<string, string>> = {
  comments: 'instagram_manage_comments',
  content_publishing_limit: 'instagram_content_publish',
}

/** The account of a token. With a token of the person a GET reads any of their accounts and its posts. @throws SimulatedRefusal */
function authorized(
  deps: SimulatorDeps,
  request: IncomingMessage,
  { method, params, id, edge }: Asked,
  login: PretendLogin,
): SimulatedAccount {
  const token = tokenIn(request, params.access_token) ?? withoutToken()
  const reads = method === 'GET'
  const need = NEEDS[edge] ?? (reads ? 'instagram_basic' : 'instagram_content_publish')
  if (login.lacks(token, need)) throw new SimulatedRefusal(withoutPermission(need))
  const page = login.pageOf(token)
  if (reads && page !== null && page !== 'expired' && page.reads === 'person') {
    throw new SimulatedRefusal(refusedRead(edge))
  }
  const readable = reads ? accountsOfPerson(login, token) : null
  if (readable) return accountWith(deps, readable, id)
  // The network's own error text repeats a token that it cannot parse.
  return accountOfToken(deps, token) ?? accountOfPage(page) ?? refuse(190, null, `Malformed access token ${token}`)
}

/** @throws SimulatedRefusal */
function accountWith(deps: SimulatorDeps, accounts: readonly SimulatedAccount[], id: string): SimulatedAccount {
  const account = accounts.find(
    (each) => each.id === id || findContainer(deps, each.id, id) !== null || findMedia(deps, each, id) !== null,
  )
  if (!account) throw new SimulatedRefusal(unknownObject(id))
  return account
}
