import { answerConsent } from '../kit/consent.ts'
import type { SimulatedAnswer } from '../kit/faults.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { bearerIn, type Call, showPost, simulatedApi } from '../kit/simulator.ts'
import { answerToken, CLIENT_ID, identityFor, openTokens, type SimulatedAccount } from './simulator-accounts.ts'
import { forbid, ok, problem, refuse, refuseUnknown } from './simulator-answers.ts'
import { append, describe, finalize, initialize, readStatus } from './simulator-media.ts'
import { createPost, listPosts, removePost, type Spelling } from './simulator-posts.ts'

const CODE_LASTS_MS = 30_000

/**
 * The pretend X: sign-in, uploads in parts, posts and their listing. It refuses what the network is known to refuse.
 * Where the documents are silent it does the worst that they allow: a post is listed late, a text that is too long is
 * refused in words that may mean anything, and what was finalized takes no more parts.
 *
 * @param options.spelling how it names the fields of posts; it knows only one of the two
 */
export function simulate(deps: SimulatorDeps, { spelling = 'post' }: { spelling?: Spelling } = {}): Simulator {
  const tokens = openTokens(deps)
  return simulatedApi<SimulatedAccount, string>(deps, {
    identityFor: (connection) => identityFor(deps, connection),
    authorize(request, scope) {
      const claims = tokens.access(bearerIn(request)) ?? refuse(problem(401, 'Unauthorized'))
      if (claims.scope.split(' ').includes(scope)) return claims.account
      return forbid(`Your client token lacks a required scope: ${scope}`)
    },
    notFound: problem(404, 'Not Found'),
    tooLarge: problem(413, 'Payload Too Large'),
    open: {
      'GET /web/i/oauth2/authorize': ({ request, response }) =>
        answerConsent(deps, request, response, { title: 'X', clientId: CLIENT_ID, codeLastsMs: CODE_LASTS_MS }),
      'GET /web/:name/status/:id': (call) => showPost(call, call.at.id),
      'GET /web/:name': (call) => showPost(call),
      'POST /api/2/oauth2/token': answerToken(deps, tokens),
    },
    routes: {
      'GET /api/2/users/me': ['users.read', readMe],
      'POST /api/2/media/upload/initialize': ['media.write', initialize],
      'POST /api/2/media/upload/:id/append': ['media.write', append],
      'POST /api/2/media/upload/:id/finalize': ['media.write', finalize],
      'GET /api/2/media/upload': ['media.write', readStatus],
      'POST /api/2/media/metadata': ['media.write', describe],
      'GET /api/2/users/:id/tweets': ['tweet.read', (call) => listPosts(call, spelling)],
      'POST /api/2/tweets': ['tweet.write', createPost],
      'DELETE /api/2/tweets/:id': ['tweet.write', removePost],
    },
  })
}

/** `GET /2/users/me` */
function readMe({ by: account, query }: Call<SimulatedAccount>): SimulatedAnswer {
  refuseUnknown(query.keys(), ['user.fields'])
  const user: Record<string, unknown> = {
    id: account.userId,
    name: account.name,
    username: account.username,
    profile_image_url: 'https://abs.twimg.com/sticky/default_profile_images/default_profile_normal.png',
    subscription_type: account.premium ? 'Premium' : 'None',
    verified_type: account.premium ? 'blue' : 'none',
  }
  const fields = (query.get('user.fields') ?? '').split(',').filter((each) => each !== '')
  refuseUnknown(fields, Object.keys(user))
  const shown = ['id', 'name', 'username', ...fields]
  return ok(Object.fromEntries(Object.entries(user).filter(([name]) => shown.includes(name))))
}
