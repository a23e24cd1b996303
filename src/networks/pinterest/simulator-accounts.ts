import type { IncomingMessage } from 'node:http'
import { DAY_MS } from '#contract/durations'
import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import { readBasicAuthorization } from '../kit/oauth.ts'
import { tokenEndpoint, tokenStore } from '../kit/simulated-tokens.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { bearerIn, type Call, idFor, usernameFor } from '../kit/simulator.ts'
import { SCOPES } from './connect.ts'
import { manifest } from './manifest.ts'
import { AUTHENTICATION_FAILED, errorAnswer, ok, SCOPE_MISSING } from './simulator-answers.ts'

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

/** The app that there is on the simulator. */
export const CLIENT_ID = manifest.settings.CLIENT_ID?.sandbox ?? ''
const GRANT_INVALID = errorAnswer(401, 283, 'The authorization grant is invalid')

/** Who signs in on the simulated sign-in page. */
const visitor: SimulatedAccount = {
  id: '700000000000000001',
  username: 'demo_bakery',
  name: 'Demo Bakery',
  ledgerId: '700000000000000001',
}

/** Accounts and their tokens. A refresh token is spent by its use; the access token of before lasts out its time. */
export function openAccounts(deps: SimulatorDeps) {
  const tokens = tokenStore<Grant>(deps, {
    access: { prefix: 'pina_', lastsMs: ACCESS_MS },
    refresh: { prefix: 'pinr_', lastsMs: REFRESH_MS, rotates: true },
  })
  return {
    /** The same connection has the same account, and the same tokens for as long as they work. */
    identityFor({ id: ledgerId, name }: { id: string; name: string }) {
      const account = { id: idFor(ledgerId, '8', 17), username: usernameFor(name), name, ledgerId }
      const { id: externalId, username } = account
      const { expiresAt, ...credentials } = tokens.session(externalId, { account, scope: SCOPES.join(',') })
      const profileUrl = `${deps.url}/www/${username}/`
      return { externalId, name, username, profileUrl, avatarUrl: null, credentials, expiresAt }
    },
    authorize(request: IncomingMessage, scopes: readonly string[]): Grant {
      const grant = tokens.access(bearerIn(request))
      if (!grant) throw new SimulatedRefusal(AUTHENTICATION_FAILED)
      const granted = grant.scope.split(/[\s,]+/)
      if (scopes.some((scope) => !granted.includes(scope))) throw new SimulatedRefusal(SCOPE_MISSING)
      return grant
    },
    /** `POST /v5/oauth/token` */
    answerToken: tokenEndpoint(tokens, {
      isClient(_, request) {
        const [id, secret] = readBasicAuthorization(request.headers.authorization)
        return id === CLIENT_ID && deps.tokens.isSecret('CLIENT_SECRET', secret)
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
              refresh_token_expires_at: Math.floor((deps.now().getTime() + REFRESH_MS) / 1000),
            }
          : {}),
      }),
    }),
  }
}

/** `GET /v5/user_account` */
export function answerAccount({ by }: Call<Grant>): SimulatedAnswer {
  const { id, username, name } = by.account
  return ok({ account_type: 'BUSINESS', id, username, business_name: name, profile_image: '' })
}
