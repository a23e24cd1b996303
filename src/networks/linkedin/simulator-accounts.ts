import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { AccountType } from '#contract'
import type { NetworkIdentity } from '../network.ts'
import { redeemCode } from '../toolkit/consent.ts'
import type { SimulatedAnswer } from '../toolkit/faults.ts'
import type { SimulatorDeps } from '../toolkit/simulation.ts'
import { manifest } from './manifest.ts'
import { expiredToken, refuse, SimulatedRefusal } from './simulator-answers.ts'

/** A page on which a person has a role. */
export interface SimulatedPage {
  urn: string
  name: string
  vanity: string
  role: string
}

/** Who stands behind a token, and what it may do. */
export interface Access {
  person: { id: string; name: string }
  pages: readonly SimulatedPage[]
  scopes: readonly string[]
  /** Name in the ledger by urn of the author; without an entry the urn itself. */
  ledger: Readonly<Record<string, string>>
  /** Null: never. */
  expiresAt: string | null
  /** The app that it was given to. */
  clientId: string
}

export interface SimulatedApp {
  id: string
  /** The setting that holds its secret. */
  secret: string
  scopes: readonly string[]
  /** Whether its tokens can be refreshed: approved partners alone. */
  refreshes: boolean
}

const setting = (name: string) => manifest.settings[name]?.sandbox ?? ''
export const MEMBER_APP: SimulatedApp = {
  id: setting('CLIENT_ID'),
  secret: 'CLIENT_SECRET',
  scopes: ['openid', 'profile', 'email', 'w_member_social'],
  refreshes: false,
}
export const PAGE_APP: SimulatedApp = {
  id: setting('PAGE_CLIENT_ID'),
  secret: 'PAGE_CLIENT_SECRET',
  scopes: ['r_basicprofile', 'rw_organization_admin', 'r_organization_social', 'w_organization_social'],
  refreshes: true,
}

const DAY = 24 * 3_600_000
const ACCESS_MS = 60 * DAY
const REFRESH_MS = 365 * DAY

/** Whoever signs in on the pretend pages. The page with a mere analyst's role cannot be posted on. */
const VISITOR: Pick<Access, 'person' | 'pages'> = {
  person: { id: 'pReTeNd_01', name: 'Pat Baker' },
  pages: [
    { urn: 'urn:li:organization:7000001', name: 'Corner Bakery', vanity: 'corner-bakery', role: 'ADMINISTRATOR' },
    { urn: 'urn:li:organization:7000002', name: 'Mill & Sons', vanity: 'mill-and-sons', role: 'CONTENT_ADMINISTRATOR' },
    { urn: 'urn:li:organization:7000003', name: 'Bakers of the World', vanity: 'bakers', role: 'ANALYST' },
  ],
}

/** Collections of tokens. Earlier versions had others, whose tokens anyone could get: those are good no more. */
const KEPT = { access: 'access-grants', refresh: 'refresh-grants' } as const

/** The same connection has the same identity and the same tokens, in every process and after every restart. */
export function identityFor(
  deps: SimulatorDeps,
  { id, accountType, name }: { id: string; accountType: AccountType; name: string },
): NetworkIdentity {
  const hash = createHash('sha256').update(id).digest()
  const token = (kind: 'access' | 'refresh') => `${kind}.${deps.tokens.sign(kind, id)}`
  const accessToken = token('access')
  const isPage = accountType === 'LINKEDIN_PAGE'
  const number = String(hash.readUInt32BE())
  const personId = hash.toString('base64url').slice(0, 10)
  const urn = isPage ? `urn:li:organization:${number}` : `urn:li:person:${personId}`
  const vanity =
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'page'
  if (!deps.store.get(KEPT.access, accessToken)) {
    const access: Access = {
      person: { id: personId, name },
      pages: isPage ? [{ urn, name, vanity, role: 'ADMINISTRATOR' }] : [],
      scopes: isPage ? PAGE_APP.scopes : MEMBER_APP.scopes,
      ledger: { [urn]: id },
      // That of a person cannot be refreshed, so it has no end here.
      expiresAt: isPage ? new Date(deps.now().getTime() + ACCESS_MS).toISOString() : null,
      clientId: isPage ? PAGE_APP.id : MEMBER_APP.id,
    }
    deps.store.put(KEPT.access, accessToken, access)
    if (isPage) deps.store.put(KEPT.refresh, token('refresh'), { ...access, expiresAt: null })
  }
  const expiresAt = deps.store.get<Access>(KEPT.access, accessToken)?.expiresAt
  return {
    externalId: urn,
    name,
    username: isPage ? vanity : null,
    profileUrl: deps.url,
    avatarUrl: null,
    credentials: isPage ? { accessToken, refreshToken: token('refresh') } : { accessToken },
    expiresAt: expiresAt ? new Date(expiresAt) : null,
  }
}

