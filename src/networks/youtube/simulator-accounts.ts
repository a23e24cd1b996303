import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { NetworkIdentity } from '../network.ts'
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
export function identityFor(connection: { id: string; name: string }, url: string): NetworkIdentity {
  const claims: Claims = { id: connection.id, name: connection.name, scope: ALL_SCOPES, until: null }
  const channel = channelOf(claims)
  return {
    externalId: channel.id,
    name: channel.name,
    username: channel.handle,
    profileUrl: `${url}/web/channel/${channel.id}`,
    avatarUrl: null,
    credentials: { accessToken: ACCESS + written(claims), refreshToken: REFRESH + written(claims) },
    expiresAt: null,
  }
}

/** Tokens of the one pretend account that can sign in. */
export function signedIn(scope: string, now: Date): { accessToken: string; refreshToken: string } {
  const claims: Claims = { id: null, name: 'Pretend channel', scope, until: now.getTime() + ACCESS_SECONDS * 1000 }
  return { accessToken: ACCESS + written(claims), refreshToken: REFRESH + written({ ...claims, until: null }) }
}

/** A new access token for a refresh token; null when that is none of ours. */
export function refreshed(refreshToken: string, now: Date): { accessToken: string; scope: string } | null {
  const claims = readClaims(refreshToken, REFRESH)
  if (!claims) return null
  const until = now.getTime() + ACCESS_SECONDS * 1000
  return { accessToken: ACCESS + written({ ...claims, until }), scope: claims.scope }
}

/** The channel that asks. @throws SimulatedRefusal without a token that holds and has one of the scopes */
export function authorized(request: IncomingMessage, now: Date, scopes: readonly string[]): SimulatedChannel {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  const claims = token === undefined ? null : readClaims(token, ACCESS)
  if (!claims || (claims.until !== null && claims.until <= now.getTime())) throw new SimulatedRefusal(unauthorized())
  const granted = claims.scope.split(' ')
  if (!scopes.some((scope) => granted.includes(scope))) {
    refuse(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.')
  }
  return channelOf(claims)
}

const written = (claims: Claims) => Buffer.from(JSON.stringify(claims)).toString('base64url')

function readClaims(token: string, prefix: string): Claims | null {
  if (!token.startsWith(prefix)) return null
  try {
    const claims = JSON.parse(Buffer.from(token.slice(prefix.length), 'base64url').toString('utf8')) as Claims
    return typeof claims.name === 'string' && typeof claims.scope === 'string' ? claims : null
  } catch {
    return null
  }
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
