import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerConsent } from '../toolkit/consent.ts'
import {
  answerVisibleCall,
  type FaultName,
  faultIn,
  type SimulatedAnswer,
  sendAnswer,
  strikingFault,
} from '../toolkit/faults.ts'
import { readBytes, readForm, readJson, TooLargeError } from '../toolkit/request-body.ts'
import type { Simulator, SimulatorDeps } from '../toolkit/simulation.ts'
import { limits } from './manifest.ts'
import { type Account, CLIENT_KEY, CODE_MS, openAccounts } from './simulator-accounts.ts'
import { faultAnswers, invalid, ok, refusal, SimulatedRefusal } from './simulator-answers.ts'
import { OFFERED } from './simulator-params.ts'
import {
  beginVideo,
  describeInit,
  jobOfUpload,
  listVideos,
  publishPhotos,
  readStatus,
  takeChunk,
} from './simulator-posts.ts'

/** What the pretend account may do; the network gives every account a figure of its own. */
const MAX_VIDEO_SECONDS = 600

/**
 * The pretend TikTok: the API (`/api`), the host of uploads (`/upload`), and the pages of the sign-in and of posts
 * (`/web`). It fetches photos and measures videos for real and refuses what the network is known to refuse. Where the
 * documents are silent it does the worst that they allow: an upload that is done is forgotten, the number of bytes that
 * are there is left out once all are, listings leave photos out, and ids come late.
 */
export function simulate(deps: SimulatorDeps, options: { listsPhotos?: boolean } = {}): Simulator {
  const { store } = deps
  const accounts = openAccounts(deps)

  return {
    identityFor: (connection) => accounts.identityFor(connection),
    async handle(request, response, path) {
      const url = new URL(path, deps.url)
      const [, endpoint, ...rest] = url.pathname.split('/')
      try {
        if (endpoint === 'web') return await showPage(request, response, rest)
        if (endpoint === 'upload') return await upload(request, response, url)
        if (endpoint !== 'api' || request.method !== 'POST') throw new SimulatedRefusal(unknownPath(url.pathname))
        const answer = await callApi(request, response, `/${rest.join('/')}`, url.searchParams)
        if (answer) sendAnswer(response, answer)
      } catch (error) {
        if (error instanceof TooLargeError) return sendAnswer(response, refusal(413, 'invalid_params', 'Too large.'))
        if (!(error instanceof SimulatedRefusal)) throw error
        sendAnswer(response, error.answer)
      }
    },
  }

  /** Null when it has answered by itself. */
  async function callApi(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: URLSearchParams,
  ): Promise<SimulatedAnswer | null> {
    if (path === '/v2/oauth/token/') {
      const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
      return accounts.token(isForm ? await readForm(request) : {})
    }
    const asked = (scope: string) => accounts.authorized(request.headers.authorization, scope)
    switch (path) {
      case '/v2/post/publish/creator_info/query/':
        return creatorInfo(asked('video.publish'))
      case '/v2/post/publish/video/init/': {
        const account = asked('video.publish')
        const body = await jsonOf(request)
        const { text, key } = describeInit(account, 'video', body)
        const fault = strikingAtInit(key, text)
        return fault ?? beginVideo(deps, account, body)
      }
      case '/v2/post/publish/content/init/': {
        const account = asked('video.publish')
        const body = await jsonOf(request)
        const described = describeInit(account, 'photo', body)
        await answerVisibleCall({
          store,
          response,
          ...described,
          accept: () => publishPhotos(deps, account, body),
          answers: faultAnswers,
        })
        return null
      }
      case '/v2/post/publish/status/fetch/': {
        const account = asked('video.publish')
        return readStatus(deps, account, (await jsonOf(request)).publish_id)
      }
      case '/v2/video/list/': {
        const account = asked('video.list')
        await jsonOf(request)
        return listVideos(deps, account, query, { listsPhotos: options.listsPhotos ?? false })
      }
      default:
        return unknownPath(path)
    }
  }

  /** The visible call of a video is its last chunk, which has no words; what the network refuses it refuses here. */
  function strikingAtInit(key: string, text: string): SimulatedAnswer | null {
    const fault = faultIn(text)
    if (fault === null || !isSaidAtInit(fault)) return null
    return strikingFault(store, key, text) === null ? null : faultAnswers[fault]
  }

  async function upload(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const job = request.method === 'PUT' ? jobOfUpload(deps, url.searchParams) : null
    if (!job) return sendAnswer(response, { status: 404, body: '' })
    const bytes = await readBytes(request, limits.lastChunkMaxBytes.value)
    const { 'content-type': type, 'content-range': range } = request.headers
    const taken = await takeChunk(deps, job, { type, range, bytes })
    if (taken.kind === 'answer') return sendAnswer(response, taken.answer)
    await answerVisibleCall({
      store,
      response,
      key: job.key,
      text: job.text,
      accept: taken.accept,
      answers: { '500-before': { status: 500, body: '' } },
    })
  }

  async function showPage(request: IncomingMessage, response: ServerResponse, rest: string[]): Promise<void> {
    if (rest.join('/') === 'v2/auth/authorize/') {
      return answerConsent(deps, request, response, {
        title: 'TikTok',
        clientIdName: 'client_key',
        clientId: CLIENT_KEY,
        codeLastsMs: CODE_MS,
      })
    }
    // `@name/video/123`: the page stands where the sandbox shows all posts.
    const [who = '', kind = '', id = ''] = rest
    const account = accounts.byName(who.replace(/^@|^%40/, ''))
    const post = account && store.posts().find((each) => each.id === id && each.details?.kind === kind)
    const { pathname } = new URL(deps.url)
    response.writeHead(302, { location: post ? `${pathname}/p/${post.id}` : pathname }).end()
  }
}

const SAID_AT_INIT = ['rate-limited', 'token-expired', 'caption-too-long', 'account-suspended'] as const
const isSaidAtInit = (fault: FaultName): fault is (typeof SAID_AT_INIT)[number] =>
  SAID_AT_INIT.some((said) => said === fault)

function creatorInfo(account: Account): SimulatedAnswer {
  return ok({
    creator_avatar_url: 'https://p16.tiktokcdn.example/avatar.jpeg',
    creator_username: account.username,
    creator_nickname: account.name,
    privacy_level_options: OFFERED,
    comment_disabled: false,
    duet_disabled: false,
    stitch_disabled: false,
    max_video_post_duration_sec: MAX_VIDEO_SECONDS,
  })
}

async function jsonOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  if (!request.headers['content-type']?.startsWith('application/json')) invalid('The body must be JSON.')
  const body = await readJson(request)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return invalid('The body is not a JSON object.')
  return body as Readonly<Record<string, unknown>>
}

const unknownPath = (path: string) => refusal(404, 'unsupported_path', `There is no ${path}.`)
