import { answerConsent } from '../kit/consent.ts'
import { readBasicAuthorization } from '../kit/oauth.ts'
import { oauthError, tokenEndpoint, tokenStore } from '../kit/simulated-tokens.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { bearerIn, idFor, showPost, simulatedApi, usernameFor } from '../kit/simulator.ts'
import { manifest, SCOPES } from './manifest.ts'
import { type Account, forbid, ok, picked, problem, refuse } from './simulator-answers.ts'
import { append, describe, finalize, initialize, readStatus } from './simulator-media.ts'
import { createPost, listPosts, readPost, removePost } from './simulator-posts.ts'

const CODE_LASTS_MS = 30_000
const ACCESS_SECONDS = 7_200
const [ACCESS, REFRESH] = ['XSANDBOX-A-', 'XSANDBOX-R-'] as const
const CLIENT_ID = manifest.settings.CLIENT_ID?.sandbox ?? ''
const AVATAR = 'https://abs.twimg.com/sticky/default_profile_images/default_profile_normal.png'

/** A sandbox connection. */
type Connection = Pick<Parameters<Simulator['identityFor']>[0], 'id' | 'name'>

const accountOf = ({ id, name }: Connection): Account => ({
  userId: idFor(id, '1', 17),
  ledgerId: id,
  username: usernameFor(name).slice(0, 15),
  name,
  premium: /\bpremium\b/i.test(name),
  promotes: /\bads\b/i.test(name),
  isSilent: /\bsilent\b/i.test(name),
})
/** The account that signs in on the simulated network's own pages. */
const signedIn = accountOf({ id: 'pretend sign-in', name: 'Demo Person' })

const invalidValue = (what: string) => oauthError(400, 'invalid_request', `Value passed for the ${what} was invalid.`)

/**
 * The simulated X: sign-in, uploads in parts, posts and their listing. It refuses what the network is known to refuse.
 * Where the documents are silent it does the worst that they allow: a post is listed late, a text that is too long is
 * refused in words that may mean anything, and what was finalized takes no more parts.
 *
 * Tokens last two hours; a refresh token is good for one use, and the old one is dead before the answer is on its way. The
 * same connection has the same identity and tokens in every process and after every restart: its access token does not
 * end.
 */
export function simulate(deps: SimulatorDeps): Simulator {
  const access = { prefix: ACCESS, lastsMs: ACCESS_SECONDS * 1000 }
  const refresh = { prefix: REFRESH, lastsMs: null, rotates: true }
  const tokens = tokenStore(deps, { access, refresh }, (of) => ({
    account: accountOf(of as Connection),
    scope: SCOPES.join(' '),
  }))
  return simulatedApi<Account, string>(deps, {
    identityFor({ id, name }) {
      const { userId: externalId, username, premium } = accountOf({ id, name })
      const [profileUrl, facts] = [`${deps.url}/web/${username}`, { longPosts: premium }]
      const accessToken = ACCESS + deps.tokens.write('access', { id, name })
      const credentials = { accessToken, refreshToken: REFRESH + deps.tokens.write('refresh', { id, name }) }
      return { externalId, name, username, profileUrl, avatarUrl: null, facts, credentials, expiresAt: null }
    },
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
      'POST /api/2/oauth2/token': tokenEndpoint(tokens, {
        /** Every client names itself in the form; the app of the sandbox is a confidential one and proves it in the header. */
        isClient(form, request) {
          const [id, secret] = readBasicAuthorization(request.headers.authorization)
          return form.client_id === CLIENT_ID && id === CLIENT_ID && deps.tokens.isSecret('CLIENT_SECRET', secret)
        },
        refusals: {
          client: oauthError(401, 'unauthorized_client', 'Missing valid authorization header'),
          grantType: oauthError(400, 'unsupported_grant_type', 'Value passed for the grant type was invalid.'),
          code: invalidValue('authorization code'),
          redirectUri: invalidValue('redirect uri'),
          verifier: invalidValue('code verifier'),
          refreshToken: invalidValue('token'),
        },
        signIn: ({ scope, codeChallenge }) =>
          codeChallenge === null ? null : { account: { ...signedIn, ledgerId: signedIn.userId }, scope },
        body: ({ accessToken, refreshToken }, { scope }) => ({
          token_type: 'bearer',
          expires_in: ACCESS_SECONDS,
          access_token: accessToken,
          scope,
          ...(scope.split(' ').includes('offline.access') ? { refresh_token: refreshToken } : {}),
        }),
      }),
    },
    routes: {
      'GET /api/2/users/me': [
        'users.read',
        ({ by: { userId, name, username, premium }, query }) => {
          const [subscription_type, verified_type] = premium ? ['Premium', 'blue'] : ['None', 'none']
          const user = { id: userId, name, username, profile_image_url: AVATAR, subscription_type, verified_type }
          return ok(picked(query, 'user.fields', Object.keys(user), ['id', 'name', 'username'])(user))
        },
      ],
      'POST /api/2/media/upload/initialize': ['media.write', initialize],
      'POST /api/2/media/upload/:id/append': ['media.write', append],
      'POST /api/2/media/upload/:id/finalize': ['media.write', finalize],
      'GET /api/2/media/upload': ['media.write', readStatus],
      'POST /api/2/media/metadata': ['media.write', describe],
      'GET /api/2/users/:id/tweets': ['tweet.read', listPosts],
      'POST /api/2/tweets': ['tweet.write', createPost],
      'GET /api/2/tweets/:id': ['tweet.read', readPost],
      'DELETE /api/2/tweets/:id': ['tweet.write', removePost],
    },
  })
}
