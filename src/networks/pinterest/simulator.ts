import { MINUTE_MS } from '#contract/durations'
import { answerConsent } from '../kit/consent.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { showPost, simulatedApi } from '../kit/simulator.ts'
import { answerAccount, CLIENT_ID, type Grant, openAccounts } from './simulator-accounts.ts'
import { errorAnswer } from './simulator-answers.ts'
import { readMedia, registerMedia, takeUpload } from './simulator-media.ts'
import { answerPin, listBoards, listPins, removePin } from './simulator-pins.ts'

const CODE_LASTS_MS = 10 * MINUTE_MS
const ALL_OF_PINS = ['boards:read', 'boards:write', 'pins:read', 'pins:write']

/**
 * The simulated Pinterest: the API (`/api`), sign-in and pages (`/www`), and the storage that takes in videos
 * (`/upload`). It looks at every file, fetches addresses for real and refuses what the network is known to refuse.
 * Where the documents are silent it does the worst that they allow: a pin that is sent twice is there twice, a refresh
 * token is good for one use, and a new pin is on its board only after a while.
 */
export function simulate(deps: SimulatorDeps): Simulator {
  const { identityFor, authorize, answerToken } = openAccounts(deps)
  return simulatedApi<Grant, readonly string[]>(deps, {
    identityFor,
    authorize,
    notFound: errorAnswer(404, 404, 'Not found.'),
    tooLarge: errorAnswer(413, 1, 'The request is too large.'),
    open: {
      'GET /www/oauth/': ({ request, response }) =>
        answerConsent(deps, request, response, { title: 'Pinterest', clientId: CLIENT_ID, codeLastsMs: CODE_LASTS_MS }),
      'GET /www/pin/:id/': (call) => showPost(call, call.at.id),
      'GET /www/:name/': (call) => showPost(call),
      'POST /upload/': takeUpload,
      'POST /api/v5/oauth/token': answerToken,
    },
    routes: {
      'GET /api/v5/user_account': [['user_accounts:read'], answerAccount],
      'GET /api/v5/boards': [['boards:read'], listBoards],
      'GET /api/v5/boards/:id/pins': [['boards:read', 'pins:read'], listPins],
      'POST /api/v5/media': [['pins:read', 'pins:write'], registerMedia],
      'GET /api/v5/media/:id': [['pins:read'], readMedia],
      'POST /api/v5/pins': [ALL_OF_PINS, answerPin],
      'DELETE /api/v5/pins/:id': [ALL_OF_PINS, removePin],
    },
  })
}
