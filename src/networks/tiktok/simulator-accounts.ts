import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { tokenEndpoint, tokenStore } from '../kit/simulated-tokens.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { type Answering, bearerIn, usernameFor } from '../kit/simulator.ts'
import { manifest } from './manifest.ts'
import { digits, refuse } from './simulator-answers.ts'

/** A pretend account. */
export interface Account {
  openId: string
  /** Under which its posts stand in the ledger: the connection of the sandbox, else the account itself. */
  ledgerId: string
  username: string
  name: string
}

const HOUR = 3_600_000
/** As the newest pages have it; accounts that the sandbox makes keep to the older ones, so that they can wait. */
const ACCESS_MS = 2 * HOUR
const SANDBOX_ACCESS_MS = 24 * HOUR
const REFRESH_MS = 180 * 24 * HOUR

const sandboxValue = (name: string) => manifest.settings[name]?.sandbox ?? ''
export const CLIENT_KEY = sandboxValue('CLIENT_KEY')

/** Who signs in on the pretend page: always the same person. */
const PERSON = { id: 'the person who signs in', name: 'Pretend Baker' }

const openIdOf = (id: string) => `-000${createHash('sha256').update(id).digest('base64url').slice(0, 32)}`
const oauthError = (status: number, error: string, description: string) => ({
  status,
  body: { error, error_description: description, log_id: digits(30) },
})

/** The accounts of the pretend network, their tokens and the sign-in. */
export function openAccounts(deps: SimulatorDeps) {
  const { store } = deps
  // A refresh token is good for one refresh; an access token that was given before works until its time is over.
  const tokens = tokenStore<{ openId: string; scope: string }>(deps, {
    access: { prefix: 'act.', lastsMs: ACCESS_MS },
    refresh: { prefix: 'rft.', lastsMs: REFRESH_MS, rotates: true },
  })

  function account({ id, name }: { id: string; name: string }, ledgerId: string | null): Account {
    const openId = openIdOf(id)
    const known = store.get<Account>('accounts', openId)
    if (known) return known
    const made = { openId, ledgerId: ledgerId ?? openId, username: usernameFor(name), name }
    store.put('accounts', openId, made)
    return made
  }

  /** The same connection has the same account, and the same tokens for as long as they can be used. */
  const identityFor: Simulator['identityFor'] = (connection) => {
    const { openId, name, username } = account(connection, connection.id)
    const scope = sandboxValue('SCOPES')
    const { expiresAt, ...session } = tokens.session(openId, { openId, scope }, { accessMs: SANDBOX_ACCESS_MS })
    const credentials = { ...session, scope }
    return { externalId: openId, name, username, profileUrl: deps.url, avatarUrl: null, credentials, expiresAt }
  }

  /** `POST /v2/oauth/token/`. Refusals come with HTTP 200 too. */
  const answerToken: Answering = tokenEndpoint(tokens, {
    isClient: (form) => form.client_key === CLIENT_KEY && deps.tokens.isSecret('CLIENT_SECRET', form.client_secret),
    refusals: {
      client: oauthError(401, 'invalid_client', 'Client key or secret is incorrect.'),
      grantType: oauthError(400, 'unsupported_grant_type', 'Grant type is not supported.'),
      code: oauthError(200, 'invalid_grant', 'Authorization code is expired.'),
      redirectUri: oauthError(200, 'invalid_grant', 'Authorization code is expired.'),
      refreshToken: oauthError(200, 'invalid_grant', 'Refresh token is invalid or expired.'),
    },
    signIn: ({ scope }) => ({ openId: account(PERSON, null).openId, scope }),
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

  return {
    identityFor,
    answerToken,
    /** The account of the bearer token, when it was allowed what is asked for. */
    authorize(request: IncomingMessage, scope: string): Account {
      const token = tokens.access(bearerIn(request))
      const owner = token && store.get<Account>('accounts', token.openId)
      if (!token || !owner) {
        return refuse(401, 'access_token_invalid', 'The access token is invalid or not found in the request.')
      }
      if (token.scope.split(',').includes(scope)) return owner
      return refuse(401, 'scope_not_authorized', 'The user did not authorize the scope required for this request.')
    },
    /** Whether the person of the sign-in has connected this account before. */
    hasSignedIn: () => store.get('accounts', openIdOf(PERSON.id)) !== undefined,
  }
}
