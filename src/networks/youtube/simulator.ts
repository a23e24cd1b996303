import { answerConsent } from '../kit/consent.ts'
import type { SimulatedAnswer } from '../kit/faults.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { bearerIn, type Call, showPost, simulatedApi } from '../kit/simulator.ts'
import { SCOPES } from './connect.ts'
import {
  answerToken,
  CLIENT_ID,
  channelOf,
  identityFor,
  openTokens,
  type SimulatedChannel,
} from './simulator-accounts.ts'
import { apiError, refuse, SimulatedRefusal, unauthorized } from './simulator-answers.ts'
import { listCategories, listChannels, listUploads, listVideos } from './simulator-lists.ts'
import { beginUpload, continueUpload, uploadAtOnce } from './simulator-uploads.ts'
import { type Behaviour, findVideo, setThumbnail } from './simulator-videos.ts'

const CODE_MS = 10 * 60_000
const UPLOADING = SCOPES.filter((scope) => scope.endsWith('.upload'))
const READING = SCOPES.filter((scope) => !UPLOADING.includes(scope))

/**
 * The pretend YouTube: Google's sign-in (`/accounts`, `/token`), the Data API with its resumable uploads (`/api`) and
 * the pages of videos (`/web`). Where the documents are silent it does the worst that they allow: it takes the first
 * piece of a file in part, refuses bytes that it has, and does not show a new video to its first reader.
 */
export function simulate(deps: SimulatorDeps, behaviour: Behaviour = {}): Simulator {
  const tokens = openTokens(deps)
  // A route wants one of its scopes.
  return simulatedApi<SimulatedChannel, readonly string[]>(deps, {
    identityFor: (connection) => identityFor(deps, connection),
    authorize(request, scopes) {
      const claims = tokens.access(bearerIn(request))
      if (!claims) throw new SimulatedRefusal(unauthorized())
      const granted = claims.scope.split(' ')
      if (scopes.some((scope) => granted.includes(scope))) return channelOf(claims)
      return refuse(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.')
    },
    notFound: { status: 404, body: '<html>Error 404 (Not Found)!!1</html>' },
    tooLarge: apiError(413, 'uploadTooLarge', 'Too large.'),
    open: {
      'GET /accounts/o/oauth2/v2/auth': ({ request, response }) =>
        answerConsent(deps, request, response, { title: 'Google', clientId: CLIENT_ID, codeLastsMs: CODE_MS }),
      'POST /token/token': answerToken(deps, tokens),
      'GET /web/watch': showVideo,
    },
    routes: {
      'POST /api/upload/youtube/v3/thumbnails/set': [UPLOADING, (call) => setThumbnail(call, behaviour)],
      'POST /api/upload/youtube/v3/videos': [
        UPLOADING,
        (call) =>
          call.query.get('uploadType') === 'resumable' ? beginUpload(call, behaviour) : uploadAtOnce(call, behaviour),
      ],
      'PUT /api/upload/youtube/v3/videos': [UPLOADING, (call) => continueUpload(call, behaviour)],
      'GET /api/youtube/v3/channels': [READING, (call) => listChannels(call, behaviour)],
      'GET /api/youtube/v3/videos': [READING, listVideos],
      'GET /api/youtube/v3/playlistItems': [READING, (call) => listUploads(call, behaviour)],
      'GET /api/youtube/v3/videoCategories': [SCOPES, listCategories],
    },
  })
}

/** Where a permalink leads. */
function showVideo(call: Call): SimulatedAnswer | null {
  const id = call.query.get('v') ?? ''
  return findVideo(call.deps, id) ? showPost(call, id) : { status: 404, body: 'This video is not available' }
}
