import type { SimulatedAnswer } from '../kit/faults.ts'
import { readBasicAuthorization } from '../kit/oauth.ts'
import { type TokenStore, tokenEndpoint, tokenStore } from '../kit/simulated-tokens.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { type Answering, type Call, idFor, usernameFor } from '../kit/simulator.ts'
import { SCOPES } from './connect.ts'
import { manifest } from './manifest.ts'
import { AUTHENTICATION_FAILED, errorAnswer, ok } from './simulator-answers.ts'

const DAY_MS = 24 * 3_600_000
const [ACCESS_MS, REFRESH_MS] = [30 * DAY_MS, 60 * DAY_MS]

export interface SimulatedAccount {
  id: string
  username: string
  name: string
  /** Under which the ledger holds its pins: the connection, or the account's own id after a sign-in. */
  ledgerId: string
}

/** Who asks, and what was allowed. */
export interface Grant {
  account: SimulatedAccount
  scope: string
}
export type Tokens = TokenStore<Grant>

/** The app that there is on the pretend network. */
export const CLIENT_ID = manifest.settings.CLIENT_ID?.sandbox ?? ''
const GRANT_INVALID = errorAnswer(401, 283, 'The authorization grant is invalid')

/** Who signs in on the pretend sign-in page. */
const visitor: SimulatedAccount = {
  id: '700000000000000001',
  username: 'pretend_bakery',
  name: 'Pretend Bakery',
  ledgerId: '700000000000000001',
}

/** A refresh token is spent by its use; the access token of before lasts out its time. */
export const openTokens = (deps: SimulatorDeps): Tokens =>
  tokenStore<Grant>(deps, {
    access: { prefix: 'pina_', lastsMs: ACCESS_MS },
    refresh: { prefix: 'pinr_', lastsMs: REFRESH_MS, rotates: true },
  })

/** The same connection has the same account, and the same tokens for as long as they work. */
export const identities =
  ({ url }: SimulatorDeps, tokens: Tokens): Simulator['identityFor'] =>
  ({ id: ledgerId, name }) => {
    const [externalId, username] = [idFor(ledgerId, '8', 17), usernameFor(name)]
    const account = { id: externalId, username, name, ledgerId }
    const { expiresAt, ...credentials } = tokens.session(externalId, { account, scope: SCOPES.join(',') })
    return {
      externalId,
      name,
      username,
      profileUrl: `${url}/www/${username}/`,
      avatarUrl: null,
      credentials,
      expiresAt,
    }
  }

export const hasScope = (granted: string, scope: string): boolean => granted.split(/[\s,]+/).includes(scope)

/** `POST /v5/oauth/token` */
export const answerToken = ({ tokens: { isSecret }, now }: SimulatorDeps, tokens: Tokens): Answering =>
  tokenEndpoint(tokens, {
    isClient(_, request) {
      const [id, secret] = readBasicAuthorization(request.headers.authorization)
      return id === CLIENT_ID && isSecret('CLIENT_SECRET', secret)
    },
    refusals: {
      client: AUTHENTICATION_FAILED,
      grantType: errorAnswer(400, 1, 'Invalid request: grant_type'),
      code: GRANT_INVALID,
      redirectUri: GRANT_INVALID,
      refreshToken: GRANT_INVALID,
    },
    signIn: ({ scope }) => ({ account: visitor, scope }),
    body: ({ accessToken, refreshToken }, { scope }, { form, renewed }) => ({
      response_type: form.grant_type,
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: ACCESS_MS / 1000,
      scope,
      ...(renewed || form.continuous_refresh === 'true'
        ? {
            refresh_token: refreshToken,
            refresh_token_expires_in: REFRESH_MS / 1000,
            refresh_token_expires_at: Math.floor((now().getTime() + REFRESH_MS) / 1000),
          }
        : {}),
    }),
  })

/** `GET /v5/user_account` */
export function answerAccount({ by }: Call<Grant>): SimulatedAnswer {
  const { id, username, name } = by.account
  return ok({ account_type: 'BUSINESS', id, username, business_name: name, profile_image: '' })
}
