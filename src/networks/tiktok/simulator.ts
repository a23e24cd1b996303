import { answerConsent } from '../kit/consent.ts'
import type { SimulatedAnswer } from '../kit/faults.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { type Call, showPost, simulatedApi } from '../kit/simulator.ts'
import { type Account, CLIENT_KEY, openAccounts } from './simulator-accounts.ts'
import { ok, refusal } from './simulator-answers.ts'
import { type AppPolicy, OFFERED } from './simulator-params.ts'
import { beginVideo, listVideos, publishPhotos, readStatus, takeChunk } from './simulator-posts.ts'

/** What the pretend account may do; the network gives every account a figure of its own. */
const MAX_VIDEO_SECONDS = 600
const CODE_MS = 10 * 60_000

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
  const { identityFor, authorize, answerToken, hasSignedIn } = openAccounts(deps)
  // What the operator verifies: the domain of the installation. Beside it, that of the sandbox.
  const verified = [deps.callback, deps.url].map((address) => new URL(address).hostname)
  const isVerified = (address: string) => verified.includes(new URL(address).hostname)
  const app: AppPolicy = { isAudited: true, chunks: 'documented', ...options, isVerified }
  const publishing = 'video.publish'
  return simulatedApi<Account, string>(deps, {
    identityFor,
    authorize,
    notFound: refusal(404, 'unsupported_path', 'There is no such path.'),
    tooLarge: refusal(413, 'invalid_params', 'Too large.'),
    open: {
      'GET /web/v2/auth/authorize/': ({ request, response, query }) => {
        // Who has signed in before is led back without a question, unless the app wants one.
        const asks = query.get('disable_auto_auth') === '1' || query.has('decision')
        if (hasSignedIn() && !asks) {
          const location = `?${new URLSearchParams([...query, ['decision', 'allow']])}`
          response.writeHead(302, { location }).end()
          return null
        }
        const whose = { title: 'TikTok', clientIdName: 'client_key', clientId: CLIENT_KEY, codeLastsMs: CODE_MS }
        return answerConsent(deps, request, response, whose)
      },
      'GET /web/:name/:kind/:id': (call) => showPost(call, call.at.id),
      'GET /web/:name': (call) => showPost(call),
      'PUT /upload/video/': takeChunk,
      'POST /api/v2/oauth/token/': answerToken,
    },
    routes: {
      'POST /api/v2/post/publish/creator_info/query/': [publishing, creatorInfo],
      'POST /api/v2/post/publish/video/init/': [publishing, (call) => beginVideo(call, app)],
      'POST /api/v2/post/publish/content/init/': [publishing, (call) => publishPhotos(call, app)],
      'POST /api/v2/post/publish/status/fetch/': [publishing, readStatus],
      'POST /api/v2/video/list/': ['video.list', (call) => listVideos(call, options.listsPhotos)],
    },
  })
}

function creatorInfo({ by }: Call<Account>): SimulatedAnswer {
  return ok({
    creator_avatar_url: 'https://p16.tiktokcdn.example/avatar.jpeg',
    creator_username: by.username,
    creator_nickname: by.name,
    privacy_level_options: OFFERED,
    comment_disabled: false,
    duet_disabled: false,
    stitch_disabled: false,
    max_video_post_duration_sec: MAX_VIDEO_SECONDS,
  })
}
