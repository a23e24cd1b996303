import { createHash } from 'node:crypto'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { type TokenStore, tokenEndpoint, tokenStore } from '../kit/simulated-tokens.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import type { Answering } from '../kit/simulator.ts'
import type { NetworkIdentity } from '../network.ts'
import { SCOPES } from './connect.ts'
import { manifest } from './manifest.ts'

/** A pretend channel. It belongs to one connection, or to the pretend account of the sign-in, and is known by its token. */
export interface SimulatedChannel {
  id: string
  /** Under which the ledger files its videos. */
  accountId: string
  name: string
  handle: string
}

interface Claims {
  /** Connection; null for the account of the sign-in. */
  id: string | null
  name: string
  /** Granted scopes. */
  scope: string
}
export type Tokens = TokenStore<Claims>

const ACCESS_SECONDS = 3599
const [ACCESS, REFRESH] = ['ya29.pretend-', '1//pretend-'] as const
export const CLIENT_ID = manifest.settings.CLIENT_ID?.sandbox ?? ''

export const openTokens = (deps: SimulatorDeps): Tokens =>
  tokenStore<Claims>(
    deps,
    {
      access: { prefix: ACCESS, lastsMs: ACCESS_SECONDS * 1000 },
      refresh: { prefix: REFRESH, lastsMs: null, rotates: false },
    },
    (claims) => claims as Claims,
  )

/** The same connection has the same identity and the same tokens, in every process and after every restart. */
export function identityFor({ tokens, url }: SimulatorDeps, connection: { id: string; name: string }): NetworkIdentity {
  const claims: Claims = { id: connection.id, name: connection.name, scope: SCOPES.join(' ') }
  const channel = channelOf(claims)
  return {
    externalId: channel.id,
    name: channel.name,
    username: channel.handle,
    profileUrl: `${url}/web/channel/${channel.id}`,
    avatarUrl: null,
    credentials: {
      accessToken: ACCESS + tokens.write('access', claims),
      refreshToken: REFRESH + tokens.write('refresh', claims),
    },
    expiresAt: null,
  }
}

export function channelOf({ id, name }: Claims): SimulatedChannel {
  const channelId = `UC${createHash('sha256')
    .update(id ?? 'sign-in')
    .digest('base64url')
    .slice(0, 22)}`
  const handle = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')
    .slice(0, 30)
  return { id: channelId, accountId: id ?? channelId, name, handle: handle || 'pretend' }
}

/** `POST https://oauth2.googleapis.com/token`. Refresh tokens are not replaced by use, and not told again. */
export const answerToken = ({ tokens: { isSecret } }: SimulatorDeps, tokens: Tokens): Answering =>
  tokenEndpoint(tokens, {
    isClient: (form) => form.client_id === CLIENT_ID && isSecret('CLIENT_SECRET', form.client_secret),
    refusals: {
      client: oauthError(401, 'invalid_client', 'The OAuth client was not found.'),
      grantType: oauthError(400, 'unsupported_grant_type', 'Invalid grant_type.'),
      code: oauthError(400, 'invalid_grant', 'Malformed auth code.'),
      redirectUri: oauthError(400, 'redirect_uri_mismatch', 'Bad Request'),
      verifier: oauthError(400, 'invalid_grant', 'Invalid code verifier.'),
      refreshToken: oauthError(400, 'invalid_grant', 'Token has been expired or revoked.'),
    },
    signIn: ({ scope }) => ({ id: null, name: 'Pretend channel', scope }),
    body: ({ accessToken, refreshToken }, { scope }, { renewed }) => ({
      token_type: 'Bearer',
      expires_in: ACCESS_SECONDS,
      access_token: accessToken,
      scope,
      ...(renewed ? {} : { refresh_token: refreshToken }),
    }),
  })

function oauthError(status: number, error: string, description: string): SimulatedAnswer {
  return { status, body: { error, error_description: description } }
}
