import type { IncomingMessage, ServerResponse } from 'node:http'
import { type SimulatedAnswer, sendAnswer } from '../toolkit/faults.ts'
import { readBytes, TooLargeError } from '../toolkit/request-body.ts'
import type { Simulator, SimulatorDeps } from '../toolkit/simulation.ts'
import { SCOPES } from './connect.ts'
import { authorized, identityFor } from './simulator-accounts.ts'
import { apiError, refuse, SimulatedRefusal } from './simulator-answers.ts'
import { listings } from './simulator-lists.ts'
import { answerToken, showConsent } from './simulator-sign-in.ts'
import { beginUpload, continueUpload, uploadAtOnce } from './simulator-uploads.ts'
import { type Behaviour, findVideo, setThumbnail } from './simulator-videos.ts'

const MAX_IMAGE_BYTES = 50 * 1024 * 1024
const UPLOADING = SCOPES.filter((scope) => scope.endsWith('.upload'))

/**
 * The pretend YouTube: Google's sign-in (`/accounts`, `/token`), the Data API with its resumable uploads (`/api`) and
 * the pages of videos (`/web`). Where the documents are silent it does the worst that they allow: it takes the first
 * piece of a file in part, refuses bytes that it has, and does not show a new video to its first reader.
 */
export function simulate(deps: SimulatorDeps, behaviour: Behaviour = {}): Simulator {
  return {
    identityFor: (connection) => identityFor(deps, connection),
    async handle(request, response, path) {
      const url = new URL(path, 'http://pretend')
      try {
        const answer = await route(deps, request, response, url, behaviour)
        if (answer) sendAnswer(response, answer)
      } catch (error) {
        if (error instanceof SimulatedRefusal) sendAnswer(response, error.answer)
        else if (error instanceof TooLargeError) sendAnswer(response, apiError(413, 'uploadTooLarge', 'Too large.'))
        else throw error
      }
    },
  }
}

/** Null: it is answered already. */
async function route(
  deps: SimulatorDeps,
  request: IncomingMessage,
  response: ServerResponse,
  { pathname, searchParams: query }: URL,
  behaviour: Behaviour,
): Promise<SimulatedAnswer | null> {
  const at = `${request.method} ${pathname}`
  switch (at) {
    case 'GET /accounts/o/oauth2/v2/auth':
      showConsent(deps, request, response)
      return null
    case 'POST /token/token':
      await answerToken(deps, request, response)
      return null
    case 'GET /web/watch':
      return showVideo(deps, query.get('v') ?? '')
    case 'POST /api/upload/youtube/v3/thumbnails/set': {
      const channel = authorized(deps, request, UPLOADING)
      const file = {
        bytes: await readBytes(request, MAX_IMAGE_BYTES),
        mimeType: request.headers['content-type'] ?? '',
      }
      if (query.get('uploadType') !== 'media') refuse(400, 'badRequest', 'uploadType must be media.')
      return setThumbnail(deps, channel, query.get('videoId') ?? '', file, behaviour)
    }
    case 'POST /api/upload/youtube/v3/videos':
    case 'PUT /api/upload/youtube/v3/videos': {
      const channel = authorized(deps, request, UPLOADING)
      const upload = { deps, request, response, query, channel, behaviour }
      if (request.method === 'PUT') return continueUpload(upload)
      if (query.get('uploadType') === 'resumable') return beginUpload(upload)
      await uploadAtOnce(upload)
      return null
    }
  }
  const listing = /^GET \/api\/youtube\/v3\/(\w+)$/.exec(at)?.[1] ?? ''
  const list = Object.hasOwn(listings, listing) ? listings[listing] : undefined
  if (!list) return { status: 404, body: '<html>Error 404 (Not Found)!!1</html>' }
  const reading = SCOPES.filter((scope) => listing === 'videoCategories' || !UPLOADING.includes(scope))
  return list({ deps, query, channel: authorized(deps, request, reading), behaviour })
}

/** Where a permalink leads. */
function showVideo(deps: SimulatorDeps, id: string): SimulatedAnswer {
  if (!findVideo(deps, id)) return { status: 404, body: 'This video is not available' }
  return { status: 302, headers: { location: `${deps.url}/p/${id}` }, body: '' }
}
