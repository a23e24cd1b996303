import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerConsent } from '../toolkit/consent.ts'
import { answerVisibleCall, type SimulatedAnswer, sendAnswer } from '../toolkit/faults.ts'
import { record } from '../toolkit/read-json.ts'
import { readJson, TooLargeError } from '../toolkit/request-body.ts'
import type { Simulator, SimulatorDeps } from '../toolkit/simulation.ts'
import { authorized, CLIENT_ID, identityFor, type SimulatedAccount, tokenEndpoint } from './simulator-accounts.ts'
import { faultAnswers, ok, problem, SimulatedRefusal, withRateHeaders } from './simulator-answers.ts'
import { append, describe, finalize, initialize, readStatus, refuseUnknown, tooLarge } from './simulator-media.ts'
import { createPost, listPosts, type Spelling, timesPublished } from './simulator-posts.ts'

const CODE_LASTS_MS = 30_000

/**
 * The pretend X: sign-in, uploads in parts, posts and their listing. It refuses what the network is known to refuse.
 * Where the documents are silent it does the worst that they allow: a post is listed late, a text that is too long is
 * refused in words that may mean anything, and what was finalized takes no more parts.
 *
 * @param options.spelling how it names the fields of posts; it knows only one of the two
 */
export function simulate(deps: SimulatorDeps, options: { spelling?: Spelling } = {}): Simulator {
  const spelling = options.spelling ?? 'post'
  return {
    identityFor: (connection) => identityFor(deps, connection),
    async handle(request, response, path) {
      const url = new URL(path, 'http://pretend')
      const [, endpoint, ...rest] = url.pathname.split('/')
      if (endpoint === 'web') return showPage(deps, request, response, rest)
      try {
        const call = `${request.method} ${rest.join('/')}`
        if (call === 'POST 2/tweets') return await visibleCall(deps, request, response)
        const answer = await answerCall(deps, request, { call, query: url.searchParams, spelling })
        sendAnswer(response, withRateHeaders(answer, deps.now()))
      } catch (error) {
        if (error instanceof TooLargeError) sendAnswer(response, withRateHeaders(tooLarge, deps.now()))
        else if (error instanceof SimulatedRefusal) sendAnswer(response, withRateHeaders(error.answer, deps.now()))
        else throw error
      }
    },
  }
}

async function answerCall(
  deps: SimulatorDeps,
  request: IncomingMessage,
  { call, query, spelling }: { call: string; query: URLSearchParams; spelling: Spelling },
): Promise<SimulatedAnswer> {
  const account = (scope: string) => authorized(deps, request, scope)
  switch (call) {
    case 'POST 2/oauth2/token':
      return tokenEndpoint(deps, request)
    case 'GET 2/users/me':
      return readMe(account('users.read'), query)
    case 'POST 2/media/upload/initialize':
      return initialize(deps, account('media.write'), request)
    case 'GET 2/media/upload':
      return readStatus(deps, account('media.write'), query)
    case 'POST 2/media/metadata':
      return describe(deps, account('media.write'), request)
  }
  const [, uploadId = '', step] = /^POST 2\/media\/upload\/(\d{1,19})\/(append|finalize)$/.exec(call) ?? []
  if (step === 'append') return append(deps, account('media.write'), request, uploadId)
  if (step === 'finalize') return finalize(deps, account('media.write'), uploadId)
  const userId = /^GET 2\/users\/(\d{1,19})\/tweets$/.exec(call)?.[1]
  if (userId !== undefined) return listPosts(deps, account('tweet.read'), userId, query, spelling)
  return problem(404, null, { title: 'Not Found', detail: 'Not Found' })
}

/** The one call that the world sees. */
async function visibleCall(deps: SimulatorDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const account = authorized(deps, request, 'tweet.write')
  const body = await readJson(request)
  const text = String(record(body)?.text ?? '')
  const digest = createHash('sha256').update(text).digest('hex')
  await answerVisibleCall({
    store: deps.store,
    response,
    key: `${account.userId}:${digest}:${timesPublished(deps, account, text)}`,
    text,
    answers: faultAnswers(deps.now()),
    accept() {
      try {
        return withRateHeaders(createPost(deps, account, body), deps.now())
      } catch (error) {
        if (error instanceof SimulatedRefusal) return withRateHeaders(error.answer, deps.now())
        throw error
      }
    },
  })
}

const USER_FIELDS = ['id', 'name', 'username', 'profile_image_url', 'subscription_type', 'verified', 'verified_type']

/** `GET /2/users/me` */
function readMe(account: SimulatedAccount, query: URLSearchParams): SimulatedAnswer {
  refuseUnknown([...query.keys()], ['user.fields', 'expansions', 'post.fields', 'tweet.fields'])
  const fields = (query.get('user.fields') ?? '').split(',').filter((each) => each !== '')
  refuseUnknown(fields, USER_FIELDS)
  const all: Record<string, unknown> = {
    id: account.userId,
    name: account.name,
    username: account.username,
    profile_image_url: 'https://abs.twimg.com/sticky/default_profile_images/default_profile_normal.png',
    subscription_type: account.premium ? 'Premium' : 'None',
    verified: account.premium,
    verified_type: account.premium ? 'blue' : 'none',
  }
  const wanted = new Set(['id', 'name', 'username', ...fields])
  return ok({ data: Object.fromEntries(Object.entries(all).filter(([name]) => wanted.has(name))) })
}

/** The consent page, and posts where the network has them: they stand where the sandbox shows all posts. */
function showPage(deps: SimulatorDeps, request: IncomingMessage, response: ServerResponse, rest: string[]): void {
  if (rest.join('/') === 'i/oauth2/authorize') {
    answerConsent(deps, request, response, { title: 'X', clientId: CLIENT_ID, codeLastsMs: CODE_LASTS_MS })
    return
  }
  const { pathname } = new URL(deps.url)
  const postId = rest.at(-2) === 'status' ? rest.at(-1) : undefined
  response.writeHead(302, { location: `${pathname}${postId ? `/p/${encodeURIComponent(postId)}` : ''}` }).end()
}
