import type { IncomingMessage } from 'node:http'
import { answerVisibleCall, type SimulatedAnswer, sendAnswer } from '../toolkit/faults.ts'
import { type PretendLogin, refusedRead } from '../toolkit/graph-login-simulator.ts'
import { readBytes, TooLargeError } from '../toolkit/request-body.ts'
import type { Simulator, SimulatorDeps } from '../toolkit/simulation.ts'
import { accountOfToken, identityFor, type SimulatedAccount } from './simulator-accounts.ts'
import { faultAnswers, graphError, ok, SimulatedRefusal, unknownObject } from './simulator-answers.ts'
import { createContainer, findContainer, readContainer } from './simulator-containers.ts'
import { accountOfPage, accountsOfPerson, simulatedLogin } from './simulator-login.ts'
import type { Params } from './simulator-params.ts'
import {
  addComment,
  fieldsIn,
  findMedia,
  listComments,
  listMedia,
  publishContainer,
  quotaUsage,
  readMedia,
} from './simulator-posts.ts'

/** The token may be in the body, so that anyone may send one. */
const MAX_BODY_BYTES = 64 * 1024
/** Far above the network's 50 or 100, so that trying things out with many posts does not end in a wait of a day. */
const QUOTA_TOTAL = 10_000

/**
 * The pretend Instagram: containers, publishing, listings and comments of the Graph API under `/graph/v…`. It fetches
 * media for real and refuses what the network is known to refuse. Where the documents are silent it does the worst
 * that they allow: publishing a container twice makes two posts, and a fresh post is unknown to its first reader.
 */
export function simulate(deps: SimulatorDeps, options: { quotaTotal?: number } = {}): Simulator {
  const quotaTotal = options.quotaTotal ?? QUOTA_TOTAL
  const login = simulatedLogin(deps)
  return {
    identityFor: (connection) => identityFor(deps, connection),
    async handle(request, response, path) {
      if (await login.handle(request, response, path)) return
      const url = new URL(path, 'http://graph')
      const call: Call = { method: request.method ?? 'GET', query: url.searchParams, params: {} }
      try {
        const body = await readBody(request)
        call.params = { ...Object.fromEntries(url.searchParams), ...body }
        const [, version = '', id = '', edge = '', ...rest] = url.pathname.replace(/^\/graph(?=\/)/, '').split('/')
        const account = authorized(deps, request, call, { login, id, edge })
        if (!/^v\d+\.\d+$/.test(version) || rest.length > 0) throw new SimulatedRefusal(unknownPath(url.pathname))
        const visible = visibleCall(deps, account, call, { id, edge, quotaTotal })
        if (visible) return await answerVisibleCall({ store: deps.store, response, ...visible })
        sendAnswer(response, await answer(deps, account, call, { id, edge, quotaTotal }))
      } catch (error) {
        if (!(error instanceof SimulatedRefusal)) throw error
        sendAnswer(response, error.answer)
      }
    },
  }
}

interface Call {
  method: string
  query: URLSearchParams
  /** Of query and body. */
  params: Params
}

interface Target {
  id: string
  edge: string
  quotaTotal: number
}

/** The two calls that the world sees, with the text that may ask for a fault. */
function visibleCall(deps: SimulatorDeps, account: SimulatedAccount, call: Call, { id, edge, quotaTotal }: Target) {
  if (call.method !== 'POST') return null
  if (id === account.igId && edge === 'media_publish') {
    const creationId = call.params.creation_id
    const container = findContainer(deps, account, String(creationId))
    const refusals = refusable(() => publishContainer(deps, account, creationId, quotaTotal))
    return { key: `publish:${creationId}`, text: String(container?.params.caption ?? ''), ...refusals }
  }
  const media = edge === 'comments' ? findMedia(deps, account, id) : null
  if (!media) return null
  const message = call.params.message
  return { key: `comment:${id}`, text: String(message), ...refusable(() => addComment(deps, account, media, message)) }
}

function refusable(accept: () => SimulatedAnswer) {
  return {
    answers: faultAnswers,
    accept() {
      try {
        return accept()
      } catch (error) {
        if (error instanceof SimulatedRefusal) return error.answer
        throw error
      }
    },
  }
}

