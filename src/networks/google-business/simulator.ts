import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerVisibleCall, type SimulatedAnswer, sendAnswer } from '../toolkit/faults.ts'
import { record } from '../toolkit/read-json.ts'
import { readJson, TooLargeError } from '../toolkit/request-body.ts'
import type { Simulator, SimulatorDeps } from '../toolkit/simulation.ts'
import { authorized, identityFor, listAccounts, listLocations } from './simulator-accounts.ts'
import { faultAnswers, notFound, rpcError, SimulatedRefusal } from './simulator-answers.ts'
import { createPost, listPosts, readPost, reviewPosts } from './simulator-posts.ts'
import { answerRevoke, answerToken, showConsent } from './simulator-sign-in.ts'

/** `/v4/accounts/1/locations/9/localPosts`, perhaps with the id of a post. */
const POSTS = /^\/posts\/v4\/(accounts\/\d+\/locations\/\d+)\/localPosts(?:\/([\w-]+))?$/
const LOCATIONS = /^\/locations\/v1\/(accounts\/\d+)\/locations$/

/**
 * The pretend Google: its sign-in, the accounts and locations of a person, and the posts of a location. A post is taken
 * at once and looked at later: only then is its photo fetched, and only then does it go live or is rejected. Where the
 * documents are silent it does the worst that they allow: listings lag, pages are short, the address of a post's page
 * comes late.
 */
export function simulate(deps: SimulatorDeps): Simulator {
  async function answer(call: Call): Promise<SimulatedAnswer | null> {
    const { request, response, method, path, query } = call
    if (method === 'GET' && path === '/authorize/o/oauth2/v2/auth') {
      showConsent(deps, request, response)
      return null
    }
    if (method === 'POST' && path === '/token/token') return answerToken(deps, request)
    if (method === 'POST' && path === '/token/revoke') return answerRevoke(deps, request, query)
    const principal = authorized(deps, request)
    if (method === 'GET' && path === '/accounts/v1/accounts') return listAccounts(principal, query)
    const [, account] = LOCATIONS.exec(path) ?? []
    if (method === 'GET' && account !== undefined) return listLocations(principal, account, query)
    const [, parent, id] = POSTS.exec(path) ?? []
    if (parent === undefined) return notFound
    await reviewPosts(deps)
    if (method === 'GET') {
      return id === undefined ? listPosts(deps, principal, parent, query) : readPost(deps, principal, parent, id)
    }
    if (method !== 'POST' || id !== undefined) return notFound
    const body = await readJson(request)
    const text = String(record(body)?.summary ?? '')
    await answerVisibleCall({
      store: deps.store,
      response,
      key: `${parent} ${text}`,
      text,
      answers: faultAnswers,
      accept: () => refusable(() => createPost(deps, principal, parent, body)),
    })
    return null
  }

  return {
    identityFor: (connection) => identityFor(deps, connection),
    async handle(request, response, address) {
      const { pathname, searchParams } = new URL(address, 'http://pretend')
      const call: Call = { request, response, method: request.method ?? 'GET', path: pathname, query: searchParams }
      const answered = await refusable(() => answer(call))
      if (answered) sendAnswer(response, answered)
    },
  }
}

interface Call {
  request: IncomingMessage
  response: ServerResponse
  method: string
  path: string
  query: URLSearchParams
}

async function refusable<T>(work: () => T | Promise<T>): Promise<T | SimulatedAnswer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SimulatedRefusal) return error.answer
    if (error instanceof TooLargeError) return rpcError(413, 'Request payload size exceeds the limit.')
    throw error
  }
}
