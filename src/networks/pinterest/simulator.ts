import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerConsent } from '../toolkit/consent.ts'
import { answerVisibleCall, type SimulatedAnswer, sendAnswer } from '../toolkit/faults.ts'
import { readJson, TooLargeError } from '../toolkit/request-body.ts'
import type { Simulator, SimulatorDeps } from '../toolkit/simulation.ts'
import { answerAccount, answerToken, authorized, CLIENT_ID, identityFor } from './simulator-accounts.ts'
import { errorAnswer, faultAnswers, invalid, SimulatedRefusal } from './simulator-answers.ts'
import { listBoards } from './simulator-boards.ts'
import { readMedia, registerMedia, takeUpload } from './simulator-media.ts'
import { type Behaviour, createPin, listPins, readPin } from './simulator-pins.ts'
import type { Params } from './simulator-source.ts'

/** Five images of 20 MB in base64. */
const MAX_PIN_BYTES = 140_000_000
const CODE_LASTS_MS = 10 * 60_000

/**
 * The pretend Pinterest: the API (`/api`), sign-in and pages (`/www`), and the storage that takes in videos
 * (`/upload`). It looks at every file, fetches addresses for real and refuses what the network is known to refuse.
 * Where the documents are silent it does the worst that they allow: a pin that is sent twice is there twice, a refresh
 * token is good for one use, and a new pin stands on its board only after a while.
 */
export function simulate(deps: SimulatorDeps, behaviour: Behaviour = {}): Simulator {
  return {
    identityFor: (connection) => identityFor(deps, connection),
    async handle(request, response, path) {
      const url = new URL(path, 'http://pretend')
      try {
        const answer = await answerRequest(deps, behaviour, request, response, url)
        if (answer) sendAnswer(response, answer)
      } catch (error) {
        if (error instanceof TooLargeError) sendAnswer(response, errorAnswer(413, 1, 'The request is too large.'))
        else if (error instanceof SimulatedRefusal) sendAnswer(response, error.answer)
        else throw error
      }
    },
  }
}

/** Null when the answer is sent already. */
async function answerRequest(
  deps: SimulatorDeps,
  behaviour: Behaviour,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<SimulatedAnswer | null> {
  const [, endpoint = '', ...path] = url.pathname.split('/')
  if (endpoint === 'www') return answerPage(deps, request, response, path)
  if (endpoint === 'upload' && request.method === 'POST') return takeUpload(deps, request, url.searchParams)
  if (endpoint !== 'api') return errorAnswer(404, 404, 'Not found.')
  const [, first = '', id = ''] = path
  const query = url.searchParams
  const by = (...scopes: string[]) => authorized(deps, request, scopes)
  // Ids in a path are what they are called here: `boards/{id}/pins`.
  const call = `${request.method} ${path.map((part, index) => (index === 2 && first !== 'oauth' ? '{id}' : part)).join('/')}`
  switch (call) {
    case 'POST v5/oauth/token':
      return answerToken(deps, request)
    case 'GET v5/user_account':
      return answerAccount(by('user_accounts:read').account)
    case 'GET v5/boards': {
      const { account, scope } = by('boards:read')
      return listBoards(account, scope, query)
    }
    case 'GET v5/boards/{id}/pins':
      return listPins(deps, by('boards:read', 'pins:read'), id, query)
    case 'POST v5/media':
      return registerMedia(deps, by('pins:read', 'pins:write').account, request)
    case 'GET v5/media/{id}':
      return readMedia(deps, by('pins:read').account, id)
    case 'GET v5/pins/{id}':
      return readPin(deps, by('boards:read', 'pins:read').account, id)
    case 'POST v5/pins':
      await answerPin(deps, behaviour, request, response, by('boards:read', 'boards:write', 'pins:read', 'pins:write'))
      return null
    default:
      return errorAnswer(404, 404, 'Not found.')
  }
}

/** The visible call: faults that the description asks for strike here. */
async function answerPin(
  deps: SimulatorDeps,
  behaviour: Behaviour,
  request: IncomingMessage,
  response: ServerResponse,
  by: ReturnType<typeof authorized>,
): Promise<void> {
  const params = await readJson(request, MAX_PIN_BYTES)
  if (typeof params !== 'object' || params === null || Array.isArray(params)) invalid('the body is not a JSON object')
  const { title, description, board_id: board } = params as Params
  const key = createHash('sha256')
    .update(JSON.stringify([by.account.id, board, title, description]))
    .digest('hex')
  await answerVisibleCall({
    store: deps.store,
    response,
    key,
    text: String(description ?? ''),
    answers: faultAnswers,
    async accept() {
      try {
        return await createPin(deps, by, params as Params, behaviour)
      } catch (error) {
        if (error instanceof SimulatedRefusal) return error.answer
        throw error
      }
    },
  })
}

/** `oauth/` is the sign-in; pages of pins and people stand where the sandbox shows its own. */
function answerPage(
  deps: SimulatorDeps,
  request: IncomingMessage,
  response: ServerResponse,
  [first = '', id = '']: string[],
): null {
  if (first === 'oauth') {
    answerConsent(deps, request, response, { title: 'Pinterest', clientId: CLIENT_ID, codeLastsMs: CODE_LASTS_MS })
    return null
  }
  const { pathname } = new URL(deps.url)
  response.writeHead(302, { location: first === 'pin' ? `${pathname}/p/${id}` : pathname }).end()
  return null
}
