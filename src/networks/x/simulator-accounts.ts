import type { SimulatedAnswer } from '../kit/faults.ts'
import { readBasicAuthorization } from '../kit/oauth.ts'
import { type TokenStore, tokenEndpoint, tokenStore } from '../kit/simulated-tokens.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { type Answering, idFor, usernameFor } from '../kit/simulator.ts'
import type { NetworkIdentity } from '../network.ts'
import { manifest, SCOPES } from './manifest.ts'

/** A pretend account. */
export interface SimulatedAccount {
  userId: string
  /** Under which the ledger lists its posts. */
  ledgerId: string
  username: string
  name: string
  /** Those with the word Premium in their name may write long posts and send long videos. */
  premium: boolean
}

interface Claims {
  account: SimulatedAccount
  scope: string
}
/** A sandbox connection. */
type Connection = Pick<Parameters<Simulator['identityFor']>[0], 'id' | 'name'>

const ACCESS_SECONDS = 7_200
const [ACCESS, REFRESH] = ['XSANDBOX-A-', 'XSANDBOX-R-'] as const
export const CLIENT_ID = manifest.settings.CLIENT_ID?.sandbox ?? ''

/** Tokens of two hours. A refresh token is good for one use; the old one is dead before the answer is on its way. */
export function openTokens(deps: SimulatorDeps): TokenStore<Claims> {
  const access = { prefix: ACCESS, lastsMs: ACCESS_SECONDS * 1000 }
  const refresh = { prefix: REFRESH, lastsMs: null, rotates: true }
  const scope = SCOPES.join(' ')
  return tokenStore(deps, { access, refresh }, (of) => ({ account: accountOf(of as Connection), scope }))
}

/**
 * The same connection has the same identity and the same tokens, in every process and after every restart. Its access
 * token does not end; its refresh token is good for one use, as all are.
 */
export function identityFor({ tokens, url }: SimulatorDeps, { id, name }: Connection): NetworkIdentity {
  const { userId, username, premium } = accountOf({ id, name })
  return {
    externalId: userId,
    name,
    username,
    profileUrl: `${url}/web/${username}`,
    avatarUrl: null,
    facts: { longPosts: premium },
    credentials: {
      accessToken: ACCESS + tokens.write('access', { id, name }),
      refreshToken: REFRESH + tokens.write('refresh', { id, name }),
    },
    expiresAt: null,
  }
}

const accountOf = ({ id, name }: Connection): SimulatedAccount => ({
  userId: idFor(id, '1', 17),
  ledgerId: id,
  username: usernameFor(name).slice(0, 15),
  name,
  premium: /\bpremium\b/i.test(name),
})

/** The account that signs in on the pretend network's own pages. */
const signedIn = accountOf({ id: 'pretend sign-in', name: 'Pretend Person' })

/**
 * `POST /2/oauth2/token`. Every client names itself in the form; the app of the sandbox is a confidential one and proves
 * it in the header.
 */
export const answerToken = (deps: SimulatorDeps, tokens: TokenStore<Claims>): Answering =>
  tokenEndpoint(tokens, {
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
  })

const invalidValue = (what: string) => oauthError(400, 'invalid_request', `Value passed for the ${what} was invalid.`)

const oauthError = (status: number, error: string, description: string): SimulatedAnswer => ({
  status,
  body: { error, error_description: description },
})
