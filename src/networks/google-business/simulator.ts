import { record } from '../kit/read-json.ts'
import { readJson } from '../kit/request-body.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { type Answering, type Call, simulatedApi, visibly } from '../kit/simulator.ts'
import { identityFor, listAccounts, listLocations, openSignIn, type Principal } from './simulator-accounts.ts'
import { faultAnswers, notFound, rpcError } from './simulator-answers.ts'
import { createPost, listPosts, readPost, removePost, reviewPosts } from './simulator-posts.ts'

/** Of the location that manages its posts through an account. */
const POSTS = '/posts/v4/accounts/:account/locations/:location/localPosts'

/**
 * The simulated Google: its sign-in, the accounts and locations of a person, and the posts of a location. A post is taken
 * at once and looked at later: only then is its photo fetched, and only then does it go live or is rejected. Where the
 * documents are silent it does the worst that they allow: listings lag, pages are short, the address of a post's page
 * comes late.
 */
export function simulate(deps: SimulatorDeps): Simulator {
  const signIn = openSignIn(deps)
  return simulatedApi<Principal, null>(deps, {
    identityFor: (connection) => identityFor(deps, connection),
    authorize: signIn.authorize,
    notFound,
    tooLarge: rpcError(413, 'Request payload size exceeds the limit.'),
    open: {
      'GET /authorize/o/oauth2/v2/auth': signIn.page,
      'POST /token/token': signIn.answerToken,
    },
    routes: {
      'GET /accounts/v1/accounts': [null, listAccounts],
      'GET /locations/v1/accounts/:account/locations': [null, listLocations],
      [`GET ${POSTS}`]: [null, reviewed(listPosts)],
      [`GET ${POSTS}/:id`]: [null, reviewed(readPost)],
      [`DELETE ${POSTS}/:id`]: [null, reviewed(removePost)],
      [`POST ${POSTS}`]: [null, reviewed(post)],
    },
  })
}

/** Posts whose time has come are looked at before anything is said about them. */
const reviewed =
  (answer: Answering<Principal>): Answering<Principal> =>
  async (call) => {
    await reviewPosts(call.deps)
    return answer(call)
  }

/** The call that makes a post. */
async function post(call: Call<Principal>): Promise<null> {
  const body = await readJson(call.request)
  const text = String(record(body)?.summary ?? '')
  return visibly(call, { key: [call.at, text], text, answers: faultAnswers, accept: () => createPost(call, body) })
}
