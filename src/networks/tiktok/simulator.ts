import { createHash } from 'node:crypto'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations'
import { answerConsent } from '../kit/consent.ts'
import { oauthError, tokenEndpoint, tokenStore } from '../kit/simulated-tokens.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { type Answering, bearerIn, showPost, simulatedApi, usernameFor } from '../kit/simulator.ts'
import { manifest } from './manifest.ts'
import { settingsIn } from './simulator-accounts.ts'
import { appRoutes } from './simulator-inbox.ts'
import { digits, refusal, refuse } from './simulator-jobs.ts'
import { type Account, type AppPolicy, routesOf, takeChunk } from './simulator-posts.ts'

/** As the newest pages have it; accounts that the sandbox makes keep to the older ones, so that they can wait. */
const ACCESS_MS = 2 * HOUR_MS
const SANDBOX_ACCESS_MS = DAY_MS
const REFRESH_MS = 180 * DAY_MS
const CODE_MS = 10 * MINUTE_MS

const sandboxValue = (name: string) => manifest.settings[name]?.sandbox ?? ''
const CLIENT_KEY = sandboxValue('CLIENT_KEY')
const CONSENT = { title: 'TikTok', clientIdName: 'client_key', clientId: CLIENT_KEY, codeLastsMs: CODE_MS }

/** Who signs in on the simulated page: always the same person. */
const PERSON = { id: 'the person who signs in', name: 'Demo Baker' }

const openIdOf = (id: string) => `-000${createHash('sha256').update(id).digest('base64url').slice(0, 32)}`
const oauthRefusal = (status: number, error: string, words: string) =>
  oauthError(status, error, words, { log_id: digits(30) })
const invalidCode = oauthRefusal(200, 'invalid_grant', 'Authorization code is expired.')

/**
 * The simulated TikTok: the API (`/api`), the host of uploads (`/upload`), and the pages of the sign-in and of posts
 * (`/web`). It fetches photos and measures videos for real and refuses what the network is known to refuse. Where the
 * documents are silent it does the worst that they allow: an upload that is done is forgotten, the number of bytes that
 * are there is left out once all are, listings leave photos out, and ids come late.
 */
export function simulate(deps: SimulatorDeps, options: Partial<AppPolicy> = {}): Simulator {
  const { store } = deps
  const app: AppPolicy = { isAudited: true, isAccountPrivate: false, chunks: 'documented', drafts: 5, ...options }
  // A refresh token is good for one refresh; an access token that was given before works until its time is over.
  const tokens = tokenStore<{ openId: string; scope: string }>(deps, {
    access: { prefix: 'act.', lastsMs: ACCESS_MS },
    refresh: { prefix: 'rft.', lastsMs: REFRESH_MS, rotates: true },
  })

  function account({ id, name }: { id: string; name: string }, ledgerId = openIdOf(id)): Account {
    const openId = openIdOf(id)
    const known = store.get<Account>('accounts', openId)
    if (known) return known
    const { name: shown, settings } = settingsIn(name)
    const made = { openId, ledgerId, username: usernameFor(shown), name: shown, settings }
    store.put('accounts', openId, made)
    return made
  }

  /** `POST /v2/oauth/token/`. Refusals come with HTTP 200 too. */
  const answerToken: Answering = tokenEndpoint(tokens, {
    isClient: (form) => form.client_key === CLIENT_KEY && deps.tokens.isSecret('CLIENT_SECRET', form.client_secret),
    refusals: {
      client: oauthRefusal(401, 'invalid_client', 'Client key or secret is incorrect.'),
      grantType: oauthRefusal(400, 'unsupported_grant_type', 'Grant type is not supported.'),
      code: invalidCode,
      redirectUri: invalidCode,
      refreshToken: oauthRefusal(200, 'invalid_grant', 'Refresh token is invalid or expired.'),
    },
    signIn: ({ scope }) => ({ openId: account(PERSON).openId, scope }),
    body: ({ accessToken, refreshToken }, { openId, scope }) => ({
      access_token: accessToken,
      expires_in: ACCESS_MS / 1000,
      open_id: openId,
      refresh_expires_in: REFRESH_MS / 1000,
      refresh_token: refreshToken,
      scope,
      token_type: 'Bearer',
    }),
  })

  return simulatedApi<Account, string>(deps, {
    /** The same connection has the same account, and the same tokens for as long as they can be used. */
    identityFor(connection) {
      const { openId, name, username } = account(connection, connection.id)
      const scope = sandboxValue('SCOPES')
      const { expiresAt, ...session } = tokens.session(openId, { openId, scope }, { accessMs: SANDBOX_ACCESS_MS })
      const credentials = { ...session, scope }
      return { externalId: openId, name, username, profileUrl: deps.url, avatarUrl: null, credentials, expiresAt }
    },
    /** The account of the bearer token, when it was allowed what is asked for. */
    authorize(request, scope) {
      const token = tokens.access(bearerIn(request))
      const owner = token && store.get<Account>('accounts', token.openId)
      if (!owner) return refuse(401, 'access_token_invalid', 'The access token is invalid or not found in the request.')
      const scopes = token.scope.split(',')
      if (scope.split('|').some((each) => scopes.includes(each))) return { ...owner, scopes }
      return refuse(401, 'scope_not_authorized', 'The user did not authorize the scope required for this request.')
    },
    notFound: refusal(404, 'unsupported_path', 'There is no such path.'),
    tooLarge: refusal(413, 'invalid_params', 'Too large.'),
    open: {
      'GET /web/v2/auth/authorize/': ({ request, response, query }) => {
        // Who has signed in before is led back without a question, unless the app wants one.
        const asks = query.get('disable_auto_auth') === '1' || query.has('decision')
        const hasSignedIn = store.get('accounts', openIdOf(PERSON.id)) !== undefined
        if (asks || !hasSignedIn) return answerConsent(deps, request, response, CONSENT)
        const location = `?${new URLSearchParams([...query, ['decision', 'allow']])}`
        return { status: 302, headers: { location }, body: '' }
      },
      'GET /web/:name/:kind/:id': (call) => showPost(call, call.at.id),
      'GET /web/:name': (call) => showPost(call),
      ...appRoutes,
      'PUT /upload/video/': takeChunk,
      'POST /api/v2/oauth/token/': answerToken,
    },
    routes: routesOf(app),
  })
}
