import { answerConsent } from '../kit/consent.ts'
import { type FaultName, faultIn, type SimulatedAnswer, strikingFault } from '../kit/faults.ts'
import { record } from '../kit/read-json.ts'
import { readBytes, readJson } from '../kit/request-body.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { type Call as AnyCall, showPost, simulatedApi, visibly } from '../kit/simulator.ts'
import { limits } from './manifest.ts'
import { type Account, CLIENT_KEY, openAccounts } from './simulator-accounts.ts'
import { faultAnswers, invalid, ok, refusal } from './simulator-answers.ts'
import { type AppPolicy, OFFERED, readPhotoInit, readVideoInit } from './simulator-params.ts'
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
const CODE_MS = 10 * 60_000

type Call = AnyCall<Account>

/**
 * The pretend TikTok: the API (`/api`), the host of uploads (`/upload`), and the pages of the sign-in and of posts
 * (`/web`). It fetches photos and measures videos for real and refuses what the network is known to refuse. Where the
 * documents are silent it does the worst that they allow: an upload that is done is forgotten, the number of bytes that
 * are there is left out once all are, listings leave photos out, and ids come late.
 */
export function simulate(
  deps: SimulatorDeps,
  options: Partial<Omit<AppPolicy, 'isVerified'>> & { listsPhotos?: boolean } = {},
): Simulator {
  const accounts = openAccounts(deps)
  // What the operator verifies: the domain of the installation. Beside it, that of the sandbox.
  const verified = [deps.callback, deps.url].map((address) => new URL(address).hostname)
  const app: AppPolicy = {
    isAudited: true,
    chunks: 'documented',
    ...options,
    isVerified: (address) => verified.includes(new URL(address).hostname),
  }
  return simulatedApi<Account, string>(deps, {
    identityFor: (connection) => accounts.identityFor(connection),
    authorize: accounts.authorize,
    notFound: refusal(404, 'unsupported_path', 'There is no such path.'),
    tooLarge: refusal(413, 'invalid_params', 'Too large.'),
    open: {
      'GET /web/v2/auth/authorize/': ({ request, response, query }) => {
        // Who has signed in before is led back without a question, unless the app wants one.
        const asks = query.get('disable_auto_auth') === '1' || query.has('decision')
        if (accounts.hasSignedIn() && !asks) {
          const location = `?${new URLSearchParams([...query, ['decision', 'allow']])}`
          response.writeHead(302, { location }).end()
          return null
        }
        return answerConsent(deps, request, response, {
          title: 'TikTok',
          clientIdName: 'client_key',
          clientId: CLIENT_KEY,
          codeLastsMs: CODE_MS,
        })
      },
      'GET /web/:name/:kind/:id': (call) => {
        const account = accounts.byName(call.at.name?.replace('@', '') ?? '')
        const post = deps.store.posts().find(({ id, details }) => id === call.at.id && details?.kind === call.at.kind)
        return showPost(call, account ? post?.id : undefined)
      },
      'GET /web/:name': (call) => showPost(call),
      'PUT /upload/video/': upload,
      'POST /api/v2/oauth/token/': accounts.answerToken,
    },
    routes: {
      'POST /api/v2/post/publish/creator_info/query/': ['video.publish', ({ by }) => creatorInfo(by)],
      'POST /api/v2/post/publish/video/init/': ['video.publish', (call) => videoInit(call, app)],
      'POST /api/v2/post/publish/content/init/': ['video.publish', (call) => photoInit(call, app)],
      'POST /api/v2/post/publish/status/fetch/': [
        'video.publish',
        async (call) => readStatus(deps, call.by, (await jsonOf(call)).publish_id),
      ],
      'POST /api/v2/video/list/': [
        'video.list',
        async (call) => {
          await jsonOf(call)
          return listVideos(deps, call.by, call.query, { listsPhotos: options.listsPhotos ?? false })
        },
      ],
    },
  })
}

/** The visible call of a video is its last chunk, which has no words; what the network refuses it refuses here. */
async function videoInit(call: Call, app: AppPolicy): Promise<SimulatedAnswer> {
  const init = readVideoInit(await jsonOf(call), app)
  const { text, key } = describeInit(call.by, init)
  const fault = faultIn(text)
  const strikes = fault !== null && isSaidAtInit(fault) && strikingFault(call.deps.store, key, text) !== null
  return strikes ? faultAnswers[fault] : beginVideo(call.deps, call.by, init)
}

async function photoInit(call: Call, app: AppPolicy): Promise<null> {
  const init = readPhotoInit(await jsonOf(call), app)
  return visibly(call, {
    ...describeInit(call.by, init),
    answers: faultAnswers,
    accept: () => publishPhotos(call.deps, call.by, init),
  })
}

/** A chunk. The last one is the call that the world sees. */
async function upload(call: AnyCall): Promise<SimulatedAnswer | null> {
  const { deps, request, query } = call
  const job = jobOfUpload(deps, query)
  if (!job) return { status: 404, body: '' }
  const bytes = await readBytes(request, limits.lastChunkMaxBytes.value)
  const { 'content-type': type, 'content-range': range } = request.headers
  const taken = await takeChunk(deps, job, { type, range, bytes })
  if (taken.kind === 'answer') return taken.answer
  const { key, text } = job
  return visibly(call, { key, text, accept: taken.accept, answers: { '500-before': { status: 500, body: '' } } })
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

async function jsonOf({ request }: Call): Promise<Readonly<Record<string, unknown>>> {
  if (!request.headers['content-type']?.startsWith('application/json')) invalid('The body must be JSON.')
  return record(await readJson(request)) ?? invalid('The body must be a JSON object.')
}
