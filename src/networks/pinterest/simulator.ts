import { answerConsent } from '../kit/consent.ts'
import { SimulatedRefusal } from '../kit/faults.ts'
import { record } from '../kit/read-json.ts'
import { readJson } from '../kit/request-body.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { bearerIn, type Call, showPost, simulatedApi, visibly } from '../kit/simulator.ts'
import {
  answerAccount,
  answerToken,
  CLIENT_ID,
  type Grant,
  hasScope,
  identityFor,
  openTokens,
} from './simulator-accounts.ts'
import { AUTHENTICATION_FAILED, errorAnswer, faultAnswers, invalid, SCOPE_MISSING } from './simulator-answers.ts'
import { listBoards } from './simulator-boards.ts'
import { readMedia, registerMedia, takeUpload } from './simulator-media.ts'
import { type Behaviour, createPin, listPins, readPin, removePin } from './simulator-pins.ts'

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
  const tokens = openTokens(deps)
  return simulatedApi<Grant, readonly string[]>(deps, {
    identityFor: (connection) => identityFor(deps, tokens, connection),
    authorize(request, scopes) {
      const grant = tokens.access(bearerIn(request))
      if (!grant) throw new SimulatedRefusal(AUTHENTICATION_FAILED)
      if (scopes.some((scope) => !hasScope(grant.scope, scope))) throw new SimulatedRefusal(SCOPE_MISSING)
      return grant
    },
    notFound: errorAnswer(404, 404, 'Not found.'),
    tooLarge: errorAnswer(413, 1, 'The request is too large.'),
    open: {
      'GET /www/oauth/': ({ request, response }) =>
        answerConsent(deps, request, response, { title: 'Pinterest', clientId: CLIENT_ID, codeLastsMs: CODE_LASTS_MS }),
      'GET /www/pin/:id/': (call) => showPost(call, call.at.id),
      'GET /www/:name/': (call) => showPost(call),
      'POST /upload/': takeUpload,
      'POST /api/v5/oauth/token': answerToken(deps, tokens),
    },
    routes: {
      'GET /api/v5/user_account': [['user_accounts:read'], answerAccount],
      'GET /api/v5/boards': [['boards:read'], listBoards],
      'GET /api/v5/boards/:id/pins': [['boards:read', 'pins:read'], listPins],
      'POST /api/v5/media': [['pins:read', 'pins:write'], registerMedia],
      'GET /api/v5/media/:id': [['pins:read'], readMedia],
      'GET /api/v5/pins/:id': [['boards:read', 'pins:read'], readPin],
      'DELETE /api/v5/pins/:id': [['boards:read', 'boards:write', 'pins:read', 'pins:write'], removePin],
      'POST /api/v5/pins': [
        ['boards:read', 'boards:write', 'pins:read', 'pins:write'],
        (call) => answerPin(call, behaviour),
      ],
    },
  })
}

/** The visible call: faults that the description asks for strike here. */
async function answerPin(call: Call<Grant>, behaviour: Behaviour): Promise<null> {
  const pin = record(await readJson(call.request, MAX_PIN_BYTES)) ?? invalid('the body is not a JSON object')
  const { title, description, board_id: board } = pin
  return visibly(call, {
    key: [call.by.account.id, board, title, description],
    text: description,
    answers: faultAnswers,
    accept: () => createPin(call, pin, behaviour),
  })
}