async function answer(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  { method, query, params }: Call,
  { id, edge, quotaTotal }: Target,
): Promise<SimulatedAnswer> {
  const get = method === 'GET'
  if (id === account.igId) {
    if (get && edge === '') return ok(profileOf(account, fieldsIn(query)))
    if (get && (edge === 'media' || edge === 'stories')) return listMedia(deps, account, edge, query)
    if (get && edge === 'content_publishing_limit') {
      const config = { quota_total: quotaTotal, quota_duration: 86_400 }
      return ok({ data: [{ quota_usage: quotaUsage(deps, account), config }] })
    }
    if (method === 'POST' && edge === 'media') return createContainer(deps, account, params)
    return unknownPath(edge)
  }
  const container = findContainer(deps, account, id)
  if (container && get && edge === '') return readContainer(deps, container, fieldsIn(query))
  const media = findMedia(deps, account, id)
  if (media && get && edge === '') return readMedia(deps, account, media, fieldsIn(query))
  if (media && get && edge === 'comments') return listComments(media, query)
  return container || media ? unknownPath(edge) : unknownObject(id)
}

function profileOf(account: SimulatedAccount, fields: string[]): Params {
  const all: Params = { name: account.name, username: account.username }
  return {
    ...Object.fromEntries(fields.filter((field) => field in all).map((field) => [field, all[field]])),
    id: account.igId,
  }
}

/**
 * The account of the token of the header, else of the parameters, which then is none of the call's own. With a token of
 * the person a GET reads any of their accounts and its posts.
 */
function authorized(
  deps: SimulatorDeps,
  request: IncomingMessage,
  call: Call,
  { login, id, edge }: { login: PretendLogin; id: string; edge: string },
): SimulatedAccount {
  const { access_token: given, ...params } = call.params
  call.params = params
  const header = /^(?:Bearer|OAuth) (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  const token = header ?? (typeof given === 'string' ? given : null)
  if (token === null) {
    throw new SimulatedRefusal(
      graphError(104, null, { message: 'An access token is required to request this resource.' }, { status: 401 }),
    )
  }
  const reads = call.method === 'GET'
  const page = login.pageOf(token)
  if (reads && page !== null && page !== 'expired' && page.reads === 'person') {
    throw new SimulatedRefusal(refusedRead(edge))
  }
  const readable = reads ? accountsOfPerson(login, token) : null
  if (readable) return accountWith(deps, readable, id)
  const account = accountOfToken(deps, token) ?? accountOfPage(page)
  // The network's own error text repeats a token that it cannot parse.
  if (!account) throw new SimulatedRefusal(graphError(190, null, { message: `Malformed access token ${token}` }))
  return account
}

/** @throws SimulatedRefusal */
function accountWith(deps: SimulatorDeps, accounts: readonly SimulatedAccount[], id: string): SimulatedAccount {
  const account = accounts.find(
    (each) => each.igId === id || findContainer(deps, each, id) !== null || findMedia(deps, each, id) !== null,
  )
  if (!account) throw new SimulatedRefusal(unknownObject(id))
  return account
}

const unknownPath = (path: string) => graphError(2500, null, { message: `Unknown path components: ${path}` })

/** JSON, or a form whose lists and objects are JSON. */
async function readBody(request: IncomingMessage): Promise<Params> {
  const bytes = await readBytes(request, MAX_BODY_BYTES).catch((error: unknown) => {
    if (!(error instanceof TooLargeError)) throw error
    throw new SimulatedRefusal(graphError(1, null, { message: 'The request is too large.' }, { status: 413 }))
  })
  const text = bytes.toString('utf8')
  if (text === '') return {}
  if (request.headers['content-type']?.startsWith('application/json')) {
    const body = parsed(text)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new SimulatedRefusal(graphError(100, null, { message: 'The body is not a JSON object.' }))
    }
    return body as Params
  }
  const form = [...new URLSearchParams(text)]
  return Object.fromEntries(form.map(([name, value]) => [name, /^[[{]/.test(value) ? parsed(value) : value]))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