/** Whose token the request has. @throws SimulatedRefusal */
export function authorized(deps: SimulatorDeps, request: IncomingMessage): Access {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) {
    return refuse(401, 'Empty oauth2 access token', { serviceErrorCode: 65600, code: 'EMPTY_ACCESS_TOKEN' })
  }
  const access = deps.store.get<Access>(KEPT.access, token)
  if (!access) return refuse(401, 'Invalid access token', { serviceErrorCode: 65600, code: 'INVALID_ACCESS_TOKEN' })
  if (access.expiresAt !== null && new Date(access.expiresAt) <= deps.now()) throw new SimulatedRefusal(expiredToken)
  return access
}

/** `POST /oauth/v2/accessToken`. */
export function giveToken(deps: SimulatorDeps, form: Readonly<Record<string, string>>): SimulatedAnswer {
  const app = [MEMBER_APP, PAGE_APP].find(({ id }) => id === form.client_id)
  if (!app || !deps.tokens.isSecret(app.secret, form.client_secret))
    return oauthError(401, 'invalid_client', 'Client authentication failed')
  switch (form.grant_type) {
    case 'authorization_code': {
      const grant = redeemCode(deps, form.code ?? '')
      if (!grant || grant.redirectUri !== form.redirect_uri || grant.clientId !== app.id) {
        const words =
          'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization code expired.'
        return oauthError(400, 'invalid_request', words)
      }
      const scopes = grant.scope.split(' ')
      return newTokens(deps, app, { ...VISITOR, scopes, ledger: {}, expiresAt: null, clientId: app.id }, null)
    }
    case 'refresh_token': {
      const token = form.refresh_token ?? ''
      const access = deps.store.get<Access>(KEPT.refresh, token)
      const over = access?.expiresAt && new Date(access.expiresAt) <= deps.now()
      if (!access || over || access.clientId !== app.id) {
        return oauthError(400, 'invalid_grant', 'The provided refresh token is invalid, expired or revoked')
      }
      return newTokens(deps, app, access, token)
    }
    default:
      return oauthError(400, 'unsupported_grant_type', 'The grant type is not supported')
  }
}

/** A refresh token stays as it is, and so does its end. */
function newTokens(deps: SimulatorDeps, app: SimulatedApp, access: Access, kept: string | null): SimulatedAnswer {
  const inTime = (ms: number) => new Date(deps.now().getTime() + ms).toISOString()
  const accessToken = `access-${randomBytes(32).toString('base64url')}`
  deps.store.put(KEPT.access, accessToken, { ...access, expiresAt: inTime(ACCESS_MS) } satisfies Access)
  let refreshToken = kept
  if (refreshToken === null && app.refreshes) {
    refreshToken = `refresh-${randomBytes(32).toString('base64url')}`
    deps.store.put(KEPT.refresh, refreshToken, { ...access, expiresAt: inTime(REFRESH_MS) } satisfies Access)
  }
  const end = refreshToken === null ? null : (deps.store.get<Access>(KEPT.refresh, refreshToken)?.expiresAt ?? null)
  const left = end === null ? REFRESH_MS : new Date(end).getTime() - deps.now().getTime()
  return {
    status: 200,
    body: {
      access_token: accessToken,
      expires_in: ACCESS_MS / 1000,
      ...(refreshToken === null
        ? {}
        : { refresh_token: refreshToken, refresh_token_expires_in: Math.floor(left / 1000) }),
      // Parted by commas, whatever was sent.
      scope: access.scopes.join(','),
    },
  }
}

const oauthError = (status: number, error: string, words: string): SimulatedAnswer => ({
  status,
  body: { error, error_description: words },
})
