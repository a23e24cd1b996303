import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { NetworkIdentity } from '../network.ts'
import type { SimulatorDeps } from '../toolkit/simulation.ts'
import { SCOPES } from './connect.ts'
import { refuse, SimulatedRefusal, unauthorized } from './simulator-answers.ts'

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
  /** Milliseconds since 1970; null: it never ends by itself. */
  until: number | null
}

export const ACCESS_SECONDS = 3599
const ACCESS = 'ya29.pretend-'
const REFRESH = '1//pretend-'
const ALL_SCOPES = SCOPES.join(' ')

/** The same connection has the same identity and the same tokens, in every process and after every restart. */
export function identityFor({ tokens, url }: SimulatorDeps, connection: { id: string; name: string }): NetworkIdentity {
  const claims: Claims = { id: connection.id, name: connection.name, scope: ALL_SCOPES, until: null }
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

/** Tokens of the one pretend account that can sign in. */
export function signedIn({ tokens, now }: SimulatorDeps, scope: string): { accessToken: string; refreshToken: string } {
  const claims: Claims = { id: null, name: 'Pretend channel', scope, until: now().getTime() + ACCESS_SECONDS * 1000 }
  const refreshToken = REFRESH + tokens.write('refresh', { ...claims, until: null })
  return { accessToken: ACCESS + tokens.write('access', claims), refreshToken }
}

/** A new access token for a refresh token; null when that is none of ours. */
export function refreshed(deps: SimulatorDeps, refreshToken: string): { accessToken: string; scope: string } | null {
  const claims = readClaims(deps, 'refresh', refreshToken)
  if (!claims) return null
  const until = deps.now().getTime() + ACCESS_SECONDS * 1000
  return { accessToken: ACCESS + deps.tokens.write('access', { ...claims, until }), scope: claims.scope }
}

/** The channel that asks. @throws SimulatedRefusal without a token that holds and has one of the scopes */
export function authorized(deps: SimulatorDeps, request: IncomingMessage, scopes: readonly string[]): SimulatedChannel {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  const claims = token === undefined ? null : readClaims(deps, 'access', token)
  if (!claims || (claims.until !== null && claims.until <= deps.now().getTime()))
    throw new SimulatedRefusal(unauthorized())
  const granted = claims.scope.split(' ')
  if (!scopes.some((scope) => granted.includes(scope))) {
    refuse(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.')
  }
  return channelOf(claims)
}

function readClaims({ tokens }: SimulatorDeps, kind: 'access' | 'refresh', token: string): Claims | null {
  const prefix = kind === 'access' ? ACCESS : REFRESH
  if (!token.startsWith(prefix)) return null
  return (tokens.read(kind, token.slice(prefix.length)) as Claims | undefined) ?? null
}

function channelOf({ id, name }: Claims): SimulatedChannel {
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
